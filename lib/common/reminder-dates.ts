/** The dates and times of reminders, for the form that shows them and the node that sends them. */

/** Whether reminders are also sent on weekends. */
export type ReminderDays = 'everyDay' | 'mondayToFriday'

/** Calendar days (`2031-05-02`) and a time of day (`08:00`), both in Node-RED's time zone. */
export interface ReminderPlan {
  readonly dates: readonly string[]
  readonly at: string
  readonly days: ReminderDays
}

const longestDays = 365
const mostDays = 20

/**
 * The days in "3, 7, 12"; undefined unless they are whole numbers in ascending order, at most twenty, within a year.
 */
export function daysIn(text: string): number[] | undefined {
  const words = text.split(',').map((one) => one.trim())
  if (words.length > mostDays || !words.every((one) => /^[1-9]\d{0,2}$/.test(one))) return undefined
  const days = words.map(Number)
  const isRising = days.every((day, index) => index === 0 || day > (days[index - 1] ?? 0))
  return isRising && (days.at(-1) ?? 0) <= longestDays ? days : undefined
}

/** Hours and minutes in "08:00"; undefined if the text is not a time of day. */
export function timeIn(text: string): readonly [hours: number, minutes: number] | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(text.trim()) ?? []
  return hours === undefined ? undefined : [Number(hours), Number(minutes)]
}

/** The dates this many days after `start`. With `mondayToFriday`, a date on a weekend moves to Monday. */
export function datesAfter(start: Date, after: readonly number[], days: ReminderDays): string[] {
  const all = after.map((count) => {
    const date = new Date(start.getFullYear(), start.getMonth(), start.getDate() + count)
    while (!isAllowed(date, days)) date.setDate(date.getDate() + 1)
    return dateText(date)
  })
  // Two dates moved to the same Monday count once.
  return [...new Set(all)]
}

/**
 * This date at the time of day `at`, in milliseconds since 1970. `at` is local time, so 08:00 is 08:00 in summer and
 * winter.
 */
export function momentOf(date: string, at: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const [hours, minutes] = timeIn(at) ?? [8, 0]
  return new Date(year, month - 1, day, hours, minutes).getTime()
}

/** How late a reminder may be sent on the same day, in milliseconds. */
const windowMs = 12 * 3_600_000
/**
 * How late a reminder may be sent after midnight, in milliseconds: enough for a reminder due at 23:59 that is a little
 * late, but too little for a message in the middle of the night.
 */
const pastMidnightMs = 3_600_000

interface NextReminder {
  /** The date whose reminder is due now; if several dates were missed, the latest of them. */
  readonly due?: string
  /** The day for which `due` is sent: today or, just after midnight, yesterday. Set whenever `due` is set. */
  readonly day?: string
  /** The time of the next step, in milliseconds since 1970; absent if no date is left. */
  readonly next?: number
}

/** Decides what to do at `now`. `handled` is the latest date whose reminder was already handled. */
export function nextReminder(
  { dates, at, days }: ReminderPlan,
  handled: string | undefined,
  now: number,
): NextReminder {
  const todayText = dateText(new Date(now))
  // A handled date in the future was recorded while the clock was wrong. In this case, all dates from today on count as
  // not handled.
  const isWrong = handled !== undefined && handled > todayText
  const left = dates.filter((date) => (isWrong ? date >= todayText : handled === undefined || date > handled))
  const passed = left.filter((date) => momentOf(date, at) <= now)
  const coming = left[passed.length]
  const next = coming === undefined ? undefined : momentOf(coming, at)
  const due = passed.at(-1)
  if (due === undefined) return withNext(next)
  const day = dayOf(now, at, days)
  if (day !== undefined) return { due, day, ...withNext(next) }
  // A missed reminder is sent at the next usual time. If the next date falls on the same time, both become one
  // reminder.
  return withNext(Math.min(next ?? Infinity, nextUsual(now, at, days)))
}

/**
 * The day whose reminders may be sent at `now`: today or, just after midnight, yesterday; undefined if no reminder may
 * be sent.
 */
function dayOf(now: number, at: string, days: ReminderDays): string | undefined {
  const possible = [[new Date(now), windowMs] as const, [dayBefore(now), pastMidnightMs] as const]
  const found = possible.find(([date, longest]) => {
    const since = now - momentOf(dateText(date), at)
    return isAllowed(date, days) && since >= 0 && since < longest
  })
  return found && dateText(found[0])
}

/** The calendar day before `now`, at the same time of day; `now` is in milliseconds since 1970. */
function dayBefore(now: number): Date {
  const date = new Date(now)
  date.setDate(date.getDate() - 1)
  return date
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

/** The calendar day in Node-RED's time zone: `2031-05-02`. */
export function dateText(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
