/** The appearance requested in a session's `ui`: theme mode, color, top bar. */
import { escape } from '../pages/html'
import { dark, light } from '../pages/style'
import { objectIn, textIn, type JsonObject } from '../server/json'

/** Accent colors for light and dark backgrounds, with their text colors. */
const accents: Readonly<Record<string, readonly [string, string]>> = {
  default: ['--accent: #2457c5; --on-accent: #ffffff;', '--accent: #8db2ff; --on-accent: #0c1930;'],
  light_blue: ['--accent: #0b63a0; --on-accent: #ffffff;', '--accent: #81d4fa; --on-accent: #0b1e2b;'],
}

const layout = `
main { max-width: 30rem; margin: 2rem auto; padding: 0 1rem; }
.bar { padding: .75rem 1rem; font-weight: 600; text-align: center; background: var(--card); border-bottom: 1px solid var(--line); }
.providers { list-style: none; margin: 0; padding: 0; display: grid; gap: .6rem; }
.providers a { display: flex; gap: .9rem; align-items: center; padding: .7rem; border: 1px solid var(--line); border-radius: 10px; color: var(--text); text-decoration: none; }
.providers a:hover { background: var(--soft); border-color: var(--accent); } .providers img { width: 2.5rem; height: 2.5rem; }
.fields { display: grid; gap: .8rem; grid-template-columns: 1fr 1fr; margin-bottom: 1.25rem; align-items: end; } .fields input { width: 100%; height: 2.5rem; } .fields div:last-child { grid-column: 1 / -1; }
@media (max-width: 26rem) { .fields { grid-template-columns: 1fr; } }
footer { margin-top: 1rem; text-align: center; font-size: .9rem; } footer a { margin: 0 .4rem; }
.hint { margin: .75rem 0; font-size: .875rem; }
`

interface Look {
  readonly style: string
  /** Attributes of the page's body. */
  readonly attributes: string
  /** Finished HTML; empty if the request has none. */
  readonly topBar: string
  readonly hideHeader: boolean
  readonly hideFooter: boolean
}

export function lookOf(requested: JsonObject): Look {
  const { themeMode, colorTheme, topBar, hideProviderHeader, hideFooter } = objectIn(requested.ui)
  const mode = /^(light|dark)$/i.exec(textIn(themeMode))?.[0].toLowerCase() ?? ''
  const name = textIn(colorTheme).toLowerCase()
  const [bright, dim] = accents[Object.hasOwn(accents, name) ? name : 'default'] ?? ['', '']
  const { title, foregroundColor, backgroundColor } = objectIn(topBar)
  const style = `${layout}
body { ${bright} } @media (prefers-color-scheme: dark) { body { ${dim} } }
body[data-mode=light] { color-scheme: light; ${light} ${bright} } body[data-mode=dark] { color-scheme: dark; ${dark} ${dim} }
.bar { ${colour('color', foregroundColor)} ${colour('background', backgroundColor)} }`
  return {
    style,
    attributes: mode ? `data-mode="${mode}"` : '',
    topBar: textIn(title) ? `<div class="bar">${escape(title)}</div>` : '',
    hideHeader: hideProviderHeader === true,
    hideFooter: hideFooter === true,
  }
}

/** A declaration with this color; empty for an invalid color, so that nothing else gets into the page. */
function colour(property: string, value: unknown): string {
  return /^#[0-9a-f]{3,8}$/i.test(textIn(value)) ? `${property}: ${textIn(value)};` : ''
}
