/** The calls for attachments. A document that expects attachments waits until exactly the expected number exists. */
import { randomUUID } from 'node:crypto'
import { invalid, notAllowed } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { textIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { checkAttachment, expectedAttachments } from './check'
import { keepContent } from './content'
import { findAttachment, findDocument } from './find'
import { attachmentRecord } from './record'
import type { Attachment, SignatureDocument } from './state'
import { proceed, refuseEnded } from './transitions'

/** `GET …/attachments` */
export function listAttachments(call: Call, world: World): Answer {
  return { json: findDocument(call, world).attachments.map(attachmentRecord) }
}

/** `GET …/attachments/{attachmentId}` */
export function getAttachment(call: Call, world: World): Answer {
  return { json: attachmentRecord(findAttachment(call, findDocument(call, world))) }
}

/**
 * `POST …/attachments` {fileName, title, data, …} → 201. When the last expected attachment arrives, the signers are
 * notified.
 */
export async function addAttachment(call: Call, world: World): Promise<Answer> {
  const document = findDocument(call, world)
  const { data, ...requested } = call.json()
  refuseWrong({ ...requested, data }, document)
  refuseLate(document)
  const expected = expectedAttachments(document.requested)
  refuseMoreThan(expected, document)
  const content = await keepContent(Buffer.from(textIn(data), 'base64'), world)
  const attachment: Attachment = { id: randomUUID(), requested, content }
  // Another attachment may have arrived while the bytes were being stored.
  refuseMoreThan(expected, document)
  document.attachments = [...document.attachments, attachment]
  proceed(document, world)
  return { status: 201, json: attachmentRecord(attachment) }
}

/** `PATCH …/attachments/{attachmentId}` with the changes. */
export async function changeAttachment(call: Call, world: World): Promise<Answer> {
  const document = findDocument(call, world)
  const attachment = findAttachment(call, document)
  const { data, ...changes } = call.json()
  const requested = { ...attachment.requested, ...changes }
  refuseWrong({ ...requested, data: data ?? 'AA==' }, document)
  refuseLate(document)
  if (data !== undefined) {
    const before = attachment.content
    attachment.content = await keepContent(Buffer.from(textIn(data), 'base64'), world)
    before.remove()
  }
  attachment.requested = requested
  proceed(document, world)
  return { json: attachmentRecord(attachment) }
}

/** `DELETE …/attachments/{attachmentId}`: the document then waits for another attachment. */
export function removeAttachment(call: Call, world: World): Answer {
  const document = findDocument(call, world)
  const attachment = findAttachment(call, document)
  refuseLate(document)
  document.attachments = document.attachments.filter((one) => one !== attachment)
  attachment.content.remove()
  proceed(document, world)
  return { json: {} }
}

function refuseWrong(requested: JsonObject, document: SignatureDocument): void {
  const ids = document.signers.map(({ id }) => id)
  const errors = checkAttachment(requested, ids)
  if (errors.length > 0) throw invalid(errors)
}

/**
 * Throws an HttpError (422) if the document has ended or someone has signed, because nothing may change after a
 * signature.
 */
function refuseLate(document: SignatureDocument): void {
  refuseEnded(document)
  if (document.status === 'partialsigned') throw notAllowed('Somebody has signed already.', 'ALREADY_SIGNED')
}

function refuseMoreThan(expected: number, { attachments }: SignatureDocument): void {
  if (attachments.length < expected) return
  const all = expected === 0 ? 'The document expects no attachments.' : `All ${expected} attachments are there.`
  throw notAllowed(`${all} Set advanced.attachments to how many there will be.`, 'ATTACHMENTS_COMPLETE')
}
