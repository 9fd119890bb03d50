/** Reads dates as many people write them, such as 31.12.2026, with or without a time. */

const dayFirst = /^\s*(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:,?\s+(?:kl\.?\s*)?(\d{1,2})[:.](\d\d))?\s*$/

/**
 * Converts a date such as 31.12.2026 to ISO 8601 in this computer's time zone; undefined for any other text. A date
 * without a time means the end of the day or, with `dayBegins`, the beginning of the day.
 */
export function dayFirstMoment(text: string, dayBegins: boolean): string | undefined {
  const [day, month, year, hour, minute] = (dayFirst.exec(text) ?? []).slice(1).map(Number)
  if (day === undefined || month === undefined || year === undefined) return undefined
  const hasTime = Number.isInteger(hour) && Number.isInteger(minute)
  const [hours, minutes, seconds] = hasTime ? [hour ?? 0, minute ?? 0, 0] : dayBegins ? [0, 0, 0] : [23, 59, 59]
  const moment = new Date(year, month - 1, day, hours, minutes, seconds)
  const isThere = moment.getMonth() === month - 1 && moment.getDate() === day && hours < 24 && minutes < 60
  return isThere ? moment.toISOString() : undefined
}
