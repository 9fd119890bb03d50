/** What a tick means, wherever its value comes from: the form, a message, a variable or a flow file. */

/** True for on, false for off and for nothing; undefined for a value that is neither. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'object' && value !== null) return undefined
  const word = String(value ?? '').trim()
  return /^(true|1|yes|on)$/i.test(word) || (/^(false|0|no|off|)$/i.test(word) ? false : undefined)
}
