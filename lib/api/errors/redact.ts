/** Removes personal data and tokens from the service's messages before they reach an error or a log. */

/** Longer texts are cut, because every step below takes time in proportion to the length. */
const maxLength = 2000

/**
 * Each word is tested separately, because a pattern that can match anywhere would be tried again at every letter of a
 * long word.
 */
const words: readonly [RegExp, (word: string) => boolean][] = [
  [/[^\s"'<>(),;:]+/g, (word) => /.(?:@|%40)./.test(word)], // e-mail addresses
  [/[\w.-]+/g, isToken],
]

const months =
  'jan|feb|m[aä]r|apr|ma[iyj]|jun|jul|aug|sep|o[ck]t|nov|de[cs]|tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu'

/** Addresses of more than one word: "ola nordmann"@example.com, and the obfuscated ola(at)example.com. */
const quoted: readonly RegExp[] = [
  /"[^"]{1,64}"@[^\s"'<>(),;:]{1,253}/g,
  /[^\s"'<>(),;:@]{1,64}\s?[([{]\s?(?:at|a|krøllalfa)\s?[)\]}]\s?[^\s"'<>(),;:@]{2,253}/gi,
  // Other forms of the @ sign: escaped in HTML or JSON, encoded twice, full-width, or with spaces around it.
  /[^\s"'<>(),;:@]{1,64}\s?(?:&#0{0,5}64;|&#x0{0,5}40;|&commat;|\\u0040|＠|%(?:25){1,9}40|(?<=\s)@|@(?=\s))\s?[^\s"'<>(),;:@]{2,253}/gi,
]

const anywhere: readonly RegExp[] = [
  /\bBearer\s+\S+/gi,
  /\bBasic\s+(?=\S*[\d=])[\w+/=]{8,}/gi,
  /\b\w*(?:token|secret|password)["']?\s*[:=]\s*["']?[^\s"',;&]+/gi,
  // Dates in words: 1 January 1970, 1. januar 1970, the 1st of Jan, 1970; January 1, 1970.
  new RegExp(
    `\\b\\d{1,2}(?:st|nd|rd|th|\\.)?[\\s/-]{0,9}(?:of\\s+)?(?:${months})\\p{L}{0,12}[.,]?[\\s/-]{0,9}\\d{2,4}\\b`,
    'giu',
  ),
  new RegExp(`(?<!\\p{L})(?:${months})\\p{L}{0,12}\\.?\\s+\\d{1,2}(?:st|nd|rd|th|\\.)?,?\\s+\\d{2,4}\\b`, 'giu'),
]

const uuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/gi

const besideIds: readonly RegExp[] = [
  /\b\d{1,4}(?:[./\u2010-\u2015-]\d{1,4}){2,}/g, // dates, which may be birth dates; phone numbers in groups
  /\+?\d(?:[\s\u2010-\u2015-]?[()]?[\s\u2010-\u2015-]?\d){5,}/g, // phone numbers, national ids, birth dates without separators
  /[\w+=-]{40,}/g, // tokens in one part
]

/**
 * Returns at most 500 characters of `text`, with e-mail addresses, tokens, dates, long numbers and the values in
 * `personal` (the personal data of the request) replaced by `…`. UUIDs stay.
 */
export function redact(text: string, personal: readonly string[] = []): string {
  const start = replaceAll(text.length > maxLength ? cut(text) : text, quoted)
  const clean = replaceAll(replaceWords(start), [...valuesOf(personal), ...anywhere])
  const ids = clean.match(uuid) ?? []
  const parts = clean.split(uuid).map((part) => replaceAll(part, besideIds))
  return parts
    .map((part, index) => part + (ids[index] ?? ''))
    .join('')
    .slice(0, 500)
}

/**
 * The start of a long text, up to the last whole word, because personal data would not be recognized in half a word.
 */
function cut(text: string): string {
  let end = maxLength
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function replaceWords(text: string): string {
  return words.reduce((rest, [word, tells]) => rest.replace(word, (one) => (tells(one) ? '…' : one)), text)
}

/** True for a token of three parts separated by dots (JWT). */
function isToken(word: string): boolean {
  const lengths = word.split('.').map((part) => part.length)
  return lengths.some((length, at) => length >= 10 && (lengths[at + 1] ?? 0) >= 10 && (lengths[at + 2] ?? 0) >= 5)
}

/**
 * One pattern for all values; it matches whole words only, also in the genitive. Longer values come first, because a
 * value may begin with another value.
 */
function valuesOf(personal: readonly string[]): RegExp[] {
  if (personal.length === 0) return []
  const escaped = [...personal]
    .sort((one, other) => other.length - one.length)
    .map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return [new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?:['’]?s)?(?![\\p{L}\\p{N}])`, 'giu')]
}

function replaceAll(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, '…'), text)
}
