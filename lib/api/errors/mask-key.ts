/**
 * Takes national ids, phone numbers and addresses out of a person's own key, such as a row key. Order numbers stay,
 * because people look things up by the key.
 */

/** Between groups of digits: a space, a dot, a hyphen of any length. */
const gap = '[\\s.\\u2010-\\u2015-]'

interface Pattern {
  readonly find: RegExp
  /** What else makes it personal; absent: the form alone. */
  readonly isPersonal?: (digits: string) => boolean
}

const patterns: readonly Pattern[] = [
  // Norwegian national ids, together or in groups, also of a D number.
  { find: new RegExp(`(?<!\\d)\\d{6}${gap}?\\d{5}(?!\\d)`, 'g') },
  { find: new RegExp(`(?<!\\d)\\d{2}${gap}\\d{2}${gap}\\d{2}${gap}?\\d{5}(?!\\d)`, 'g') },
  // Danish and Swedish ones: a date of six digits and four more; Swedish ones also with the century.
  { find: new RegExp(`(?<!\\d)\\d{6}(?:${gap}|\\+)\\d{4}(?!\\d)`, 'g'), isPersonal: beginsWithDate },
  { find: /(?<![\p{L}\d])\d{10}(?![\p{L}\d])/gu, isPersonal: beginsWithDate },
  { find: new RegExp(`(?<!\\d)\\d{8}(?:${gap}|\\+)\\d{4}(?!\\d)`, 'g'), isPersonal: beginsWithBirthDate },
  { find: /(?<![\p{L}\d])\d{12}(?![\p{L}\d])/gu, isPersonal: beginsWithBirthDate },
  // Finnish ones: a date, a sign for the century, three digits and one more sign.
  { find: /(?<!\d)\d{6}[-+A-FU-Y]\d{3}[\dA-Y](?![\p{L}\d])/giu, isPersonal: beginsWithDate },
  // Dates alone: of birth.
  { find: new RegExp(`(?<!\\d)\\d{4}${gap}\\d{2}${gap}\\d{2}(?!\\d)`, 'g'), isPersonal: beginsWithBirthDate },
  {
    find: new RegExp(`(?<!\\d)\\d{2}${gap}\\d{2}${gap}\\d{4}(?!\\d)`, 'g'),
    isPersonal: (digits) => beginsWithBirthDate(digits.slice(4) + digits.slice(2, 4) + digits.slice(0, 2)),
  },
  // Phone numbers: with a country, or in the groups in which people write them.
  { find: /\+\d(?:[\s().-]?\d){6,14}(?!\d)/g },
  { find: /(?<![\p{L}\d])00(?:4[567]|358)(?:[\s().-]?\d){8,12}(?!\d)/gu },
  { find: /(?<![\d-])\d{3}\s\d{2}\s\d{3}(?![\d-])/g },
  { find: /(?<![\d-])\d{2}\s\d{2}\s\d{2}\s\d{2}(?![\d-])/g },
]

/** E-mail addresses, also those that hide from programs: ola(at)example.com. */
const addresses: readonly RegExp[] = [
  /[^\s"'<>(),;:]*[^\s"'<>(),;:](?:@|%40)[^\s"'<>(),;:]+/g,
  /[^\s"'<>(),;:@]{1,64}\s?[([{]\s?(?:at|a|krøllalfa)\s?[)\]}]\s?[^\s"'<>(),;:@]{2,253}/gi,
]

/** Generated keys: what looks like a phone number in them is not one. */
const made = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?<![\p{L}\d])(?=\d*[a-f])[\da-f]{24,}(?![\p{L}\d])/giu

/** Letters and digits that are written in hex, which anyone can read. */
const readableHex = /(?<![\p{L}\d])(?:[2-7][\da-f]){7,}(?![\p{L}\d])/giu

/** Longer keys are cut: each pattern takes time in proportion to the length. */
const maxLength = 1000

/** The key as it may be shown: personal data in it is replaced by `…`. */
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

/** The path of a call as it may be shown, part by part: ids stay. */
export function maskPath(path: string): string {
  return path.split('/').map(maskKey).join('/')
}

/** Some people take an e-mail address or a national id for a key; a leading @ would be taken for the key of a text. */
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

/** Day and month first, or year first; a day may have 60 added, where the person has no ordinary number. */
function beginsWithDate(digits: string): boolean {
  const [first = 0, month = 0, last = 0] = (digits.match(/\d\d/g) ?? []).map(Number)
  return isMonth(month) && (isDay(first) || isDay(last))
}

/** A year in which people who sign were born: `20261123-0001` is an order of this month. */
function beginsWithBirthDate(digits: string): boolean {
  const year = Number(digits.slice(0, 4))
  const isYear = year >= 1900 && year <= new Date().getFullYear() - 5
  return isYear && isMonth(Number(digits.slice(4, 6))) && isDay(Number(digits.slice(6, 8)))
}

const isMonth = (month: number) => month >= 1 && month <= 12
const isDay = (day: number) => (day >= 1 && day <= 31) || (day >= 61 && day <= 91)
