/** Plain objects that hold data, as in JSON. */

export type PlainObject = Record<string, unknown>

/**
 * True also for objects made in a Function node, whose `Object.prototype` is a different one. False for anything that
 * can't be inspected, such as a revoked proxy.
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

/** The property's value; undefined if it can't be read, as with a revoked proxy or a getter that throws. */
export function propertyOf(object: object, name: string): unknown {
  try {
    return (object as PlainObject)[name]
  } catch {
    return undefined
  }
}
