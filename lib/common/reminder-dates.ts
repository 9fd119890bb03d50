/** The dates and times of reminders, for the form that shows them and the node that sends them. */

/** Whether weekends are left out. */
export type ReminderDays = 'everyDay' | 'mondayToFriday'

/** Days of the calendar (`2031-05-02`), and a time of day (`08:00`), both where Node-RED is. */
export interface ReminderPlan {
  readonly dates: readonly string[]
  readonly at: string
  readonly days: ReminderDays
}

const longestDays = 365
const mostDays = 20

/** The days in "3, 7, 12"; undefined unless they are whole, rise, and are at most twenty within a year. */
export function daysIn(text: string): number[] | undefined {
  const words = text.split(',').map((one) => one.trim())
  if (words.length > mostDays || !words.every((one) => /^[1-9]\d{0,2}$/.test(one))) return undefined
  const days = words.map(Number)
  const isRising = days.every((day, index) => index === 0 || day > (days[index - 1] ?? 0))
  return isRising && (days.at(-1) ?? 0) <= longestDays ? days : undefined
}

/** Hours and minutes in "08:00"; undefined when it is no time of a day. */
export function timeIn(text: string): readonly [hours: number, minutes: number] | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(text.trim()) ?? []
  return hours === undefined ? undefined : [Number(hours), Number(minutes)]
}

/**
 * The dates so many days after that of `start`; one that falls on a weekend moves to Monday, where those are left out.
 */
export function datesAfter(start: Date, after: readonly number[], days: ReminderDays): string[] {
  const all = after.map((count) => {
    const date = new Date(start.getFullYear(), start.getMonth(), start.getDate() + count)
    while (!isAllowed(date, days)) date.setDate(date.getDate() + 1)
    return dateText(date)
  })
  // Two that have moved to the same Monday are one.
  return [...new Set(all)]
}

/** When this date has come, in milliseconds since 1970: 08:00 is 08:00 in summer and in winter. */
export function momentOf(date: string, at: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const [hours, minutes] = timeIn(at) ?? [8, 0]
  return new Date(year, month - 1, day, hours, minutes).getTime()
}

/** Reminders are not sent later in the day than this long after the time. */
const windowMs = 12 * 3_600_000

export interface NextReminder {
  /** The date that is due now; if several were missed, the latest. */
  readonly due?: string
  /** When there is something to do next, in milliseconds since 1970; absent when no date is left. */
  readonly next?: number
}

/** What is to be done at `now`; `handled` is the latest date that has been seen to. */
export function nextReminder(
  { dates, at, days }: ReminderPlan,
  handled: string | undefined,
  now: number,
): NextReminder {
  const todayText = dateText(new Date(now))
  // A date that is still to come was handled when the clock was wrong: those from today on are left.
  const isWrong = handled !== undefined && handled > todayText
  const left = dates.filter((date) => (isWrong ? date >= todayText : handled === undefined || date > handled))
  const passed = left.filter((date) => momentOf(date, at) <= now)
  const coming = left[passed.length]
  const next = coming === undefined ? undefined : momentOf(coming, at)
  const due = passed.at(-1)
  if (due === undefined) return withNext(next)
  const today = momentOf(dateText(new Date(now)), at)
  if (isAllowed(new Date(now), days) && today <= now && now < today + windowMs) return { due, ...withNext(next) }
  // What was missed comes at the next usual time, with the date after it if that is the same.
  return withNext(Math.min(next ?? Infinity, nextUsual(now, at, days)))
}

const withNext = (next: number | undefined) => (next === undefined ? {} : { next })

function nextUsual(now: number, at: string, days: ReminderDays): number {
  const date = new Date(now)
  while (momentOf(dateText(date), at) <= now || !isAllowed(date, days)) date.setDate(date.getDate() + 1)
  return momentOf(dateText(date), at)
}

function isAllowed(date: Date, days: ReminderDays): boolean {
  return days === 'everyDay' || (date.getDay() !== 0 && date.getDay() !== 6)
}

/** The day of the calendar where Node-RED is: `2031-05-02`. */
export function dateText(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
