/** Finds the personal data in a request, so that none of it appears in an error. */

const telling = /name|mail|mobile|phone|number|ssn|social|^nin$|birth|street|postal|address/i
const harmless = /filename|organi[sz]ation|external|orgno|url$|country|nation|language|subject|text|sender/i
/** Objects under these names describe things, not people. */
const things = /^(?:content|contract|config|dataToSign|information|advanced|ui|uploads|events)$/

const maxFound = 300
const maxLength = 200
const maxDepth = 12
/** A message may contain itself, or a file as a list of numbers; to go through all of it could take hours. */
const maxLooks = 20_000

interface Search {
  readonly found: Set<string>
  looks: number
}

/**
 * The names, addresses, numbers and birth dates in `sources`, and each of their words. Collects at most 300 values and
 * looks at 20,000 at most, so that it always finishes.
 */
export function personalIn(...sources: readonly unknown[]): string[] {
  return [...search(sources).found]
}

/** Does the same as `personalIn`; undefined if the sources may contain more than it has collected. */
export function allPersonalIn(...sources: readonly unknown[]): string[] | undefined {
  const done = search(sources)
  return isOver(done) ? undefined : [...done.found]
}

function search(sources: readonly unknown[]): Search {
  const begun: Search = { found: new Set(), looks: 0 }
  for (const source of sources) collect(source, false, begun, 0)
  return begun
}

const isOver = ({ found, looks }: Search) => found.size >= maxFound || looks >= maxLooks

function collect(value: unknown, tells: boolean, search: Search, depth: number): void {
  search.looks++
  // The bytes of a file are no texts.
  if (isOver(search) || depth > maxDepth || ArrayBuffer.isView(value)) return
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && !isOver(search); index++)
      collect(value[index], tells, search, depth + 1)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (!things.test(name)) collect(inner, isTelling(name, tells), search, depth + 1)
    }
  } else if (tells && (typeof value === 'string' || typeof value === 'number')) {
    add(String(value).trim(), search.found)
  }
}

function add(text: string, found: Set<string>): void {
  if (text.length > maxLength) return
  for (const part of [text, ...text.split(/[\s,;]+/)]) if (part.length > 1 && found.size < maxFound) found.add(part)
}

/** A value nested below a personal name, such as `address`, is personal too unless its own name is harmless. */
function isTelling(name: string, inherited: boolean): boolean {
  return !harmless.test(name) && (inherited || telling.test(name))
}
