/** Renders the page: its frame, its texts and its script. The script then fetches the rows. */
import { baseLanguage, escape, inScript, pageHtml } from '../../lib/runtime/http/page-html'
import { pageScript } from '../../lib/runtime/http/page-script'
import { pageTexts } from '../../lib/runtime/http/page-texts'
import { style } from './page-style'
import type { PageData } from './view'

export function overviewPage(language: string, nonce: string): string {
  const texts = pageTexts('overview', language)
  const data: PageData = { language: baseLanguage(language), texts }
  const body = `<header><h1>${escape(texts.title)}</h1><p id="updated"></p></header>
<main><noscript><p>${escape(texts.noScript)}</p></noscript><div id="app"></div></main>
<script type="application/json" id="data" nonce="${nonce}">${inScript(data)}</script>
<script nonce="${nonce}">${pageScript(__dirname, 'overview')}</script>`
  return frame(texts.title, body, language, nonce)
}

/** Renders the page for a person who is not admitted, with the reason. */
export function refusedPage(why: string, language: string, nonce: string): string {
  const { title } = pageTexts('overview', language)
  return frame(title, `<main><h1>${escape(title)}</h1><p>${escape(why)}</p></main>`, language, nonce)
}

const iconPath = 'M2 2h2v2H2zM6 2h8v2H6zM2 7h2v2H2zM6 7h8v2H6zM2 12h2v2H2zM6 12h8v2H6z'

function frame(title: string | undefined, body: string, language: string, nonce: string): string {
  return pageHtml({ title, body, language, nonce, style, iconPath })
}
