/** The message that an approval keeps, and the digest of everything that an approver was shown. */
import { createHash } from 'node:crypto'
import { types } from 'node:util'
import type { ProblemKey } from '../../lib/api/errors/errors'
import { identityIn } from '../../lib/api/sessions'
import { isPlainObject } from '../../lib/common/plain-object'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'

/** Properties that are not approved: who proposed, and what exists only in this process. */
const left = ['_msgid', 'req', 'res', 'identity']

/**
 * A message without the properties that are not approved. A property that is the record of an identification, as "wait"
 * leaves it in the payload, contains the national id of the person who proposes, which must not be stored.
 */
export function approvedPart(msg: FlowMessage): FlowMessage {
  const isKept = (name: string, value: unknown) => !left.includes(name) && identityIn(value) === undefined
  return Object.fromEntries(Object.entries(msg).filter(([name, value]) => isKept(name, value)))
}

/** A line of an approval: what the approver reads beside its label. */
export interface Detail {
  readonly label: string
  readonly text: string
}

/** The SHA-256 of the canonical JSON (RFC 8785) of all that is approved; a Buffer counts as its own SHA-256. */
export function digestOf(what: string, details: readonly Detail[], message: FlowMessage): string {
  return sha256(canonical({ what, details, message }))
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

function canonical(value: unknown): string {
  if (Buffer.isBuffer(value)) return JSON.stringify(sha256(value))
  if (types.isDate(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one ?? null)).join(',')}]`
  if (!isPlainObject(value)) return JSON.stringify(value)
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  // RFC 8785 sorts names by their UTF-16 code units, as `sort` does.
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
    .join(',')}}`
}

/** The greatest depth at which values are looked at; deeper messages are refused when they are stored. */
const maxDepth = 200

/** What can't be kept until the approval, such as a stream: each with its path. */
export function unkeepable(value: unknown, path = 'msg', above: readonly unknown[] = []): ProblemKey[] {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return []
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [{ path, key: 'unkeepable' }]
  if (Buffer.isBuffer(value) || (types.isDate(value) && !Number.isNaN(value.getTime()))) return []
  const isTree = Array.isArray(value) || isPlainObject(value)
  if (!isTree || above.includes(value) || above.length > maxDepth) return [{ path, key: 'unkeepable' }]
  const below = [...above, value]
  return Object.entries(value).flatMap(([name, one]) => unkeepable(one, `${path}.${name}`, below))
}
