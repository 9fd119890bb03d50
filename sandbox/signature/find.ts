/** Finds the document a call is about, and the signer or attachment in it. */
import { notFound } from '../server/answers'
import type { Call } from '../server/call'
import type { World } from '../world'
import type { Attachment, SignatureDocument, Signer } from './state'

/** The document whose id is in the path; throws an HttpError (404). */
export function findDocument(call: Call, world: World): SignatureDocument {
  const document = world.signature.documents.get(call.param('id'))
  if (!document) throw notFound('document')
  return document
}

/** The signer whose id is in the path; throws an HttpError (404). */
export function findSigner(call: Call, document: SignatureDocument): Signer {
  const signer = document.signers.find(({ id }) => id === call.param('signerId'))
  if (!signer) throw notFound('signer')
  return signer
}

/** The attachment whose id is in the path; throws an HttpError (404). */
export function findAttachment(call: Call, document: SignatureDocument): Attachment {
  const attachment = document.attachments.find(({ id }) => id === call.param('attachmentId'))
  if (!attachment) throw notFound('attachment')
  return attachment
}
