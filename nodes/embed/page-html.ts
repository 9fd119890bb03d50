/** Renders the page that shows the app, and the pages that say why it cannot be shown. */
import { escape, inScript, pageHtml } from '../../lib/runtime/http/page-html'
import { pageScript } from '../../lib/runtime/http/page-script'
import { maxMessageLength } from './messages'
import type { PageData } from './page-data'
import type { Page } from './pages'
import { style } from './page-style'
import { pageTexts } from '../../lib/runtime/http/page-texts'

interface PageView {
  readonly page: Page
  /** The address to which messages are reported, relative to the page. */
  readonly messages: string
  readonly end: string
  readonly begin: string
  readonly parents: readonly string[]
  readonly language: string
  /** The value that allows the page's style and script in the Content-Security-Policy. */
  readonly nonce: string
  /** Seconds that the app may take to start. */
  readonly appTimeoutSeconds: number
}

export function framePage({
  page,
  messages,
  end,
  begin,
  parents,
  language,
  nonce,
  appTimeoutSeconds,
}: PageView): string {
  const texts = pageTexts('embed', language)
  const session = page.kind === 'session'
  const title = session ? texts.identify : texts.sign
  const data: PageData = {
    url: page.url,
    origins: page.origins,
    messages,
    end,
    begin: session ? begin : undefined,
    parents,
    session,
    appTimeoutMs: appTimeoutSeconds * 1000,
    maxMessageLength,
    texts: { opening: texts.opening, slow: texts.slow, outdated: texts.outdated, continue: texts.continue },
    ends: session
      ? { success: texts.identified, aborted: texts.aborted, error: texts.failed }
      : {
          sign_success: texts.signed,
          already_signed: texts.alreadySigned,
          user_canceled: texts.canceled,
          sign_error: texts.failed,
          document_expired: texts.expired,
        },
  }
  const link = `<a href="${escape(page.url)}" target="_blank" rel="noopener">${escape(texts.link)}</a>`
  const body = `<main><h1>${escape(title)}</h1><p id="state" role="status" aria-live="polite"></p>
<p id="on" hidden></p><p id="plain" hidden>${link}</p><noscript><p>${escape(texts.noScript)} ${link}</p></noscript>
<iframe id="app" title="${escape(title)}"></iframe></main>
<script type="application/json" id="data" nonce="${nonce}">${inScript(data)}</script>
<script nonce="${nonce}">${pageScript(__dirname, 'frame')}</script>`
  return frame(title, body, language, nonce)
}

/**
 * The page for an address that is no longer valid (`gone`), whose node is disabled or starting (`paused`), or that was
 * opened in another browser first (`elsewhere`).
 */
export function noticePage(what: 'gone' | 'paused' | 'elsewhere', language: string, nonce: string): string {
  const { [what]: text = '', [`${what}Title`]: title = '' } = pageTexts('embed', language)
  return frame(title, `<main class="card"><h1>${escape(title)}</h1><p>${escape(text)}</p></main>`, language, nonce)
}

const iconPath = 'M2 12h12v2H2zM10 1l4 4-7 6H4V8z'

function frame(title: string | undefined, body: string, language: string, nonce: string): string {
  return pageHtml({ title, body, language, nonce, style, iconPath })
}
