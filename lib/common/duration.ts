/** How long a time is in the one unit that people say it in: "3 days", "2 hours". */

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export interface Duration {
  readonly unit: (typeof units)[number][0]
  readonly count: number
}

/** The nearest whole number of the largest unit that fits, of milliseconds of any sign; undefined below half a minute. */
export function roundedDuration(milliseconds: number): Duration | undefined {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000)
  // What is rounded to a whole hour or day is one.
  const roundedMs = minutes < 60 ? minutes * 60_000 : Math.round(minutes / 60) * 3_600_000
  const found = units.find(([, ms]) => roundedMs >= ms)
  if (!found) return undefined
  const [unit, ms] = found
  return { unit, count: Math.sign(milliseconds) * Math.round(Math.abs(milliseconds) / ms) }
}
