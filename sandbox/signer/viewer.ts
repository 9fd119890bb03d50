/** The app's own viewer: texts as text, PDFs by the browser, anything else as a link. */
import { escape } from '../pages/html'
import { typeOf } from '../signature/build-file'
import type { Visit } from './session'
import type { Texts } from './texts'

/** Characters of a text that are shown. */
const SHOWN = 200_000

export async function viewer({ document, signer }: Visit, texts: Texts): Promise<string> {
  const bytes = await document.content?.read()
  if (!bytes) return ''
  const address = `/sign/${escape(signer.token)}/file`
  const link = `<p><a href="${address}" target="_blank" rel="noopener">${escape(texts.open)}</a> <span class="quiet">${escape(document.fileName)}</span></p>`
  const type = typeOf(document)
  if (type === 'application/pdf') {
    return `<iframe id="viewer" data-src="${address}" title="${escape(texts.document)}" class="viewer"></iframe>${link}`
  }
  if (!/^text\/|xml$/.test(type)) return `<p class="quiet">${escape(texts.noViewer)}</p>${link}`
  const text = bytes.toString('utf8')
  const cut = text.length > SHOWN ? `<p class="quiet">${escape(texts.cut)}</p>` : ''
  const shown = escape(text.slice(0, SHOWN))
  return `<pre id="viewer" class="viewer" tabindex="0" role="region" aria-label="${escape(texts.document)}">${shown}</pre>${cut}${link}`
}
