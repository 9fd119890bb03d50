/** Objects that hold data, as JSON does. */

export type PlainObject = Record<string, unknown>

/** True also for objects that a Function node has made: those have an `Object.prototype` of their own. */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
