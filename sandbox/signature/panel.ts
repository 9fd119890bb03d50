/** The control room's panel of documents: title, state, who is next, and within each what can be done with it. */
import type { Panel } from '../admin/panel-type'
import { statePill } from '../admin/states'
import { textsOf, type Language, type RoomTexts } from '../admin/texts'
import { sentenceOf } from '../notification/sentences'
import { escape } from '../pages/html'
import { actionButton, copyButton, newTab, SHOWN } from '../pages/table'
import type { World } from '../world'
import { documentRecord } from './record'
import { isTurn, nameOf } from './signers'
import type { SignatureDocument, Signer } from './state'
import { isFinal } from './transitions'

export const documentPanel: Panel = {
  id: 'documents',
  title: (texts) => texts.documents,
  render,
  state: (world) => [...world.signature.documents.values()].map(documentRecord),
}

function render(world: World, language: Language): string {
  const texts = textsOf(language)
  const all = [...world.signature.documents.values()]
  if (all.length === 0) return `<p class="quiet">${escape(texts.noDocuments)}</p>`
  const things = all.slice(-SHOWN).reverse()
  const more = all.length > SHOWN ? `<p class="quiet">${texts.latest(SHOWN, all.length)}</p>` : ''
  return `<ul class="things">${things.map((one) => showDocument(one, world, language)).join('')}</ul>${more}`
}

function showDocument(document: SignatureDocument, world: World, language: Language): string {
  const texts = textsOf(language)
  const { id, externalId, title, signers } = document
  const next = isFinal(document) ? undefined : signers.find((one) => !one.signature && isTurn(one, document))
  const waits =
    next && document.status !== 'waiting_for_attachments' ? ` <span>${escape(texts.next(nameOf(next)))}</span>` : ''
  return `<li><div class="head"><strong>${escape(title)}</strong> ${statePill(document.status, language)}${waits}
<span class="quiet">${escape(externalId)}</span></div>
<ul class="people">${signers.map((signer) => showSigner(signer, document, texts)).join('')}</ul>
<details data-key="document-${escape(id)}"><summary>${escape(texts.open)}</summary>
<p>documentId <code>${escape(id)}</code> ${copyButton(id, texts)}</p>
<div class="row">${actionsOf(document, texts)}</div>
${previewsOf(document, texts)}
${happenedTo(document, world, language)}</details></li>`
}

function showSigner(signer: Signer, document: SignatureDocument, texts: RoomTexts): string {
  const name = nameOf(signer)
  const link = newTab(signer.url, name)
  if (signer.signature) return `<li>${link} <span class="good">${escape(texts.hasSigned)}</span></li>`
  const canSign = document.status === 'unsigned' || document.status === 'partialsigned'
  if (!canSign || !isTurn(signer, document)) return `<li>${link}</li>`
  const button = (action: string, label: string) =>
    actionButton(`/sandbox/documents/${document.id}/${action}`, label, { signerId: signer.id })
  return `<li>${link} ${button('sign', texts.signAs(name))} ${button('decline', texts.decline(name))}</li>`
}

function actionsOf(document: SignatureDocument, texts: RoomTexts): string {
  const at = `/sandbox/documents/${document.id}`
  const file = (format: string, label: string) =>
    `<a class="button plain small" href="${at}/file?fileFormat=${format}" download>${escape(label)}</a>`
  const signed = signedFormat(document)
  const canRemind = document.status === 'unsigned' || document.status === 'partialsigned'
  return [
    canRemind ? actionButton(`${at}/remind`, texts.remind) : '',
    isFinal(document) ? '' : actionButton(`${at}/cancel`, texts.cancel, {}, texts.cancelConfirm),
    document.content ? file('unsigned', texts.download) : '',
    signed ? file(signed, texts.downloadSigned) : '',
  ].join('')
}

/** Looked at only when unfolded, in a frame of the page. */
function previewsOf(document: SignatureDocument, texts: RoomTexts): string {
  const preview = (format: string, label: string) =>
    `<details data-key="look-${escape(document.id)}-${format}"><summary>${escape(label)}</summary>
<iframe loading="lazy" title="${escape(label)}" src="/sandbox/documents/${document.id}/file?fileFormat=${format}"></iframe></details>`
  const signed = signedFormat(document)
  return `${document.content ? preview('unsigned', texts.look) : ''}${signed ? preview(signed, texts.lookSigned) : ''}`
}

function signedFormat({ completedPackages }: SignatureDocument): string | undefined {
  if (completedPackages.includes('pades')) return 'pades'
  return completedPackages.includes('native') ? 'standard_packaging' : undefined
}

function happenedTo({ id }: SignatureDocument, world: World, language: Language): string {
  const texts = textsOf(language)
  const events = world.notification.history.list().filter(({ payload }) => payload.documentId === id)
  const requests = world.requests.list().filter(({ path }) => path.includes(id))
  const told = events.map(
    (event) =>
      `<li><span class="quiet">${escape(event.timestamp.slice(11, 19))}</span> ${escape(sentenceOf(event, world, language))}</li>`,
  )
  const asked = requests
    .slice(-SHOWN)
    .map(
      ({ at, method, operation, status }) =>
        `<li><span class="quiet">${escape(at.slice(11, 19))}</span> <code>${escape(method)} ${escape(operation)}</code> ${status}</li>`,
    )
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 ? `<h3>${escape(title)}</h3><ul class="plain">${items.join('')}</ul>` : ''
  return list(texts.events, told) + list(texts.requests, asked)
}
