/** Finds the personal data in a request, so that none of it appears in an error. */

const telling = /name|mail|mobile|phone|number|ssn|social|^nin$|birth|street|postal|address/i
const harmless = /filename|organi[sz]ation|external|orgno|url$|country|nation|language|subject|text|sender/i
/** Objects under these names describe things, not people. */
const things = /^(?:content|contract|config|dataToSign|information|advanced|ui|uploads|events)$/

const maxFound = 300
const maxLength = 200
const maxDepth = 12
/**
 * How many values are looked at in a request as it is sent, and in anything that a message may hold: a message may
 * contain itself, or a file as a list of numbers, and to go through all of it could take hours.
 */
const maxLooks = { request: 2_000_000, message: 20_000 }

interface Search {
  readonly found: Set<string>
  /** The number of values that may still be looked at. */
  left: number
  /** Whether something was not looked at. */
  isCut: boolean
}

/** The names, addresses, numbers and birth dates in the parts of a request, and each of their words; at most 300. */
export function personalIn(...sources: readonly unknown[]): string[] {
  return [...search(sources, maxLooks.request).found]
}

/**
 * Does the same as `personalIn` for anything that a message may hold; undefined if the sources may contain more than it
 * has collected.
 */
export function allPersonalIn(...sources: readonly unknown[]): string[] | undefined {
  const { found, isCut } = search(sources, maxLooks.message)
  return isCut || found.size >= maxFound ? undefined : [...found]
}

function search(sources: readonly unknown[], looks: number): Search {
  const begun: Search = { found: new Set(), left: looks, isCut: false }
  for (const source of sources) collect(source, false, begun, 0)
  return begun
}

const isOver = ({ found, left }: Search) => found.size >= maxFound || left <= 0

function collect(value: unknown, tells: boolean, search: Search, depth: number): void {
  if (isOver(search) || depth > maxDepth) return void (search.isCut = true)
  search.left--
  // The bytes of a file are no texts.
  if (ArrayBuffer.isView(value)) return
  if (Array.isArray(value)) {
    // A list may be long, so it is left as soon as nothing more is looked at.
    for (let index = 0; index < value.length; index++) {
      collect(value[index], tells, search, depth + 1)
      if (isOver(search)) return void (search.isCut = true)
    }
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
