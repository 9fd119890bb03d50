/** Finds the document a call is about. */
import { notFound } from '../server/answers'
import type { Call } from '../server/call'
import type { World } from '../world'
import type { SignatureDocument } from './state'

/** The document whose id is in the path; throws a HttpError (404). */
export function findDocument(call: Call, world: World): SignatureDocument {
  const document = world.signature.documents.get(call.param('id'))
  if (!document) throw notFound('document')
  return document
}
