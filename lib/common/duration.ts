/** Expresses a duration in a single unit, as people say it: "3 days", "2 hours". */

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
