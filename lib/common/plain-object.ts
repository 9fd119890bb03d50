/** Objects that hold data, as JSON does. */

export type PlainObject = Record<string, unknown>

/**
 * True also for objects that a Function node has made: those have an `Object.prototype` of their own. False for what
 * cannot be looked at, such as a revoked proxy.
 */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false
  try {
    const prototype: unknown = Object.getPrototypeOf(value)
    return prototype === null || Object.getPrototypeOf(prototype) === null
  } catch {
    return false
  }
}

/** The property's value; undefined when it cannot be read, as of a revoked proxy or a getter that throws. */
export function propertyOf(object: object, name: string): unknown {
  try {
    return (object as PlainObject)[name]
  } catch {
    return undefined
  }
}
