/** Reads lists as people type them. */

/** Makes a list from the value: an array stays as it is, and a text is split. Undefined if there is no value. */
export function splitList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[]
  if (typeof value !== 'string') return value === undefined || value === null ? undefined : [value]
  const parts = splitText(value)
  return parts.length > 0 ? parts : undefined
}

/** Splits a text at commas, semicolons and line breaks, without empty parts. */
export function splitText(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)
}
