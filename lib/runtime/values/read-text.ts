/** Reads values and texts out of nested objects. */

/** The value at a dotted path of nested objects, or undefined. */
export function getPath(value: unknown, path: string): unknown {
  let found = value
  for (const name of namesOf(path)) found = own(found, name)
  return found
}

/** The names in the paths used so far. Nearly all paths are written in the code, and are read from every message. */
const known = new Map<string, readonly string[]>()
/**
 * Maximum number of cached paths. It is greater than the number of paths in the code, because settings and messages
 * contain other paths.
 */
const maxKnown = 1000

function namesOf(path: string): readonly string[] {
  const before = known.get(path)
  if (before) return before
  const names = path.split('.')
  if (known.size < maxKnown) known.set(path, names)
  return names
}

/** True if there is no value, or an empty text. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The text at a dotted path; an empty text if it is missing. */
export function textAt(value: unknown, path: string): string {
  return textOf(getPath(value, path))
}

/** The text; an empty text if the value is anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The list at a dotted path; an empty list if it is missing. */
export function listAt(value: unknown, path: string): unknown[] {
  const found = getPath(value, path)
  return Array.isArray(found) ? (found as unknown[]) : []
}

function own(value: unknown, name: string): unknown {
  const here = value as Record<string, unknown> | null | undefined
  return typeof here === 'object' && here !== null && Object.hasOwn(here, name) ? here[name] : undefined
}
