/**
 * What a message in a node is about. An error belongs to the subject of its message: it disappears when the same subject
 * succeeds in the same node.
 */
import { createHash, type Hash } from 'node:crypto'
import { fingerprintIn } from '../../common/generated-key'
import { isPlainObject, propertyOf } from '../../common/plain-object'
import type { HandledMessage, FailedAbout } from '../node-red/message-events'
import type { FlowMessage } from '../node-red/node-red'
import { getPath } from '../values/read-text'

/** The properties of a message that hold the id of an object of the service. */
export const resourceIds = ['documentId', 'sessionId', 'shareId', 'depositId'] as const

/**
 * The subject: a key that a person gave, else the id that the operation is about together with the operation, else the
 * values of the node's required settings. Work that no message has started is about its call.
 */
export function subjectOf(message: HandledMessage, about?: FailedAbout): string {
  const { values, fields = {}, calls } = message
  const key = givenKeyOf(message)
  if (key !== undefined) return `key ${key}`
  const operation = String(values?.operation ?? '')
  const ids = Object.keys(fields).flatMap((name) => (fields[name]?.kind === 'id' ? idsIn(values?.[name]) : []))
  // A node whose settings are not known here is about the ids on the message.
  if (!values) ids.push(...(about?.id ? [about.id] : resourceIds.flatMap((name) => idsIn(carried(message, name)))))
  if (ids.length > 0) return `id ${JSON.stringify([operation, ...ids])}`
  const call = calls.at(-1)?.operation
  if (!values) {
    if (!hasMessage(message)) return call ? `call ${call.method} ${call.path}` : ''
    const payload = requestIn(message)
    // A list that was corrected is still the list that this node was given.
    return isPlainObject(payload) ? `values ${digestOf([payload])}` : ''
  }
  const required = Object.keys(fields).filter((name) => fields[name]?.required)
  // The message itself may be the request.
  const payload = requestIn(message)
  return `values ${operation} ${digestOf([...required.map((name) => values[name]), payload])}`
}

/** What the message held when it came in. */
const carried = ({ msg, taken = msg }: HandledMessage, name: string) => taken && propertyOf(taken, name)

/** The object or list in the message's payload. Any other payload, such as the time of an Inject node, is no request. */
function requestIn(message: HandledMessage): unknown {
  const payload = carried(message, 'payload')
  return typeof payload === 'object' && !ArrayBuffer.isView(payload) ? payload : undefined
}

/** The keys under which the message's object is known at the service, including a generated one. */
export function keysOf({ msg, calls, values, body }: HandledMessage): string[] {
  const sent = calls.flatMap(({ isKeyed, options }) => (isKeyed ? keysIn(options.body) : []))
  const all = [...sent, ...idsIn(values?.externalId), ...keysIn(body), ...idsIn(msg && propertyOf(msg, 'externalId'))]
  return [...new Set(all)]
}

/** The key that a person gave, which is not a generated one. */
function givenKeyOf(message: HandledMessage): string | undefined {
  return keysOf(message).find((key) => fingerprintIn(key) === undefined)
}

/** The key in the request. */
export function keysIn(body: unknown): string[] {
  return isPlainObject(body) ? [...idsIn(body.externalId), ...idsIn(getPath(body, 'information.externalId'))] : []
}

export const hasMessage = ({ msg }: { readonly msg?: FlowMessage | undefined }): boolean =>
  msg !== undefined && Object.keys(msg).length > 0

const idsIn = (value: unknown) =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? [String(value)] : []

/**
 * Limits of the values that are compared: of a longer text, only the length and the beginning count; of larger values,
 * only the first ones.
 */
const maxText = 4_000
const maxValues = 2_000
const maxDepth = 12

function digestOf(values: readonly unknown[]): string {
  const hash = createHash('sha256')
  try {
    digest(hash, values, { values: maxValues }, 0)
  } catch {
    // Values that can't be read are ignored.
  }
  return hash.digest('hex').slice(0, 32)
}

function digest(hash: Hash, value: unknown, left: { values: number }, depth: number): void {
  if (left.values-- <= 0 || depth > maxDepth) return
  if (typeof value === 'string') hash.update(`s${value.length}:${value.slice(0, maxText)};`)
  else if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value
    hash.update(`b${byteLength}:`).update(Buffer.from(buffer, byteOffset, Math.min(byteLength, maxText)))
  } else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value)
    hash.update(isList ? '[' : '{')
    // A list may be a file of millions of bytes, whose places are not written out for the few that count.
    const names = Object.keys(isList ? value.slice(0, maxValues) : value)
    for (const name of names) {
      hash.update(`${name.length}:${name}=`)
      digest(hash, (value as Record<string, unknown>)[name], left, depth + 1)
    }
    hash.update('}')
  } else if (typeof value !== 'function') hash.update(`${typeof value}:${String(value)};`)
}
