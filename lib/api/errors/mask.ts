/**
 * Removes personal data and tokens before they reach an error or a log: from keys that a person chose, such as a row key,
 * and from the service's messages. In a key, order numbers stay, because people search for a row by its order number.
 */

/** The separator of two groups of digits: a space, a dot, or a hyphen of any length. */
const gap = '[\\s.\\u2010-\\u2015-]'

interface Pattern {
  readonly find: RegExp
  /** Tests whether a match is personal data. Without this test, every match is personal data. */
  readonly isPersonal?: (digits: string) => boolean
}

const patterns: readonly Pattern[] = [
  // Norwegian national ids and D numbers, with or without a gap.
  { find: new RegExp(`(?<!\\d)\\d{6}${gap}?\\d{5}(?!\\d)`, 'g') },
  { find: new RegExp(`(?<!\\d)\\d{2}${gap}\\d{2}${gap}\\d{2}${gap}?\\d{5}(?!\\d)`, 'g') },
  // Danish and Swedish national ids: a date of six digits and four more digits; Swedish ids also with the century.
  { find: new RegExp(`(?<!\\d)\\d{6}(?:${gap}|\\+)\\d{4}(?!\\d)`, 'g'), isPersonal: beginsWithDate },
  { find: /(?<![\p{L}\d])\d{10}(?![\p{L}\d])/gu, isPersonal: beginsWithDate },
  { find: new RegExp(`(?<!\\d)\\d{8}(?:${gap}|\\+)\\d{4}(?!\\d)`, 'g'), isPersonal: beginsWithBirthDate },
  { find: /(?<![\p{L}\d])\d{12}(?![\p{L}\d])/gu, isPersonal: beginsWithBirthDate },
  // Finnish national ids: a date, a century sign, three digits and one more sign.
  { find: /(?<!\d)\d{6}[-+A-FU-Y]\d{3}[\dA-Y](?![\p{L}\d])/giu, isPersonal: beginsWithDate },
  // Dates without further digits, because they may be dates of birth.
  { find: new RegExp(`(?<!\\d)\\d{4}${gap}\\d{2}${gap}\\d{2}(?!\\d)`, 'g'), isPersonal: beginsWithBirthDate },
  {
    find: new RegExp(`(?<!\\d)\\d{2}${gap}\\d{2}${gap}\\d{4}(?!\\d)`, 'g'),
    isPersonal: (digits) => beginsWithBirthDate(digits.slice(4) + digits.slice(2, 4) + digits.slice(0, 2)),
  },
  // Phone numbers, with a country code or in the usual groups of digits.
  { find: /\+\d(?:[\s().-]?\d){6,14}(?!\d)/g },
  { find: /(?<![\p{L}\d])00(?:4[567]|358)(?:[\s().-]?\d){8,12}(?!\d)/gu },
  { find: /(?<![\d-])\d{3}\s\d{2}\s\d{3}(?![\d-])/g },
  { find: /(?<![\d-])\d{2}\s\d{2}\s\d{2}\s\d{2}(?![\d-])/g },
]

/** E-mail addresses of more than one word, and other forms of the @ sign: ola(at)example.com. */
const addresses: readonly RegExp[] = [
  /"[^"]{1,64}"@[^\s"'<>(),;:]{1,253}/g,
  /[^\s"'<>(),;:@]{1,64}\s?[([{]\s?(?:at|a|krøllalfa)\s?[)\]}]\s?[^\s"'<>(),;:@]{2,253}/gi,
  // Other forms of the @ sign: escaped in HTML or JSON, encoded twice, full-width, or with spaces around it.
  /[^\s"'<>(),;:@]{1,64}\s?(?:&#0{0,5}64;|&#x0{0,5}40;|&commat;|\\u0040|＠|%(?:25){1,9}40|(?<=\s)@|@(?=\s))\s?[^\s"'<>(),;:@]{2,253}/gi,
]

/** An address in one word. */
const address = /[^\s"'<>(),;:]*[^\s"'<>(),;:](?:@|%40)[^\s"'<>(),;:]+/g

/**
 * Generated keys, such as UUIDs. Some of their digits may look like a phone number, so these keys are left unchanged.
 */
const made = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?<![\p{L}\d])(?=\d*[a-f])[\da-f]{24,}(?![\p{L}\d])/giu

/** Text encoded as hex, which anyone can decode. */
const readableHex = /(?<![\p{L}\d])(?:[2-7][\da-f]){7,}(?![\p{L}\d])/giu

/** The longest key and text. The rest is cut, because each pattern takes time in proportion to the length. */
const maxKey = 1000
const maxText = 2000

/** The key with personal data replaced by `…`, safe to show. */
export function maskKey(key: string): string {
  const some = key.slice(0, maxKey).replace(readableHex, (hex) => {
    const text = Buffer.from(hex, 'hex').toString('latin1')
    return maskPart(text) === text ? hex : '…'
  })
  return besides(some, made, maskPart)
}

/** The path of a call, each part made safe to show; ids stay. */
export function maskPath(path: string): string {
  return path.split('/').map(maskKey).join('/')
}

/**
 * True for a key that contains personal data, such as an e-mail address or a national id, which some people use as
 * keys. True for any other @ sign too, because a leading @ would be mistaken for a text key.
 */
export function isPersonalKey(key: string): boolean {
  return /@|%40/.test(key) || maskKey(key) !== key
}

function maskPart(part: string): string {
  const bare = replaceAll(part, [...addresses, address])
  return patterns.reduce(
    (rest, { find, isPersonal }) =>
      rest.replace(find, (found) => (!isPersonal || isPersonal(found.replace(/\D/g, '')) ? '…' : found)),
    bare,
  )
}

/**
 * True if the digits begin with a date, written with the day or the year first. Temporary national ids have 60 added to
 * the day, and count too.
 */
function beginsWithDate(digits: string): boolean {
  const [first = 0, month = 0, last = 0] = (digits.match(/\d\d/g) ?? []).map(Number)
  return isMonth(month) && (isDay(first) || isDay(last))
}

/**
 * True if the digits begin with a date on which a signer can be born. A recent date, as in `20261123-0001`, is more
 * likely part of an order number.
 */
function beginsWithBirthDate(digits: string): boolean {
  const year = Number(digits.slice(0, 4))
  const isYear = year >= 1900 && year <= new Date().getFullYear() - 5
  return isYear && isMonth(Number(digits.slice(4, 6))) && isDay(Number(digits.slice(6, 8)))
}

const isMonth = (month: number) => month >= 1 && month <= 12
const isDay = (day: number) => (day >= 1 && day <= 31) || (day >= 61 && day <= 91)

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
  const start = replaceAll(text.length > maxText ? cut(text) : text, addresses)
  const clean = replaceAll(replaceWords(start), [...valuesOf(personal), ...anywhere])
  return besides(clean, uuid, (part) => replaceAll(part, besideIds)).slice(0, 500)
}

/** Masks everything except what `kept` finds. */
function besides(text: string, kept: RegExp, mask: (part: string) => string): string {
  const found = text.match(kept) ?? []
  return text
    .split(kept)
    .map((part, index) => mask(part) + (found[index] ?? ''))
    .join('')
}

/**
 * The start of a long text, up to the last whole word, because personal data would not be recognized in half a word.
 */
function cut(text: string): string {
  let end = maxText
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
