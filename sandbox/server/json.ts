/** Reads parts of a body with no guaranteed shape. */

export type JsonObject = Readonly<Record<string, unknown>>

/** The object, or `{}` for anything else. */
export function objectIn(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

/** The list's entries as objects; empty for anything but a list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(objectIn) : []
}

/** Texts and numbers as text; anything else as an empty text. */
export function textIn(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The list's entries as texts; empty for anything but a list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textIn) : []
}

/** Merges changes over existing values: nested objects are merged, everything else is replaced. */
export function overlay(below: JsonObject, above: JsonObject): JsonObject {
  const changes = Object.entries(above).map(([name, value]) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return [name, isObject ? overlay(objectIn(below[name]), objectIn(value)) : value] as const
  })
  return { ...below, ...Object.fromEntries(changes) }
}
