/** Decides when the next row may be sent, so that the set rate is not exceeded. */
import type { Clock } from '../../../lib/store/clock'

export interface RateLimit {
  /** Milliseconds until the next row may be sent; 0 means now. */
  waitMs(): number
  /** Called when a row is sent. */
  take(): void
  /** Milliseconds between two rows; 0 without a limit. */
  readonly intervalMs: number
}

/** How many milliseconds may be caught up if a timer fires late. */
const slackMs = 50

const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000 } as const

/** Allows `rows` per unit; there is no limit if `rows` is not a number above 0. */
export function createRateLimit(rows: number, unit: keyof typeof unitMs, clock: Pick<Clock, 'now'>): RateLimit {
  const intervalMs = rows > 0 ? unitMs[unit] / rows : 0
  let next = -Infinity
  return {
    intervalMs,
    waitMs: () => (intervalMs === 0 ? 0 : Math.max(0, next - clock.now())),
    take() {
      const now = clock.now()
      next = (next > now - slackMs ? next : now) + intervalMs
    },
  }
}
