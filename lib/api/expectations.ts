/** What the answer of each operation holds when the call was a success: a status alone does not say so. */
import type { OperationName } from './operations'

/**
 * - `nothing`: whatever comes will do.
 * - `record`: an object.
 * - `list`: a list.
 * - `page`: an object with a list in `data`.
 * - `bytes`: a file that is not empty.
 * - `{own}`: a record; its id of this name, when it has one, is the one that was asked for.
 * - `{id, list}`: a record with a text of this name (`number`: or a number), and with a list of this name.
 */
export type Expectation =
  | 'nothing'
  | 'record'
  | 'list'
  | 'page'
  | 'bytes'
  | { readonly own: string }
  | { readonly id?: string; readonly number?: true; readonly list?: string }

/** By operation: one without an entry does not compile. */
export const expectations = {
  createDocument: { id: 'documentId' },
  getDocument: { own: 'documentId' },
  getDocumentStatus: 'record',
  listDocuments: 'page',
  cancelDocument: 'nothing',
  getDocumentFile: 'bytes',
  remindDocument: 'nothing',
  updateDocument: 'nothing',
  getDocumentSummary: 'record',
  listSigners: 'list',
  addSigner: 'record',
  getSigner: 'record',
  changeSigner: 'nothing',
  removeSigner: 'nothing',
  listAttachments: 'list',
  addAttachment: 'record',
  getAttachment: 'record',
  changeAttachment: 'nothing',
  removeAttachment: 'nothing',
  getSignerFile: 'bytes',
  getAttachmentFile: 'bytes',
  getAttachmentSignerFile: 'bytes',
  listNotifications: 'list',
  validateJwt: 'record',
  ping: 'nothing',
  listThemes: 'list',
  listSpinners: 'list',
  listSignatureMethods: 'list',
  listAccountSignatureMethods: 'list',

  createDeposit: { id: 'id' },
  getDeposit: { own: 'id' },
  listDeposits: 'page',
  changeDeposit: 'nothing',
  cancelDeposit: 'nothing',
  terminateDeposit: 'nothing',

  createBucket: { id: 'id' },
  createShare: { id: 'id' },
  getBucket: 'record',
  getShare: 'record',
  listShares: 'list',
  changeShare: 'nothing',
  deleteShare: 'nothing',
  listRecipients: 'list',
  getRecipient: 'record',
  addRecipient: 'record',
  changeRecipient: 'nothing',
  removeRecipient: 'nothing',
  notifyRecipients: 'nothing',
  uploadToBucket: 'nothing',
  uploadToShare: 'nothing',
  uploadFileToShare: 'nothing',

  createSession: { id: 'id' },
  getSession: { own: 'id' },
  listSessions: 'page',
  invalidateSession: 'nothing',
  listIdentificationLanguages: 'list',
  listIdProviders: 'list',
  listAccountIdProviders: 'list',

  v1CreateSession: { id: 'RequestId' },
  v1GetSession: 'record',
  v1GetSessionStatus: 'record',
  v1InvalidateSession: 'nothing',
  v1ListLog: { list: 'List' },
  v1GetLogEntry: 'record',
  v1StartMobile: 'record',

  listWebhooks: 'list',
  createWebhook: { id: 'id', number: true },
  getWebhook: 'record',
  updateWebhook: 'nothing',
  deleteWebhook: 'nothing',
  pingWebhook: 'nothing',
  listWebhookDeliveries: 'list',
  pullEvents: 'list',
  peekEvents: 'list',
  handleEvent: 'nothing',
  handleEvents: 'nothing',
  clearEvents: 'nothing',
  listEventTypes: 'list',
  mockEvent: 'nothing',
} as const satisfies Record<OperationName, Expectation>

/** True when an answer that was read as JSON holds what is expected. `asked` is the id that the call was about. */
export function isFulfilled(expected: Expectation, data: unknown, asked?: string): boolean {
  if (expected === 'nothing') return true
  if (expected === 'bytes') return data !== undefined
  if (expected === 'list') return Array.isArray(data)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return false
  const record = data as Readonly<Record<string, unknown>>
  if (expected === 'record') return true
  if (expected === 'page') return Array.isArray(record.data)
  if ('own' in expected) return isAbout(record[expected.own], asked)
  const { id, number, list } = expected
  return (!id || isId(record[id], number)) && (!list || Array.isArray(record[list]))
}

function isId(value: unknown, number = false): boolean {
  return (typeof value === 'string' && value !== '') || (number && Number.isSafeInteger(value))
}

/** An answer that does not name its id may be about anything; uuids may come in capitals. */
function isAbout(found: unknown, asked: string | undefined): boolean {
  return typeof found !== 'string' || asked === undefined || found.toLowerCase() === asked.toLowerCase()
}
