/** Converts a message into plain data that can be stored, and back. */
import { inputError, type EidError } from '../../api/errors/errors'
import type { FlowMessage } from './node-red'
import { isPlainObject } from '../../common/plain-object'

const bytesKey = 'eid:bytes'
const dateKey = 'eid:date'

/**
 * A depth greater than that of any real message, and far below the depth at which reading or copying overflows the
 * stack.
 */
const maxDepth = 200

/**
 * A copy of the message without values that exist only in this process: `req` and `res`, functions, streams and other
 * live objects. Buffers and dates are kept. Throws EID_INVALID_INPUT if the message is nested more than 200 levels
 * deep.
 */
export function serializeMessage(msg: FlowMessage): Record<string, unknown> {
  const { req: _req, res: _res, ...rest } = msg
  return plain(rest, []) as Record<string, unknown>
}

/** Restores the message. Throws EID_INVALID_INPUT if the stored value is nested too deep. */
export function deserializeMessage(stored: unknown): FlowMessage {
  return revive(stored, 0) as FlowMessage
}

function plain(value: unknown, above: readonly unknown[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  if (typeof value === 'bigint') return String(value)
  // Copying a value that contains itself would never end.
  if (typeof value !== 'object' || above.includes(value)) return undefined
  if (Buffer.isBuffer(value)) return { [bytesKey]: value.toString('base64') }
  if (value instanceof Date) return { [dateKey]: value.getTime() }
  if (above.length > maxDepth) throw tooDeep()
  const below = [...above, value]
  if (Array.isArray(value)) return value.map((one) => plain(one, below) ?? null)
  if (!isPlainObject(value)) return undefined
  return mapped(value, (one) => plain(one, below))
}

function revive(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) throw tooDeep()
  if (Array.isArray(value)) return value.map((one) => revive(one, depth + 1))
  if (!isPlainObject(value)) return value
  if (typeof value[bytesKey] === 'string') return Buffer.from(value[bytesKey], 'base64')
  if (typeof value[dateKey] === 'number') return new Date(value[dateKey])
  return mapped(value, (one) => revive(one, depth + 1))
}

function mapped(object: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  const entries = Object.entries(object).map(([name, value]) => [name, change(value)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function tooDeep(): EidError {
  return inputError([{ path: 'msg', key: 'tooDeep', params: { levels: maxDepth } }])
}
