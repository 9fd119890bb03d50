/** The texts that replace `{date}` and `{time}` in a text with fields. */
import { dateText } from '../../common/reminder-dates'

export interface ClockWords {
  readonly date: string
  readonly time: string
}

/** The current date and time where Node-RED runs, in ISO 8601: `2031-12-31` and `08:00`. */
export function currentWords(): ClockWords {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, '0')
  return { date: dateText(now), time: `${two(now.getHours())}:${two(now.getMinutes())}` }
}

/**
 * Placeholders for any date and any time, in a text with which another text is compared. These characters have no
 * meaning of their own.
 */
export const anyMoment: ClockWords = { date: '\ue0da', time: '\ue0de' }

/** Whether a text in these settings may contain the date or the time of the message. */
export const namesMoment = (config: object): boolean => /\{\s*(?:date|time)\s*\}/.test(JSON.stringify(config))

/** Whether `text` equals `wanted`, in which each `anyMoment` stands for any date or time. */
export function isAtAnyMoment(text: string, wanted: string): boolean {
  // Most texts contain neither date nor time. They are compared without a pattern, because compiling one takes time.
  if (!wanted.includes(anyMoment.date) && !wanted.includes(anyMoment.time)) return text === wanted
  const written = wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = written.replaceAll(anyMoment.date, '\\d{4}-\\d\\d-\\d\\d').replaceAll(anyMoment.time, '\\d\\d:\\d\\d')
  return new RegExp(`^${pattern}$`, 'u').test(text)
}
