/** Rules for single values. They are checked while the user types, and again when a message brings the value. */

import { daysIn, timeIn } from '../common/reminder-dates'
import { splitText } from '../common/split-list'
import { isKid } from './kid'

/** Returns the key of the problem (in `problems` of the catalogs), or undefined if the value is valid. */
export type Rule = (value: string) => string | undefined

const names = `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
  darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
  darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
  firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
  hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
  lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
  mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
  midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
  palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
  rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
  slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet
  wheat white whitesmoke yellow yellowgreen`

/** A color as `#RRGGBB`, `transparent` or an HTML color name, in upper or lower case (`interface.md` 2.1). */
export const colour: Rule = (value) =>
  /^#[\da-f]{6}$/i.test(value) || names.split(/\s+/).includes(value.toLowerCase()) ? undefined : 'colour'

export const themeMode: Rule = (value) => (['Default', 'Dark', 'Light'].includes(value) ? undefined : 'themeMode')

/** Domains separated by single spaces (`interface.md` 2.1). */
export const domains: Rule = (value) => (value === value.trim().split(/\s+/).join(' ') ? undefined : 'domainSpaces')

/** False for 30 February, which `Date` turns into a day in March. */
const isInCalendar = (value: string) => {
  const at = new Date(`${value}T00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value)
}

/** A day as YYYY-MM-DD (`interface.md` 2.5). */
export const day: Rule = (value) => (/^\d{4}-\d\d-\d\d$/.test(value) && isInCalendar(value) ? undefined : 'day')

/**
 * A birth date as ddMMyy (`interface.md` 2.3). The century is unknown; the check uses 20yy, because all leap days of
 * 19yy exist in 20yy too.
 */
export const shortDay: Rule = (value) => {
  const [, date = '', month = '', year = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(value) ?? []
  return date !== '' && day(`20${year}-${month}-${date}`) === undefined ? undefined : 'shortDay'
}

const parses = (value: string) => {
  try {
    return new URL(value).protocol !== ''
  } catch {
    return false // An exception only means that the text is not an address, so the result is false.
  }
}

/** An address. A single letter before the colon is refused, because it is a Windows drive. */
export const url: Rule = (value) => (parses(value) && !/^\s*[a-z]:/i.test(value) ? undefined : 'url')

const host = String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?|\[[\da-f:.]+\])(?::\d{1,5})?`
const isOrigin = new RegExp(`^https?://${host}$`, 'iu')
/** A pattern for all hosts of one domain, such as `https://*.example.com`; the domain must contain a dot. */
const isDomain = new RegExp(String.raw`^https?://\*\.[\p{L}\p{N}-]+\.${host}$`, 'iu')

/** Scheme and host of a page, with nothing after them. */
export const origin: Rule = (value) => (parses(value) && isOrigin.test(value) ? undefined : 'origin')

/**
 * Origins separated by spaces; `'self'` and wildcards for all hosts of a domain are allowed. The value becomes part of
 * the page's Content-Security-Policy, in which a semicolon or a lone `*` would let anyone show the page.
 */
export const origins: Rule = (value) => {
  const words = value.split(/\s+/).filter((one) => one !== '' && one !== "'self'")
  const isFine = (one: string) => parses(one) && (isOrigin.test(one) || isDomain.test(one))
  return words.every((one) => isFine(one.replace(/\/$/, ''))) ? undefined : 'origins'
}

/**
 * Accepts a path only if every server and library reads it as a path below the client's own address, because the token
 * must not be sent anywhere else.
 */
export const callPath: Rule = (path) => {
  const [way = ''] = path.split('?')
  const plain = decode(way)
  // Control characters are refused in the query too. Parsing an address would remove line breaks and tabs, but the path
  // must not be altered.
  const isWhole = plain !== undefined && path.startsWith('/') && !/[\p{Cc}#]/u.test(path)
  const isBelow = isWhole && !/[\\#\s\p{Cc}]|\/\//u.test(plain)
  return isBelow && !plain.split('/').some((segment) => segment === '.' || segment === '..') ? undefined : 'relative'
}

function decode(way: string): string | undefined {
  try {
    return decodeURIComponent(way)
  } catch {
    return undefined // A path that can't be decoded could be read in more than one way, so it is refused.
  }
}

/** The path of a page that this package serves. The root itself is refused. */
export const pagePath: Rule = (value) => {
  const address = `http://page/${value.trim()}`
  const isBelow = parses(address) && new URL(address).pathname.replace(/\/+/g, '/') !== '/'
  return isBelow ? undefined : 'pathTaken'
}

/** The address of a PostgreSQL database. */
export const postgres: Rule = (value) => (parses(value) && /^postgres(ql)?:\/\/./.test(value) ? undefined : 'postgres')

/**
 * An amount of zero or more, with at most two decimals after a point or a comma. Three digits are refused, because they
 * may be thousands: 2.000 is two for some readers and two thousand for others.
 */
export const amount: Rule = (value) => (/^\d+([.,]\d{1,2})?$/.test(value.trim()) ? undefined : 'amount')

const isEmail = (value: string) =>
  value.length <= 320 &&
  /^[^\s@,;:<>()"]+@[^\s@,;:<>()"/]+\.[^\s@.,;:<>()"/\d][^\s@.,;:<>()"/]+$/.test(value) &&
  !value.includes('..')

/**
 * One address that can receive mail: a name, one @, and a domain with a dot. Spaces, lists and angle brackets are
 * refused. If only spaces or invisible characters are wrong, the problem says so, because the address looks right.
 */
export const email: Rule = (value) => {
  const shown = value.replace(/[\s\p{Cf}]/gu, '')
  if (shown !== value && isEmail(shown)) return 'emailSpace'
  return isEmail(value) ? undefined : 'email'
}

/** One or more e-mail addresses, separated by commas, semicolons or line breaks. */
export const emails: Rule = (value) => {
  const all = splitText(value)
  return all.length > 0 && all.every((one) => email(one) === undefined) ? undefined : 'emails'
}

/** A telephone number: 4 to 15 digits and the usual separators. */
export const phone: Rule = (value) =>
  /^\+?[\d\s().-]+$/.test(value) && /^\d{4,15}$/.test(value.replace(/\D/g, '')) ? undefined : 'phone'

/**
 * True for a number that can't exist in its country. Only Norwegian numbers are checked: they have 8 digits, or 12 if
 * they belong to a machine.
 */
export const isImpossiblePhone = (code: unknown, number: unknown): boolean =>
  /^(?:\+|00)?47$/.test(String(code)) && !/^(?:\d{8}|\d{12})$/.test(String(number).replace(/\D/g, ''))

/** A country's calling code, such as 47 or +47. */
export const countryCode: Rule = (value) => (/^(\+|00)?[1-9]\d{0,3}$/.test(value) ? undefined : 'countryCode')

/**
 * The way in which a person is notified. Case does not matter, because signing and sharing capitalize these words
 * differently.
 */
export const channel: Rule = (value) => (/^(off|send(sms|email|both))$/i.test(value) ? undefined : 'channel')

/** A payment reference that ends in its check digit. */
export const kid: Rule = (value) => (isKid(value) ? undefined : 'kid')

/** A count of items or days: 1 or more. */
export const whole: Rule = (value) => (/^[1-9]\d{0,8}$/.test(value) ? undefined : 'whole')

/** A number above zero. */
export const positive: Rule = (value) => (Number(value.replace(',', '.')) > 0 ? undefined : 'positive')

/** An amount above zero. */
export const price: Rule = (value) => amount(value) ?? positive(value)

/** A number of zero or more. */
export const notNegative: Rule = (value) => (Number(value.replace(',', '.')) >= 0 ? undefined : 'notNegative')

/** A year of four digits. */
export const year: Rule = (value) => (/^\d{4}$/.test(value) ? undefined : 'year')

/** Days in ascending order: "3, 7, 12". */
export const dayList: Rule = (value) => (daysIn(value) ? undefined : 'dayList')

/** A time of day: "08:00". */
export const timeOfDay: Rule = (value) => (timeIn(value) ? undefined : 'timeOfDay')

/** An id that the caller gives to a signer (`interface.md` 2.1). */
export const ownId: Rule = (value) => (value.length >= 4 && value.length <= 255 ? undefined : 'ownId')

/** The name of a file that can be signed. */
export const documentName: Rule = (value) =>
  /\.(pdf|xml|txt|doc|docx|rtf|ott|odt)$/i.test(value) ? undefined : 'extension'

/**
 * True for a text that can be one segment of a path: it is not empty and not `.` or `..`, and contains no separators,
 * control characters or lone surrogates.
 */
export function isPathId(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/[/\\?#\p{Cc}\p{Surrogate}]/u.test(text)
}

/**
 * True for base64 text (standard or URL-safe alphabet, line breaks allowed). A path with a file extension never counts.
 */
export function isBase64(text: string): boolean {
  const bare = text.replace(/\s+/g, '')
  return bare.length > 0 && bare.length % 4 === 0 && /^[\w+/-]*={0,2}$/.test(bare)
}

/**
 * A regular expression. A flag group at its start, such as `(?i)`, is accepted, because the service's dialect has it.
 */
export const pattern: Rule = (value) => {
  try {
    return new RegExp(value.replace(/^\(\?[a-z]+\)/, '')) && undefined
  } catch {
    return 'pattern' // The only possible error is an invalid expression, which is reported.
  }
}

export const rules = {
  colour,
  themeMode,
  domains,
  day,
  shortDay,
  url,
  origin,
  origins,
  postgres,
  amount,
  email,
  emails,
  phone,
  countryCode,
  channel,
  documentName,
  ownId,
  whole,
  positive,
  price,
  notNegative,
  year,
  callPath,
  pagePath,
  dayList,
  timeOfDay,
  kid,
  pattern,
}

export type RuleName = keyof typeof rules
