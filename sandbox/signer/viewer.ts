/** The app's own viewer: texts as text, PDFs in the browser, anything else as a link. */
import { escape } from '../pages/html'
import { typeOf } from '../signature/build-file'
import { textIn, textsIn } from '../server/json'
import type { Attachment, SignatureDocument, Signer } from '../signature/state'
import type { SignerContext } from './session'
import type { Texts } from './texts'

/** Maximum characters shown of a text. */
const MAX_CHARACTERS = 200_000

/**
 * The document to be signed or, once everyone has signed, the signed document with its signers. Empty for a document
 * that has ended in another way.
 */
export async function viewer({ document, signer }: SignerContext, texts: Texts): Promise<string> {
  if (document.status === 'canceled' || document.status === 'expired') return ''
  const isSigned = document.status === 'signed'
  const address = `/sign/${escape(signer.token)}/file`
  const links = [
    `<p><a href="${address}" target="_blank" rel="noopener">${escape(texts.open)}</a> <span class="quiet">${escape(document.fileName)}</span></p>`,
    ...(document.completedPackages.includes('native')
      ? [`<p><a href="/sign/${escape(signer.token)}/signed" download>${escape(texts.openSigned)}</a></p>`]
      : []),
    ...document.attachments.filter((one) => isFor(one, signer)).map((one) => attachmentLink(one, signer)),
  ]
  return `${isSigned ? signaturesOf(document, texts) : ''}${await shownFile(document, address, texts)}${links.join('')}`
}

async function shownFile(document: SignatureDocument, address: string, texts: Texts): Promise<string> {
  const type = typeOf(document)
  const isSigned = document.completedPackages.includes('pades')
  if (type === 'application/pdf') {
    const source = isSigned ? address.replace(/file$/, 'signed') : address
    return document.content
      ? `<iframe id="viewer" data-src="${source}" title="${escape(texts.document)}" class="viewer"></iframe>`
      : ''
  }
  const bytes = await document.content?.read()
  if (!bytes) return ''
  if (!/^text\/|xml$/.test(type)) return `<p class="quiet">${escape(texts.noViewer)}</p>`
  const text = bytes.toString('utf8')
  const cut = text.length > MAX_CHARACTERS ? `<p class="quiet">${escape(texts.cut)}</p>` : ''
  const shown = escape(text.slice(0, MAX_CHARACTERS))
  return `<pre id="viewer" class="viewer" tabindex="0" role="region" aria-label="${escape(texts.document)}">${shown}</pre>${cut}`
}

function signaturesOf({ signers }: SignatureDocument, texts: Texts): string {
  const items = signers.flatMap(({ signature }) =>
    signature
      ? [`<li>${escape(signature.fullName)}, ${escape(signature.signedTime.slice(0, 16).replace('T', ' '))} UTC</li>`]
      : [],
  )
  return `<h2>${escape(texts.signatures)}</h2><ul class="signatures">${items.join('')}</ul>`
}

/** Whether this signer may see the attachment. */
export function isFor({ requested }: Attachment, { id }: Signer): boolean {
  const ids = textsIn(requested.signers)
  return ids.length === 0 || ids.includes(id)
}

function attachmentLink({ id, requested }: Attachment, { token }: Signer): string {
  const address = `/sign/${escape(token)}/attachments/${escape(id)}`
  return `<p><a href="${address}" target="_blank" rel="noopener">${escape(textIn(requested.title))}</a> <span class="quiet">${escape(textIn(requested.fileName))}</span></p>`
}
