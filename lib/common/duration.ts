/** Expresses a duration in a single unit, as people say it: "3 days", "in 2 hours". */

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

interface Duration {
  readonly unit: (typeof units)[number][0]
  readonly count: number
}

/**
 * A duration (positive or negative) as the nearest whole number of the largest unit that fits; undefined below half a
 * minute.
 */
export function roundedDuration(milliseconds: number): Duration | undefined {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000)
  // The unit is chosen after rounding, so that 59.6 minutes are 1 hour and 23.6 hours are 1 day.
  const roundedMs = minutes < 60 ? minutes * 60_000 : Math.round(minutes / 60) * 3_600_000
  const found = units.find(([, ms]) => roundedMs >= ms)
  if (!found) return undefined
  const [unit, ms] = found
  return { unit, count: Math.sign(milliseconds) * Math.round(Math.abs(milliseconds) / ms) }
}

/**
 * A duration as the distance of a time from now, in this language: "3 days ago", "in 2 hours"; undefined below half a
 * minute.
 */
export function distanceFromNow(milliseconds: number, language: string): string | undefined {
  const found = roundedDuration(milliseconds)
  if (!found) return undefined
  // In Norwegian, browsers write "døgn" for days, a word that offices do not use.
  const days = Math.abs(found.count) === 1 ? 'dag' : 'dager'
  return new Intl.RelativeTimeFormat(language).format(found.count, found.unit).replace(/\bdøgn\b/, days)
}
