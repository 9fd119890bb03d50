/** Finds the personal data in a request, so that none of it appears in an error. */

const telling = /name|mail|mobile|phone|number|ssn|social|^nin$|birth|street|postal|address/i
const harmless = /filename|organi[sz]ation|external|orgno|url$|country|nation|language|subject|text|sender/i
/** Objects under these names describe things, not people. */
const things = /^(?:content|contract|config|dataToSign|information|advanced|ui|uploads|events)$/

const maxValues = 300
const maxLength = 200
const maxDepth = 12

/**
 * The names, addresses, numbers and birth dates in `sources`, and each of their words. Collects at most 300 values, so
 * that it always finishes.
 */
export function personalIn(...sources: readonly unknown[]): string[] {
  const found = new Set<string>()
  for (const source of sources) collect(source, false, found, 0)
  return [...found]
}

function collect(value: unknown, tells: boolean, found: Set<string>, depth: number): void {
  if (found.size >= maxValues || depth > maxDepth) return
  // A file: its bytes are no texts, and going through 50 MiB of them one by one takes minutes.
  if (ArrayBuffer.isView(value)) return
  if (typeof value === 'object' && value !== null) {
    const list = Array.isArray(value)
    for (const [name, inner] of Object.entries(value)) {
      if (!things.test(name)) collect(inner, list ? tells : isTelling(name, tells), found, depth + 1)
    }
    return
  }
  if (!tells || (typeof value !== 'string' && typeof value !== 'number')) return
  const text = String(value).trim()
  if (text.length > maxLength) return
  for (const part of [text, ...text.split(/[\s,;]+/)]) if (part.length > 1 && found.size < maxValues) found.add(part)
}

/** A value nested below a personal name, such as `address`, is personal too unless its own name is harmless. */
function isTelling(name: string, inherited: boolean): boolean {
  return !harmless.test(name) && (inherited || telling.test(name))
}
