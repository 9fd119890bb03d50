/** How a document changes: signed by one signer, signed by all signers, packaged, canceled, expired. */
import { createHash, randomUUID } from 'node:crypto'
import { notAllowed } from '../server/answers'
import { objectIn, textsIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { expectedAttachments } from './check'
import { planDeletion } from './deletion'
import { askSigners, tellOthers, tellSigner } from './notices'
import { buildFile, fileOf } from './build-file'
import { packagesOf } from './formats'
import { isComplete, isTurn, requiredSignaturesOf } from './signers'
import type { DocumentSignature, SignatureDocument, Signer } from './state'

/** Milliseconds between the last signature and the packages. */
const PACKAGING_MS = 1000

/** Why the signer can't sign the document now; undefined if the signer can. */
export function obstacle(signer: Signer, document: SignatureDocument): string | undefined {
  if (document.status === 'waiting_for_attachments') return 'The document waits for attachments.'
  if (document.status === 'canceled') return 'The document was canceled.'
  if (document.status === 'expired') return 'The document has expired.'
  if (document.status === 'signed' || signer.signature) return 'The document is already signed.'
  return isTurn(signer, document) ? undefined : 'Others must sign first.'
}

/** Adds the signature to the document. Throws an HttpError (422) if something prevents it. */
export function addSignature(
  signer: Signer,
  document: SignatureDocument,
  signature: DocumentSignature,
  world: World,
): void {
  const reason = obstacle(signer, document)
  if (reason) throw notAllowed(reason, 'CANNOT_SIGN')
  signer.signature = signature
  change(document, 'partialsigned', world)
  tellSigner('signatureReceipt', signer, document, world)
  if (requiredSignaturesOf(document) > 1) tell('document_partially_signed', document, world, { signer: brief(signer) })
  if (signer.formFields) tellForm('document_form_partially_signed', document, world, { signer: brief(signer) })
  tellLookUps(signer, document, world)
  proceed(document, world)
}

/**
 * Moves a changed document to the state that its attachments and signatures allow: while attachments are missing, the
 * document waits; with the last required signature, it is complete; otherwise, the signers whose turn it is are
 * notified.
 */
export function proceed(document: SignatureDocument, world: World): void {
  document.lastUpdated = world.clock.iso()
  const missing = document.attachments.length < expectedAttachments(document.requested)
  if (document.status === 'unsigned' && missing) change(document, 'waiting_for_attachments', world)
  if (document.status === 'waiting_for_attachments' && !missing) change(document, 'unsigned', world)
  if (document.status === 'partialsigned' && isComplete(document)) complete(document, world)
  else askSigners(document, world)
}

/** Schedules the deadline for signing, replacing an earlier deadline. `deadline` is ISO 8601. */
export function planExpiry(document: SignatureDocument, deadline: string, world: World): void {
  document.stopExpiry()
  document.deadline = deadline
  document.stopExpiry = world.clock.after(Date.parse(deadline) - world.clock.now(), () => expire(document, world))
}

/** Throws an HttpError (422) if the document has ended and can no longer be changed. */
export function refuseEnded(document: SignatureDocument): void {
  if (isFinal(document)) throw notAllowed(`The document is ${document.status} and cannot be changed.`)
}

function complete(document: SignatureDocument, world: World): void {
  change(document, 'signed', world)
  document.signedDate = document.lastUpdated
  document.stopExpiry()
  document.stopReminders()
  const signers = document.signers.filter((signer) => signer.signature).map(brief)
  tell('document_signed', document, world, { signedTime: document.signedDate, signers })
  if (document.signers.some((signer) => signer.formFields))
    tellForm('document_form_signed', document, world, { signers })
  for (const signer of document.signers) tellSigner('finalReceipt', signer, document, world)
  tellOthers(document, world)
  document.stopExpiry = world.clock.after(PACKAGING_MS, () => packageFiles(document, world))
  planDeletion(document, world, (type, message) => tell(type, document, world, { message }))
}

async function packageFiles(document: SignatureDocument, world: World): Promise<void> {
  if (document.isDeleted) return
  document.completedPackages = packagesOf(document, document.content)
  document.lastUpdated = world.clock.iso()
  const format = document.completedPackages.includes('pades') ? 'pades' : 'standard_packaging'
  const file = await buildFile(fileOf(document), format)
  tell('document_packaged', document, world, {
    downloadUrl: `${world.url}/signature/documents/${document.id}/files?fileFormat=${format}`,
    urlExpiresAt: new Date(world.clock.now() + 3600_000).toISOString(),
    checksum: createHash('sha256')
      .update(file?.bytes ?? '')
      .digest('hex'),
  })
}

/** Cancels an open document. Throws an HttpError (422) if the document has ended. */
export function cancel(document: SignatureDocument, message: string, world: World): void {
  if (isFinal(document)) throw notAllowed(`The document is ${document.status} and cannot be canceled.`)
  end(document, 'canceled', world)
  tell('document_canceled', document, world, { message })
}

/** Ends a document whose deadline has passed. */
function expire(document: SignatureDocument, world: World): void {
  if (isFinal(document)) return
  end(document, 'expired', world)
  tell('document_expired', document, world)
}

function end(document: SignatureDocument, status: 'canceled' | 'expired', world: World): void {
  change(document, status, world)
  document.stopExpiry()
  document.stopReminders()
  for (const signer of document.signers) if (!signer.signature) tellSigner(status, signer, document, world)
  planDeletion(document, world, (type, message) => tell(type, document, world, { message }))
}

/** Whether the document has ended. */
export function isFinal({ status }: SignatureDocument): boolean {
  return status === 'signed' || status === 'canceled' || status === 'expired'
}

function change(document: SignatureDocument, status: SignatureDocument['status'], world: World): void {
  document.status = status
  document.lastUpdated = world.clock.iso()
}

function tellForm(type: string, document: SignatureDocument, world: World, who: JsonObject): void {
  const formFields = Object.assign({}, ...document.signers.map((signer) => signer.formFields)) as JsonObject
  tell(type, document, world, { schemaId: document.id, schema: document.title, formFields, ...who })
}

/** Reports that data about the signer can be looked up. The data is available once the signer has signed. */
function tellLookUps(signer: Signer, document: SignatureDocument, world: World): void {
  for (const rel of textsIn(objectIn(signer.requested.extraInfo).types)) {
    const href = `${world.url}/signature/documents/${document.id}/signers/${signer.id}`
    const link = { href, rel, contentType: 'application/json' }
    tell('resource_created', document, world, {
      sourceType: 'signer',
      sourceId: signer.id,
      resourceId: randomUUID(),
      link,
    })
  }
}

/** Sends an event about the document to the event queue and the webhooks. */
export function tell(type: string, document: SignatureDocument, world: World, more: JsonObject = {}): void {
  world.emit(type, { documentId: document.id, externalDocumentId: document.externalId, ...more }, document.tags)
}

function brief({ id, externalSignerId, signature }: Signer): JsonObject {
  const { fullName, signedTime, dateOfBirth, signatureMethod, signatureMethodUniqueId } = signature ?? {}
  return { id, externalSignerId, fullName, signedTime, dateOfBirth, signatureMethod, signatureMethodUniqueId }
}
