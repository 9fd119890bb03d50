/** The operations on a document, its signers and its attachments after it was created. */
import { apiNode, payloadOf, type NodeModule } from '../../lib/runtime/node/api-node'
import type { Patch } from '../../lib/runtime/node/message-call'
import { configError } from '../../lib/api/errors/errors'
import { isPlainObject } from '../../lib/common/plain-object'
import { noteReminder } from '../../lib/runtime/monitor/last-reminder'
import { reportOccurrence } from '../../lib/runtime/monitor/occurrences'
import { collectOffsetPages } from '../../lib/runtime/service/offset-pages'
import { getPath } from '../../lib/runtime/values/read-text'
import {
  addAttachment,
  addSigner,
  changeAttachment,
  changeSigner,
  removeAttachment,
  removeSigner,
  update,
} from './change'
import { fields } from './document.fields'
import type { DocumentCall } from './document-call'
import { download, unnamed } from './download'
import { savingCall } from './file-errors'
import { getAttachment, getSigner, listParts } from './parts'
import { remindedSigners, remindProblems } from './reminded'
import { savesFile } from './saved-file'
import { stateParam } from '../../lib/runtime/service/document-words'
import { removeUnfinished } from '../../lib/runtime/files/unfinished'

const register = apiNode('eid-document', fields, (call) => {
  if (['archive', 'checkArchive'].includes(String(call.origin('operation').typed))) throw configError('useArchive')
  return operations[call.values.operation](call)
})

const load: NodeModule = (RED) => {
  void removeUnfinished(RED.settings.userDir)
  register(RED)
}

export = load

const operations: Record<DocumentCall['values']['operation'], (call: DocumentCall) => Promise<Patch>> = {
  get: (call) => read(call, 'getDocument'),
  status: (call) => read(call, 'getDocumentStatus'),
  summary: (call) => read(call, 'getDocumentSummary'),
  list,
  update,
  remind,
  cancel,
  listSigners: listParts('listSigners'),
  getSigner,
  addSigner,
  changeSigner,
  removeSigner,
  listAttachments: listParts('listAttachments'),
  getAttachment,
  addAttachment,
  changeAttachment,
  removeAttachment,
  download: (call) => saving(call, download),
  listNotifications: listParts('listNotifications'),
}

/** Runs an operation that fetches a file. */
async function saving(call: DocumentCall, work: (call: DocumentCall) => Promise<Patch>): Promise<Patch> {
  return reported(call, await work(savesFile(call) ? savingCall(call) : call))
}

/** Reports that the document's signed files are saved, for nodes that watch for deletions by the service. */
function reported({ RED, values }: DocumentCall, patch: Patch): Patch {
  const { documentId, file } = patch
  const isUnsigned = isPlainObject(file) && file.fileFormat === 'unsigned'
  // A single attachment, or one signer's file, is not the signed document, so the document does not count as saved.
  const isPart = Boolean(values.ofAttachment || values.ofSigner)
  if (typeof documentId === 'string' && !isUnsigned && !isPart) reportOccurrence(RED, { what: 'saved', documentId })
  return patch
}

type Reading = 'getDocument' | 'getDocumentStatus' | 'getDocumentSummary'
/** The paths at which responses of the service may contain the document's status. */
const statePaths = ['documentStatus', 'status.documentStatus', 'status']

async function read(call: DocumentCall, operation: Reading): Promise<Patch> {
  const id = call.values.documentId
  const answer = await call.api.send(operation, { id })
  const state = statePaths.map((path) => getPath(answer.data, path)).find((one) => typeof one === 'string')
  if (state !== undefined) call.setStatus('state', { state: stateParam(String(state)) })
  return { payload: answer.data, documentId: id }
}

/** The maximum number of documents that the service returns at once. */
const pageSize = 100

/** Lists documents page by page, up to the requested number. */
async function list(call: DocumentCall): Promise<Patch> {
  const { externalId, title, documentStatus: status, fromDate, toDate, limit = pageSize } = call.values
  call.check(unnamed(call, ['externalId']))
  const filter = { externalId, title, status, fromDate, toDate }
  const payload = await collectOffsetPages({
    limit,
    pageSize,
    idOf: (entry) => getPath(entry, 'documentId'),
    ask: (page) => call.api.send('listDocuments', { query: { ...filter, ...page } }),
  })
  call.setStatus('listed', { count: payload.data.length })
  return { payload }
}

async function cancel(call: DocumentCall): Promise<Patch> {
  const { documentId: id, reason } = call.values
  const answer = await call.api.send('cancelDocument', { id, query: { reason } })
  call.setStatus('canceled')
  return { payload: payloadOf(answer, { id, operation: 'cancelDocument' }), documentId: id }
}

async function remind(call: DocumentCall): Promise<Patch> {
  const { documentId: id, notificationSetting, signers } = call.values
  const { type, typed } = call.origin('signers')
  call.check(remindProblems(signers, type !== 'form' && Boolean(typed)))
  const chosen = remindedSigners(signers)
  const body = { notificationSetting, ...(chosen && { signers: chosen }) }
  const answer = await call.api.send('remindDocument', { id, body })
  if (id !== undefined) noteReminder(call.RED, id, '', !chosen)
  call.setStatus('reminded')
  return { payload: payloadOf(answer, { id, operation: 'remindDocument' }), documentId: id }
}
