/** Changes to a document after it was created: its own fields, its signers, its attachments. */
import { answerError } from '../../lib/api/call/answer-error'
import { payloadOf } from '../../lib/runtime/node/api-node'
import type { Patch } from '../../lib/runtime/node/message-call'
import type { PlainObject } from '../../lib/common/plain-object'
import { documentDeadlineProblems } from '../../lib/runtime/service/deadline'
import { unreachable, untoldBy } from '../../lib/runtime/service/untold'
import { refuseEmptyChange } from '../../lib/runtime/service/empty-change'
import { isLocked } from '../../lib/runtime/files/locked'
import { lastPart, nameOnDisk, readWholeFile } from '../../lib/runtime/files/read-file'
import { fileOfMessage } from '../../lib/runtime/values/message-file'
import { getPath, isEmpty } from '../../lib/runtime/values/read-text'
import { ownId } from '../../lib/settings/rules'
import type { DocumentCall } from './document-call'
import { toAttachment, toNewSigner, toSigner, toUpdate } from './request'

export async function update(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '' } = call.values
  const body = toUpdate(call)
  call.check(documentDeadlineProblems(body, Date.now()))
  refuseEmptyChange(call, body)
  const answer = await call.api.send('updateDocument', { id, body })
  call.setStatus('updated')
  return { payload: payloadOf(answer, { id, operation: 'updateDocument' }), documentId: id }
}

export async function addSigner(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '' } = call.values
  const body = toNewSigner(call)
  const unnotified = call.values.notification === undefined ? [] : unreachable(body, '')
  const missing = missingIn(body, ['externalSignerId', 'signatureType.mechanism'])
  call.check([...missing, ...ownIdProblem(body), ...unnotified])
  const untold = untoldBy(body, true)
  if (untold)
    call.warn(untold, {
      signer: call.translate('places.newSigner'),
      document: call.translate('subjects.document', { id }),
    })
  const answer = await call.api.send('addSigner', { id, body })
  const added = getPath(answer.data, 'externalSignerId')
  if (typeof added === 'string' && added !== String(body.externalSignerId))
    throw answerError('addSigner', answer, '@answers.incomplete', { id })
  if (untold) call.setStatus('signerAddedUntold', {}, 'yellow')
  else call.setStatus('signerAdded')
  const signerId = getPath(answer.data, 'id')
  const url = getPath(answer.data, 'url')
  const payload = payloadOf(answer, { id, operation: 'addSigner' })
  return { payload, documentId: id, signerId, ...(typeof url === 'string' && { url }) }
}

export async function changeSigner(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '', signerId = '' } = call.values
  const body = toSigner(call)
  refuseEmptyChange(call, body)
  call.check(ownIdProblem(body))
  const answer = await call.api.send('changeSigner', { params: { id, signerId }, body })
  call.setStatus('signerChanged')
  return { payload: payloadOf(answer, { id: signerId, operation: 'changeSigner' }), documentId: id, signerId }
}

export async function removeSigner(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '', signerId = '' } = call.values
  await call.api.send('removeSigner', { params: { id, signerId } })
  call.setStatus('signerRemoved')
  return { payload: { id: signerId, operation: 'removeSigner' }, documentId: id, signerId }
}

export async function addAttachment(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '' } = call.values
  const body = toAttachment(call, await fileOf(call))
  call.check(missingIn(body, ['title', 'fileName', 'data']))
  const answer = await call.api.send('addAttachment', { id, body })
  call.setStatus('attachmentAdded')
  const payload = payloadOf(answer, { id, operation: 'addAttachment' })
  return { payload, documentId: id, attachmentId: getPath(answer.data, 'id') }
}

export async function changeAttachment(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '', attachmentId = '' } = call.values
  const body = toAttachment(call, await fileOf(call))
  refuseEmptyChange(call, body)
  const answer = await call.api.send('changeAttachment', { params: { id, attachmentId }, body })
  call.setStatus('attachmentChanged')
  const payload = payloadOf(answer, { id: attachmentId, operation: 'changeAttachment' })
  return { payload, documentId: id, attachmentId }
}

export async function removeAttachment(call: DocumentCall): Promise<Patch> {
  const { documentId: id = '', attachmentId = '' } = call.values
  await call.api.send('removeAttachment', { params: { id, attachmentId } })
  call.setStatus('attachmentRemoved')
  return { payload: { id: attachmentId, operation: 'removeAttachment' }, documentId: id, attachmentId }
}

/** Returns the file named in the form, or a Buffer in the payload. */
async function fileOf(call: DocumentCall): Promise<{ data?: string; fileName?: string }> {
  const { values, origin } = call
  const file = fileOfMessage(call)
  const named = origin('fileName').isChosen
  if (!file) return named ? { fileName: values.fileName } : {}
  const read = await readWholeFile(file, call, values.baseFolder)
  if ('key' in read) {
    call.check([{ path: 'file', ...read }])
    return {}
  }
  if (isLocked(read.bytes)) call.check([{ path: 'file', key: 'fileLocked' }])
  const fileName = named ? values.fileName : (lastPart(values.fileName) ?? nameOnDisk(file))
  return { data: read.bytes.toString('base64'), fileName }
}

function ownIdProblem({ externalSignerId }: PlainObject) {
  const key = typeof externalSignerId === 'string' && externalSignerId !== '' ? ownId(externalSignerId) : undefined
  return key === undefined ? [] : [{ path: 'externalSignerId', key }]
}

function missingIn(body: PlainObject, paths: readonly string[]) {
  return paths.filter((path) => isEmpty(getPath(body, path))).map((path) => ({ path, key: 'missing' }))
}
