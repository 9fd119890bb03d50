/** Turns a message into plain data that any context store can keep, and back. */
import type { FlowMessage } from './node-red'
import { isPlainObject } from './body'

const bytes = 'eid:bytes'
const moment = 'eid:date'

/**
 * A copy of the message without what only lives in this process: `req` and `res`, functions, streams and other objects with a life of their
 * own. Buffers and dates survive.
 */
export function toKeepable(msg: FlowMessage): Record<string, unknown> {
  const { req: _req, res: _res, ...rest } = msg
  return plain(rest, []) as Record<string, unknown>
}

/** The message again. */
export function fromKeepable(kept: unknown): FlowMessage {
  return revive(kept) as FlowMessage
}

function plain(value: unknown, above: readonly unknown[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  if (typeof value === 'bigint') return String(value)
  // A value that contains itself has no end.
  if (typeof value !== 'object' || above.includes(value)) return undefined
  if (Buffer.isBuffer(value)) return { [bytes]: value.toString('base64') }
  if (value instanceof Date) return { [moment]: value.getTime() }
  const below = [...above, value]
  if (Array.isArray(value)) return value.map((one) => plain(one, below) ?? null)
  if (!isPlainObject(value)) return undefined
  return mapped(value, (one) => plain(one, below))
}

function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive)
  if (!isPlainObject(value)) return value
  if (typeof value[bytes] === 'string') return Buffer.from(value[bytes], 'base64')
  if (typeof value[moment] === 'number') return new Date(value[moment])
  return mapped(value, revive)
}

function mapped(object: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  const entries = Object.entries(object).map(([name, value]) => [name, change(value)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
