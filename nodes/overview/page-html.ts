/** Writes the page: its frame, its texts and its script. What it lists is asked for by the script. */
import { pageScript } from '../../lib/runtime/http/page-script'
import { pageTexts } from '../../lib/runtime/http/page-texts'
import { style } from './page-style'
import type { PageData } from './view'

export function overviewPage(language: string, nonce: string): string {
  const texts = pageTexts('overview', language)
  const data: PageData = { language: languageTag(language), texts }
  const body = `<header><h1>${escape(texts.title)}</h1><p id="updated"></p></header>
<main><noscript><p>${escape(texts.noScript)}</p></noscript><div id="app"></div></main>
<script type="application/json" id="data" nonce="${nonce}">${inScript(data)}</script>
<script nonce="${nonce}">${pageScript(__dirname, 'overview')}</script>`
  return frame(texts.title, body, language, nonce)
}

/** What is shown instead of the page, and why. */
export function refusedPage(why: string, language: string, nonce: string): string {
  const { title } = pageTexts('overview', language)
  return frame(title, `<main><h1>${escape(title)}</h1><p>${escape(why)}</p></main>`, language, nonce)
}

const languageTag = (language: string) => language.split('-')[0] ?? ''

/** Inside the page: its policy lets nothing else be loaded, and a browser that finds none asks for one. */
const icon = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0b57a4" d="M2 2h2v2H2zM6 2h8v2H6zM2 7h2v2H2zM6 7h8v2H6zM2 12h2v2H2zM6 12h8v2H6z"/></svg>',
)}">`

function frame(title: string | undefined, body: string, language: string, nonce: string): string {
  return `<!doctype html>
<html lang="${languageTag(language)}"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
${icon}
<style nonce="${nonce}">${style}</style></head><body>
${body}
</body></html>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escape(text = ''): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** JSON that no parser of HTML takes for the end of its script. */
function inScript(data: unknown): string {
  return JSON.stringify(data).replace(/</g, '\\u003c')
}
