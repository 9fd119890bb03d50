/** Times of a schedule as Quartz writes them: seconds, minutes, hours, day of month, month, day of week, in UTC. */

const DAY_MS = 86_400_000

/** How many days ahead to look. */
const MAX_DAYS = 366

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** Whether a value matches a field of the schedule. */
type Fits = (value: number) => boolean

/**
 * The first time after `after`, both in milliseconds since 1970; undefined if this time is more than a year away, or if
 * the schedule can't be read (`L`, `W` and `#` are not supported).
 */
export function nextTime(schedule: string, after: number): number | undefined {
  const fields = schedule.trim().split(/\s+/)
  const fits = fields.map((field, index) => readField(field.toUpperCase(), index))
  const [second, minute, hour, day, month, weekday] = fits
  if (!second || !minute || !hour || !day || !month || !weekday) return undefined
  const midnight = Math.floor(after / DAY_MS) * DAY_MS
  const times = timesOfDay(hour, minute, second)
  for (let days = 0; days <= MAX_DAYS; days++) {
    const date = new Date(midnight + days * DAY_MS)
    if (!day(date.getUTCDate()) || !month(date.getUTCMonth() + 1) || !weekday(date.getUTCDay() + 1)) continue
    const time = times.find((one) => date.getTime() + one > after)
    if (time !== undefined) return date.getTime() + time
  }
  return undefined
}

/** The matching times of a day, in milliseconds after midnight; within a minute, only the first matching second. */
function timesOfDay(hour: Fits, minute: Fits, second: Fits): number[] {
  const upTo = (count: number, fits: Fits) => Array.from({ length: count }, (_none, index) => index).filter(fits)
  const [first] = upTo(60, second)
  if (first === undefined) return []
  return upTo(24, hour).flatMap((h) => upTo(60, minute).map((m) => ((h * 60 + m) * 60 + first) * 1000))
}

function readField(field: string, index: number): Fits | undefined {
  const parts = field.split(',').map((part) => readPart(part, index))
  if (parts.some((part) => part === undefined)) return undefined
  return (value) => parts.some((part) => part?.(value) === true)
}

/**
 * Reads a part of a field: `*`, `?`, `4`, `MON` or `1-5`. Each can have a step: `/2` means every second value from the
 * first on.
 */
function readPart(part: string, index: number): Fits | undefined {
  const [, range = '', every] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? []
  const step = Number(every ?? 1)
  const [from, to] =
    range === '*' || range === '?' ? [0, Infinity] : range.split('-').map((one) => numberOf(one, index))
  if (from === undefined || Number.isNaN(from) || !(step >= 1)) return undefined
  const last = to ?? (every === undefined ? from : Infinity)
  return (value) => value >= from && value <= last && (value - from) % step === 0
}

function numberOf(text: string, index: number): number {
  const weekday = index === 5 ? weekdays.indexOf(text) : -1
  return weekday >= 0 ? weekday + 1 : /^\d+$/.test(text) ? Number(text) : NaN
}
