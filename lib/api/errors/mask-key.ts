/**
 * Removes national ids, phone numbers and addresses from a key that a person chose, such as a row key. Order numbers
 * stay, because people search for a row by its order number.
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

/** E-mail addresses, including obfuscated ones: ola(at)example.com. */
const addresses: readonly RegExp[] = [
  /[^\s"'<>(),;:]*[^\s"'<>(),;:](?:@|%40)[^\s"'<>(),;:]+/g,
  /[^\s"'<>(),;:@]{1,64}\s?[([{]\s?(?:at|a|krøllalfa)\s?[)\]}]\s?[^\s"'<>(),;:@]{2,253}/gi,
]

/**
 * Generated keys, such as UUIDs. Some of their digits may look like a phone number, so these keys are left unchanged.
 */
const made = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?<![\p{L}\d])(?=\d*[a-f])[\da-f]{24,}(?![\p{L}\d])/giu

/** Text encoded as hex, which anyone can decode. */
const readableHex = /(?<![\p{L}\d])(?:[2-7][\da-f]){7,}(?![\p{L}\d])/giu

/** Longer keys are cut, because each pattern takes time in proportion to the length. */
const maxLength = 1000

/** The key with personal data replaced by `…`, safe to show. */
export function maskKey(key: string): string {
  const some = key.slice(0, maxLength).replace(readableHex, (hex) => {
    const text = Buffer.from(hex, 'hex').toString('latin1')
    return maskPart(text) === text ? hex : '…'
  })
  const kept = some.match(made) ?? []
  return some
    .split(made)
    .map(maskPart)
    .map((part, index) => part + (kept[index] ?? ''))
    .join('')
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
  const bare = addresses.reduce((rest, address) => rest.replace(address, '…'), part)
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
