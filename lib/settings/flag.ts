/** What a tick means, wherever its value comes from: the form, a message, a variable or a flow file. */

const words: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
  '': false,
}

/** True for on, false for off and for nothing; undefined for a value that is neither. */
export function flagOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return false
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const word = String(value).trim().toLowerCase()
  return Object.hasOwn(words, word) ? words[word] : undefined
}
