/** Copies a message as it came in, because other nodes may change its objects while a call waits for its turn. */
import { types } from 'node:util'
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import type { FlowMessage } from './node-red'

/**
 * Buffers of up to this many bytes are copied. A larger one is shared: copying a file of many megabytes for each waiting
 * message would fill the memory, and nodes that make such files make a new Buffer for each.
 */
const maxCopiedBytes = 1024 * 1024

/**
 * A copy of the message in which all plain objects, lists, dates and small Buffers are copies too. Streams and other live
 * objects are shared, as are `req` and `res`. Never throws: a property that can't be copied is shared.
 */
export function copyMessage(msg: FlowMessage): FlowMessage {
  const copy: FlowMessage = {}
  const copies = new Map<object, unknown>()
  for (const name of Object.keys(msg)) {
    try {
      put(copy, name, name === 'req' || name === 'res' ? msg[name] : copyOf(msg[name], copies))
    } catch {
      // The property can't be read, or has too many levels. If a setting reads it, that is reported there.
      Object.defineProperty(copy, name, Object.getOwnPropertyDescriptor(msg, name) ?? {})
    }
  }
  return copy
}

/** A copy of a value from a context or an expression, made in the same way; the value itself if it can't be copied. */
export function copyValue(value: unknown): unknown {
  try {
    return copyOf(value, new Map())
  } catch {
    return value
  }
}

/** `copies` are the objects copied so far: a message may contain an object several times, or itself. */
function copyOf(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) return copyList(value as unknown[], copies)
  if (isPlainObject(value)) return copyObject(value, copies)
  if (types.isDate(value)) return new Date(value.getTime())
  return Buffer.isBuffer(value) && value.length <= maxCopiedBytes ? Buffer.from(value) : value
}

function copyList(list: readonly unknown[], copies: Map<object, unknown>): unknown[] {
  const copy: unknown[] = []
  copies.set(list, copy)
  for (let index = 0; index < list.length; index++) copy.push(copyOf(list[index], copies))
  return copy
}

function copyObject(object: PlainObject, copies: Map<object, unknown>): PlainObject {
  const copy: PlainObject = {}
  copies.set(object, copy)
  for (const name of Object.keys(object)) put(copy, name, copyOf(object[name], copies))
  return copy
}

/** Sets a property. Assigning to `__proto__` would change the object itself instead of adding a property. */
function put(object: PlainObject, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}
