/** The content that the response of each operation must have. A successful status alone is not enough. */
import type { OperationName } from './operations'

/**
 * - `nothing`: any response counts; for calls that are not in the table.
 * - `noError`: any response counts except an object that reports an error; for calls whose response is not published.
 * - `record`: an object that is not empty.
 * - `list`: a list.
 * - `page`: an object with a list in `data`.
 * - `bytes`: a complete file that is not empty and has the requested format (`file-answer.ts`).
 * - `{word}`: a record with a text in the property `word`. If one of the properties `names` contains an id, this must
 *   be the requested id.
 * - `{own}`: a record with the id from the path in the property `own` (parameter `of` of the path, by default `id`).
 *   Unless `always` is set, the id may be missing if the record is not empty and reports no error.
 * - `{done}`: no response, or an object that reports no error. If one of the properties `done` contains an id, this
 *   must be the id from the path, as above.
 * - `{id, list, filled}`: a record with a text (`number`: or a number) in the property `id`, a list in the property
 *   `list`, and no empty list in the property `filled`.
 */
export type Expectation =
  | 'nothing'
  | 'noError'
  | 'record'
  | 'list'
  | 'page'
  | 'bytes'
  | { readonly word: string; readonly names?: readonly string[] }
  | { readonly own: string; readonly of?: string; readonly always?: true }
  | { readonly done: readonly string[]; readonly of?: string }
  | { readonly id?: string; readonly number?: true; readonly list?: string; readonly filled?: string }

/** Has an entry for every operation; the compiler reports an operation without an entry. */
export const expectations = {
  createDocument: { id: 'documentId', filled: 'signers' },
  getDocument: { own: 'documentId', always: true },
  getDocumentStatus: { word: 'documentStatus', names: ['documentId', 'id'] },
  listDocuments: 'page',
  cancelDocument: { done: ['documentId', 'id'] },
  getDocumentFile: 'bytes',
  remindDocument: { done: ['documentId', 'id'] },
  updateDocument: { done: ['documentId'] },
  getDocumentSummary: { own: 'documentId', always: true },
  listSigners: 'list',
  addSigner: { id: 'id' },
  getSigner: { own: 'id', of: 'signerId' },
  changeSigner: { done: ['id'], of: 'signerId' },
  removeSigner: { done: ['id'], of: 'signerId' },
  listAttachments: 'list',
  addAttachment: { id: 'id' },
  getAttachment: { own: 'id', of: 'attachmentId' },
  changeAttachment: { done: ['id'], of: 'attachmentId' },
  removeAttachment: { done: ['id'], of: 'attachmentId' },
  getSignerFile: 'bytes',
  getAttachmentFile: 'bytes',
  getAttachmentSignerFile: 'bytes',
  listNotifications: 'list',
  validateJwt: 'record',
  validateOlderJwt: 'record',
  ping: 'noError',
  listThemes: 'list',
  listSpinners: 'list',
  listSignatureMethods: 'list',
  listAccountSignatureMethods: 'list',

  createDeposit: { id: 'id' },
  getDeposit: { own: 'id' },
  listDeposits: 'page',
  changeDeposit: { done: ['id'] },
  cancelDeposit: { done: ['id', 'depositId'] },
  terminateDeposit: { done: ['id', 'depositId'] },

  createBucket: { id: 'id' },
  createShare: { id: 'id' },
  getBucket: { own: 'id', always: true },
  getShare: { own: 'id' },
  listShares: 'list',
  changeShare: { done: ['id'] },
  deleteShare: { done: ['id', 'shareId'] },
  listRecipients: 'list',
  getRecipient: { own: 'id', of: 'recipientId' },
  addRecipient: { id: 'id' },
  changeRecipient: { done: ['id'], of: 'recipientId' },
  removeRecipient: { done: ['id'], of: 'recipientId' },
  notifyRecipients: { done: [] },
  uploadToBucket: { done: [] },
  uploadToShare: { done: [] },
  uploadFileToShare: { done: [] },

  createSession: { id: 'id' },
  getSession: { own: 'id', always: true },
  listSessions: 'page',
  invalidateSession: { done: ['id', 'sessionId'] },
  listIdentificationLanguages: 'list',
  listIdProviders: 'list',
  listAccountIdProviders: 'list',

  v1CreateSession: { id: 'RequestId' },
  v1GetSession: { word: 'Status' },
  v1GetSessionStatus: 'record',
  v1InvalidateSession: { done: [] },
  v1InvalidateSessionByBody: { done: [] },
  v1ListLog: { list: 'List' },
  v1GetLogEntry: 'record',
  v1StartMobile: 'record',

  listWebhooks: 'list',
  createWebhook: { id: 'id', number: true },
  getWebhook: { own: 'id' },
  updateWebhook: { done: ['id'] },
  deleteWebhook: { done: ['id'] },
  pingWebhook: { done: [] },
  listWebhookDeliveries: 'list',
  pullEvents: 'list',
  peekEvents: 'list',
  handleEvent: 'noError',
  handleEvents: 'noError',
  clearEvents: 'noError',
  listEventTypes: 'list',
  mockEvent: 'noError',
} as const satisfies Record<OperationName, Expectation>

/** True if a JSON response contains what is expected. `asked` holds the path parameters of the call. */
export function isFulfilled(expected: Expectation, data: unknown, asked: Readonly<Record<string, string>>): boolean {
  if (expected === 'nothing') return true
  if (expected === 'bytes') return data !== undefined
  if (expected === 'list') return Array.isArray(data)
  const isRecord = typeof data === 'object' && data !== null && !Array.isArray(data)
  const record = isRecord ? (data as Readonly<Record<string, unknown>>) : {}
  if (expected === 'noError') return !isError(record)
  if (typeof expected === 'object' && 'done' in expected) {
    if (data === undefined || data === null) return true
    return isRecord && !isError(record) && !isOfAnother(record, expected.done, asked[expected.of ?? 'id'])
  }
  if (!isRecord) return false
  if (typeof expected === 'object' && 'own' in expected) {
    const { own, of = 'id', always } = expected
    if (isId(record[own], true)) return isSame(record[own], asked[of])
    return !always && Object.keys(record).length > 0 && !isError(record)
  }
  if (expected === 'record') return Object.keys(record).length > 0
  if (expected === 'page') return Array.isArray(record.data)
  if ('word' in expected) return isId(record[expected.word]) && !isOfAnother(record, expected.names ?? [], asked.id)
  const { id, number, list, filled } = expected
  const isFilled = !filled || !Array.isArray(record[filled]) || record[filled].length > 0
  return (!id || isId(record[id], number)) && (!list || Array.isArray(record[list])) && isFilled
}

function isId(value: unknown, number = false): boolean {
  return (typeof value === 'string' && value !== '') || (number && Number.isSafeInteger(value))
}

/** True for an error body, which some responses have although their status reports success. */
function isError({ errors, error, message, code }: Readonly<Record<string, unknown>>): boolean {
  return isSomething(errors) || isSomething(error) || (isId(message) && isId(code, true))
}

function isSomething(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
}

function isOfAnother(record: Readonly<Record<string, unknown>>, names: readonly string[], asked: string | undefined) {
  return names.some((name) => isId(record[name], true) && !isSame(record[name], asked))
}

/** Compares ids without regard to case, because UUIDs may be in upper case. */
function isSame(found: unknown, asked: string | undefined): boolean {
  return asked !== undefined && String(found).toLowerCase() === asked.toLowerCase()
}
