/** The control room's panel of documents: title, state, who is next, and the possible actions. */
import { historyOf } from '../admin/history'
import type { Panel, View } from '../admin/panel-type'
import { statePill } from '../admin/states'
import type { RoomTexts } from '../admin/texts'
import { factsOf, idOf, thingList, type Thing } from '../admin/thing'
import { escape } from '../pages/html'
import { actionButton, newTab, timeOf } from '../pages/parts'
import { typeOf } from './build-file'
import { documentRecord } from './record'
import { isTurn, nameOf } from './signers'
import type { SignatureDocument, Signer } from './state'
import { isFinal } from './transitions'

export const documentPanel: Panel = {
  id: 'documents',
  title: (texts) => texts.documents,
  render: (view) => thingList(view.world.signature.documents.values(), view, view.texts.noDocuments, documentThing),
  state: (world) => [...world.signature.documents.values()].map(documentRecord),
}

function documentThing(document: SignatureDocument, view: View): Thing {
  const { id, externalId, title, signers, status, created } = document
  const people = signers.map((signer) => showSigner(signer, document, view)).join('')
  return {
    key: `document-${id}`,
    title,
    state: status,
    created,
    notes: [nextOf(document, view.texts), externalId],
    below: `<ul class="people">${people}</ul>`,
    inside: () =>
      `${idOf('documentId', id, view)}${dates(document, view.texts)}<div class="row">${actionsOf(document, view.texts)}</div>
${previewsOf(document, view.texts)}${historyOf(id, view)}`,
  }
}

/** Who has to sign now. */
function nextOf(document: SignatureDocument, { next }: RoomTexts): string {
  if (!canBeSigned(document)) return ''
  const names = document.signers.filter((one) => !one.signature && isTurn(one, document)).map(nameOf)
  return names.length > 0 ? next(names) : ''
}

function showSigner(signer: Signer, document: SignatureDocument, { texts, language }: View): string {
  const name = nameOf(signer)
  const state = signer.signature ? 'signed' : signer.lastAct
  const pill = state === undefined ? '' : ` ${statePill(state, language)}`
  const mayAct = !signer.signature && canBeSigned(document) && isTurn(signer, document)
  const button = (action: string, label: string) =>
    ` ${actionButton({ action: `/sandbox/documents/${document.id}/${action}`, label, values: { signerId: signer.id } })}`
  const buttons = mayAct ? button('sign', texts.signAs(name)) + button('leave', texts.leave(name)) : ''
  return `<li data-key="signer-${escape(signer.id)}">${newTab(signer.url, name)}${pill}${buttons}</li>`
}

function dates({ created, deadline, signedDate = '' }: SignatureDocument, texts: RoomTexts): string {
  return factsOf([
    [texts.created, timeOf(created)],
    [texts.deadline, timeOf(deadline)],
    [texts.signedAt, signedDate && timeOf(signedDate)],
  ])
}

function actionsOf(document: SignatureDocument, texts: RoomTexts): string {
  const at = `/sandbox/documents/${document.id}`
  const file = (format: string, label: string) =>
    `<a class="button plain small" href="${escape(at)}/file?fileFormat=${format}" download>${escape(label)}</a>`
  const signed = signedFormat(document)
  return [
    canBeSigned(document) ? actionButton({ action: `${at}/remind`, label: texts.remind }) : '',
    isFinal(document)
      ? ''
      : actionButton({ action: `${at}/cancel`, label: texts.cancel, question: texts.cancelConfirm }),
    document.content ? file('unsigned', texts.download) : '',
    signed ? file(signed, texts.downloadSigned) : '',
  ].join('')
}

/**
 * The previews of a document. Each is loaded into a frame of the page only when the user opens it; previews of PDFs are
 * shown only in browsers with a PDF viewer.
 */
function previewsOf(document: SignatureDocument, texts: RoomTexts): string {
  const isPdf = typeOf(document) === 'application/pdf'
  const preview = (format: string, label: string) =>
    `<details data-key="look-${format}"${isPdf && format !== 'standard_packaging' ? ' data-pdf' : ''}><summary>${escape(label)}</summary>
<iframe loading="lazy" title="${escape(label)}" src="/sandbox/documents/${escape(document.id)}/file?fileFormat=${format}"></iframe></details>`
  const signed = signedFormat(document)
  return `${document.content ? preview('unsigned', texts.look) : ''}${signed ? preview(signed, texts.lookSigned) : ''}`
}

function canBeSigned({ status }: SignatureDocument): boolean {
  return status === 'unsigned' || status === 'partialsigned'
}

function signedFormat({ completedPackages }: SignatureDocument): string | undefined {
  if (completedPackages.includes('pades')) return 'pades'
  return completedPackages.includes('native') ? 'standard_packaging' : undefined
}
