/** Renders the page of an approver's address. Before the identification, it contains only what is to be approved. */
import { escape, inScript, pageHtml } from '../../lib/runtime/http/page-html'
import { pageScript } from '../../lib/runtime/http/page-script'
import { pageTexts } from '../../lib/runtime/http/page-texts'
import { style } from './page-style'
import type { PageData, PageState } from './page-view'

interface PageParts {
  readonly token: string
  /** What is to be approved; absent if the address is of no open approval. */
  readonly what?: string
  /** The state that is shown first; if absent, the script asks for it. */
  readonly first?: PageState
  /** The folder of the page, relative to its address. */
  readonly place?: string
  readonly language: string
  readonly nonce: string
}

export function approvalPage({ token, what, first, place = '', language, nonce }: PageParts): string {
  const texts = pageTexts('approve', language)
  // The address repeats the page's last segment, because such a relative address works behind any proxy.
  const own = place + (place === '' ? encodeURIComponent(token) : '')
  const at = (call: string) => (own.endsWith('/') ? own + call : `${own}/${call}`)
  const data: PageData = {
    start: at('start'),
    state: at('state'),
    answer: at('answer'),
    ...(first !== undefined && { first }),
    texts,
  }
  const sentence = what === undefined ? '' : `<p class="what">${escape(what)}</p>`
  const body = `<main><h1>${escape(texts.title)}</h1>${sentence}
<div id="shown"></div><p id="state" role="status" aria-live="polite" tabindex="-1"></p><div id="actions"></div>
<noscript><p>${escape(texts.noScript)}</p></noscript></main>
<script type="application/json" id="data" nonce="${nonce}">${inScript(data)}</script>
<script nonce="${nonce}">${pageScript(__dirname, 'approve')}</script>`
  const iconPath = 'M8 1l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V3zM7 11l5-5-1.4-1.4L7 8.2 5.4 6.6 4 8z'
  return pageHtml({ title: texts.title, body, language, nonce, style, iconPath })
}
