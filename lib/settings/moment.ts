/** Reads a date and time in each of the ways in which people and programs write them, and writes it for the service. */

const date = String.raw`(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)|(?<day1>\d{1,2})\.(?<month1>\d{1,2})\.(?<year1>\d{4}))`
const time = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?`
const pattern = new RegExp(String.raw`^${date}(?:[T ]${time}(?<offset> ?(?:Z|[+-]\d\d:?\d\d))?)?$`, 'i')

/** Milliseconds since 1970 are at least this large. A smaller number is a count of days, or the date of a spreadsheet. */
const leastMilliseconds = 100_000_000_000

interface Parts {
  readonly year: number
  readonly month: number
  readonly day: number
}

/**
 * The moment as ISO 8601 with an offset; undefined if the value is no moment. Without an offset, the text is of this
 * computer's time zone. A date alone means the end of that day or, with `dayBegins`, its beginning. A `Date` at midnight
 * counts as a date alone, because programs that read spreadsheets and databases make such dates.
 */
export function momentOf(value: unknown, dayBegins = false): string | undefined {
  if (typeof value === 'number') return value >= leastMilliseconds ? fromMilliseconds(value) : undefined
  if (isDate(value)) return fromDate(value, dayBegins)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return /^\d{12,14}$/.test(text) ? fromMilliseconds(Number(text)) : fromText(text, dayBegins)
}

function fromMilliseconds(value: number): string | undefined {
  const at = new Date(value)
  return Number.isNaN(at.getTime()) ? undefined : written(at)
}

/** True for a date of any realm: a Function node has a `Date` of its own. */
const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]'

function fromDate(value: Date, dayBegins: boolean): string | undefined {
  if (Number.isNaN(value.getTime())) return undefined
  const year = value.getFullYear()
  const month = value.getMonth() + 1
  const day = value.getDate()
  if (isMidnight(value.getHours(), value.getMinutes(), value)) return ofDay({ year, month, day }, dayBegins)
  if (!isMidnight(value.getUTCHours(), value.getUTCMinutes(), value)) return written(value)
  const utcYear = value.getUTCFullYear()
  const utcMonth = value.getUTCMonth() + 1
  const utcDay = value.getUTCDate()
  return ofDay({ year: utcYear, month: utcMonth, day: utcDay }, dayBegins)
}

const isMidnight = (hours: number, minutes: number, value: Date) =>
  hours + minutes === 0 && value.getTime() % 60_000 === 0

function fromText(text: string, dayBegins: boolean): string | undefined {
  const groups = pattern.exec(text)?.groups
  if (!groups) return undefined
  const [year, month, day] = ['year', 'month', 'day'].map((name) => Number(groups[name] ?? groups[`${name}1`]))
  const [hour, minute, second] = ['hour', 'minute', 'second'].map((name) => Number(groups[name] ?? 0))
  const parts = { year: year ?? 0, month: month ?? 0, day: day ?? 0 }
  if (!isInCalendar(parts) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (groups.hour === undefined) return ofDay(parts, dayBegins)
  if (groups.offset === undefined)
    return written(new Date(parts.year, parts.month - 1, parts.day, hour, minute, second))
  // What has an offset is sent as it was typed, if it is ISO 8601.
  if (/^\d{4}-\d\d-\d\dT[^ ]+$/.test(text)) return Number.isNaN(Date.parse(text)) ? undefined : text
  return fromText(`${isoDay(parts)}T${text.split(/[T ]/i).slice(1).join('').toUpperCase()}`, dayBegins)
}

/** The first or the last second of a day. A day may begin late or end twice where the clock is changed at midnight. */
function ofDay({ year, month, day }: Parts, dayBegins: boolean): string {
  if (dayBegins) return written(new Date(year, month - 1, day))
  return written(new Date(new Date(year, month - 1, day + 1).getTime() - 1000))
}

/** False for 30 February, which `Date` turns into a day in March. */
function isInCalendar({ year, month, day }: Parts): boolean {
  const found = new Date(Date.UTC(year, month - 1, day))
  return year >= 1000 && found.getUTCMonth() === month - 1 && found.getUTCDate() === day
}

const two = (value: number) => String(Math.trunc(value)).padStart(2, '0')
const isoDay = ({ year, month, day }: Parts) => `${year}-${two(month)}-${two(day)}`

/** The moment in this computer's time zone, so that a reader who ignores the offset still sees the right day. */
function written(at: Date): string {
  const minutes = -at.getTimezoneOffset()
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
  const day = isoDay({ year: at.getFullYear(), month: at.getMonth() + 1, day: at.getDate() })
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}${offset}`
}
