/**
 * The HTML around a page that a node serves: escaped texts, an icon, and a style that the page's
 * Content-Security-Policy allows.
 */

interface PageParts {
  readonly title: string | undefined
  /** HTML in which every text is already escaped with `escape`. */
  readonly body: string
  /** A browser locale such as `nb-NO`; the page declares only the base language of this locale. */
  readonly language: string
  /** The nonce by which the Content-Security-Policy allows the style and the script of the page. */
  readonly nonce: string
  readonly style: string
  /** The icon as an SVG path in a square of 16 units. */
  readonly iconPath: string
}

interface Framing {
  readonly frames?: readonly string[]
  readonly ancestors?: readonly string[]
}

export function pageHtml({ title, body, language, nonce, style, iconPath }: PageParts): string {
  return `<!doctype html>
<html lang="${baseLanguage(language)}"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
${iconOf(iconPath)}
<style nonce="${nonce}">${style}</style></head><body>
${body}
</body></html>`
}

/**
 * The Content-Security-Policy of a page: its own style and script, and requests to this Node-RED. `frames` are the
 * sources that the page may show in a frame, `ancestors` those that may show the page.
 */
export function pagePolicy(nonce: string, { frames, ancestors = [] }: Framing = {}): string {
  const sourcesIn = (list: readonly string[]) => (list.length > 0 ? list.join(' ') : "'none'")
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    ...(frames ? [`frame-src ${sourcesIn(frames)}`] : []),
    // This allows the page's own icon.
    'img-src data:',
    `frame-ancestors ${sourcesIn(ancestors)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** The base language of a locale, such as `nb` for `nb-NO`. */
export const baseLanguage = (language: string): string => language.split('-')[0] ?? ''

/**
 * The icon is embedded in the page, because the page's policy allows no other resources, and a browser that finds no
 * icon would request one.
 */
function iconOf(path: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0b57a4" d="${path}"/></svg>`
  return `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg)}">`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text that is safe in HTML, also within quoted attributes. */
export function escape(text = ''): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** Data as JSON that is safe in a script element, because it contains no `<`. */
export function inScript(data: unknown): string {
  return JSON.stringify(data).replace(/</g, '\\u003c')
}
