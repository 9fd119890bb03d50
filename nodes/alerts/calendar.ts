/** Days and times of day in Node-RED's time zone. */

/** Returns the moment that is `days` weekdays (Monday to Friday) later, at the same time of day. */
export function afterWorkingDays(since: number, days: number): number {
  const date = new Date(since)
  // Adds whole weeks in a single step: with a limit of a billion days, adding single days would block Node-RED.
  const weeks = Math.max(0, Math.floor((days - 1) / 5))
  date.setDate(date.getDate() + weeks * 7)
  for (let left = days - weeks * 5; left > 0;) {
    date.setDate(date.getDate() + 1)
    if (date.getDay() !== 0 && date.getDay() !== 6) left--
  }
  return date.getTime()
}

/** Hours and minutes of a text such as `08:00`; undefined for any other text. */
export function readClockTime(text: string): readonly [hours: number, minutes: number] | undefined {
  const [, hours = '', minutes = ''] = /^\s*([01]?\d|2[0-3])[:.]([0-5]\d)\s*$/.exec(text) ?? []
  return hours === '' ? undefined : [Number(hours), Number(minutes)]
}

/**
 * The next moment after `now` at which the local clock shows this time. If the change to summer time skips it, the
 * result is an hour later; if the time occurs twice that day, the result is the first of the two.
 */
export function nextClockTime(now: number, [hours, minutes]: readonly [number, number]): number {
  const day = new Date(now)
  for (let ahead = 0; ; ahead++) {
    const at = new Date(day.getFullYear(), day.getMonth(), day.getDate() + ahead, hours, minutes).getTime()
    if (at > now) return at
  }
}
