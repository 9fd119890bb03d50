/** Names the object of a change whose outcome is unknown, so that people know where to look. */
import { EidError, mayHaveActed, withCause } from '../../api/errors/errors'
import { isPersonalKey } from '../../api/errors/mask-key'
import { wholeOf, type Subject } from '../../api/errors/subjects'
import { operations } from '../../api/operations/operations'
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import { getPath } from '../values/read-text'
import type { FlowMessage } from '../node-red/node-red'
import { shownTitle } from './failed-item'

/**
 * Adds the title and the key of the affected object to the cause of an error whose outcome is unknown. Returns any
 * other error unchanged. A message may still carry the record and the key of another object, such as the lease to which
 * a deposit belongs; these don't count.
 */
export function withSubject(error: unknown, body: unknown, msg: FlowMessage): unknown {
  if (!(error instanceof EidError) || !mayHaveActed(error.cause)) return error
  const { path = '' } = error.cause
  const titles = ownRecords(path, body, msg).flatMap((one) => [one.title, getPath(one, 'information.title')])
  const title = shownTitle(firstText(titles), body, msg.payload)
  const key = ownKey(path, body, msg)
  const externalId = isPersonalKey(key) ? '' : key
  return withCause(error, { ...(title && { title }), ...(externalId && { externalId }) })
}

/** The key of the object that a call to `path` creates or changes; empty if its key is not known. */
export function ownKey(path: string, body: unknown, msg: FlowMessage): string {
  // The reference of a session is not read, because many people write a name there.
  const keys = ownRecords(path, body, msg).flatMap((one) => [one.externalId, getPath(one, 'information.externalId')])
  return firstText([...keys, isKeyOf(path, msg) && msg.externalId])
}

/** The request and the payload, if they are about the object of the call. */
function ownRecords(path: string, body: unknown, { payload }: FlowMessage): PlainObject[] {
  const whole = wholeOf(path)
  const request = isPlainObject(body) && (!whole || idsIn(body).length === 0 || isOf(whole, body)) ? [body] : []
  return whole && isPlainObject(payload) && isOf(whole, payload) ? [...request, payload] : request
}

/**
 * Whether the record is that of the object. A record with the ids of two objects, such as a row for a deposit and its
 * lease, does not show to which of them its title and key belong.
 */
function isOf({ kind, id }: Subject, record: PlainObject): boolean {
  const found = idsIn(record).filter((name) => !(kind === 'deposit' && isDeposit(record) && name === 'documentId'))
  const isAbout = (name: string) => (name === 'id' || name === `${kind}Id`) && isId(record[name], id)
  return found.length > 0 && found.every(isAbout)
}

/** Whether this is the service's own record of a deposit; its `documentId` is that of the deposit's agreement. */
function isDeposit({ landlord, tenants, contract, depositId, title }: PlainObject): boolean {
  const isComplete = isPlainObject(landlord) && Array.isArray(tenants) && isPlainObject(contract)
  return isComplete && depositId === undefined && title === undefined
}

const namesOfIds = ['id', 'documentId', 'sessionId', 'shareId', 'depositId']

/** The names under which the record has an id; the cell of a list may be empty. */
const idsIn = (record: PlainObject) =>
  namesOfIds.filter((name) => ![undefined, null, ''].includes(record[name] as null))

/** Whether the value is this id. A list may contain ids as numbers. */
const isId = (value: unknown, id: string) => value === id || (typeof value === 'number' && String(value) === id)

/** Whether the key on the message is that of the object. Once the message has a document, it is the document's key. */
function isKeyOf(path: string, { documentId }: FlowMessage): boolean {
  const whole = wholeOf(path)
  if (whole) return whole.kind === 'document' && isId(documentId, whole.id)
  return path === operations.createDocument.path || !documentId
}

function firstText(found: readonly unknown[]): string {
  return (found.find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined) ?? ''
}
