/** Lists as people type them. */

/**
 * A list from what was given: an array as it is, a text split at commas, semicolons and line breaks; undefined when
 * there is nothing.
 */
export function splitList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[]
  if (typeof value !== 'string') return value === undefined || value === null ? undefined : [value]
  const parts = value
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
  return parts.length > 0 ? parts : undefined
}
