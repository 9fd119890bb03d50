/** Reads the parts of a document: its signers, its attachments, and the notifications that were sent. */
import type { OperationName } from '../../lib/api/operations/operations'
import type { Patch } from '../../lib/runtime/node/message-call'
import { getPath } from '../../lib/runtime/values/read-text'
import { hasSigned } from '../../lib/runtime/service/signers'
import type { DocumentCall } from './document-call'

/** Returns the signers, the attachments or the notifications, as the service lists them. */
export function listParts(operation: OperationName): (call: DocumentCall) => Promise<Patch> {
  return async (call) => {
    const { documentId: id } = call.values
    const { data } = await call.api.send(operation, { id })
    call.setStatus('found', { count: Array.isArray(data) ? data.length : 0 })
    return { payload: data, documentId: id }
  }
}

/** Returns one signer, with the address at which the person signs. */
export async function getSigner(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '', signerId = '' } = call.values
  const { data } = await call.api.send('getSigner', { params: { id, signerId } })
  call.setStatus(hasSigned(data) ? 'hasSigned' : 'hasNotSigned')
  const url = getPath(data, 'url')
  return { payload: data, documentId: id, signerId, ...(typeof url === 'string' && { url }) }
}

export async function getAttachment(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '', attachmentId = '' } = call.values
  const { data } = await call.api.send('getAttachment', { params: { id, attachmentId } })
  return { payload: data, documentId: id, attachmentId }
}
