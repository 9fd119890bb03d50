/** Reads values and texts out of nested objects. */

/** The value at a dotted path of nested objects, or undefined. */
export function getPath(value: unknown, path: string): unknown {
  const end = path.indexOf('.')
  return end < 0 ? own(value, path) : getPath(own(value, path.slice(0, end)), path.slice(end + 1))
}

/** The text at such a path; empty when missing. */
export function textAt(value: unknown, path: string): string {
  const found = getPath(value, path)
  return typeof found === 'string' ? found : ''
}

/** The list at such a path; empty when missing. */
export function listAt(value: unknown, path: string): unknown[] {
  const found = getPath(value, path)
  return Array.isArray(found) ? (found as unknown[]) : []
}

function own(value: unknown, name: string): unknown {
  const here = value as Record<string, unknown> | null | undefined
  return typeof here === 'object' && here !== null && Object.hasOwn(here, name) ? here[name] : undefined
}
