/** Finds what would keep a request from being sent as the sender meant it, before anything is sent. */
import type { ProblemKey } from '../../api/errors/errors'
import type { PlainObject } from '../../common/plain-object'
import { misreadTexts } from './misread-text'

/** The problems of a request: it can't be written as JSON, or contains texts that were misread. */
export function unsendable(body: unknown): ProblemKey[] {
  return canBeWritten(body) ? misreadTexts(body) : [{ path: 'body', key: 'json' }]
}

/** Whether JSON can express the value. Nothing is written for this, because a request may contain a file of 50 MiB. */
function canBeWritten(value: unknown): boolean {
  try {
    return isWritable(value, '', new Map())
  } catch {
    return false // A property that can't be read, or more levels than can be written.
  }
}

/**
 * Whether JSON can express the value of the property `key`: `toJSON` replaces the value, but is not called again for
 * what it returns. `seen` are the objects looked at so far, and whether they were found to be writable.
 */
function isWritable(value: unknown, key: string | number, seen: Map<object, boolean>): boolean {
  if (Buffer.isBuffer(value)) return true // Its `toJSON` would copy each byte.
  const written = asWritten(value, key)
  if (typeof written !== 'object' || written === null) return typeof written !== 'bigint'
  if (written instanceof BigInt) return false
  const known = seen.get(written)
  if (known !== undefined) return known // An object that is not found writable yet contains itself.
  if (ArrayBuffer.isView(written) && !isOfBigInts(written)) return true
  seen.set(written, false)
  if (!areWritable(written, seen)) return false
  seen.set(written, true)
  return true
}

/** Only the items of an array are written, none of its other properties. */
function areWritable(parts: object, seen: Map<object, boolean>): boolean {
  if (Array.isArray(parts)) {
    for (let index = 0; index < parts.length; index++) if (!isWritable(parts[index], index, seen)) return false
    return true
  }
  for (const name of Object.keys(parts)) if (!isWritable((parts as PlainObject)[name], name, seen)) return false
  return true
}

function asWritten(value: unknown, key: string | number): unknown {
  if (value === null || !withToJson.has(typeof value)) return value
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? (toJSON.call(value, String(key)) as unknown) : value
}

/** The types whose values may have a `toJSON`; JSON ignores that of a text or a number. */
const withToJson: ReadonlySet<string> = new Set(['object', 'function', 'bigint'])

const isOfBigInts = (view: ArrayBufferView) => view instanceof BigInt64Array || view instanceof BigUint64Array
