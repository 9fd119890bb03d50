/** Says when the next row may go, so that no more than so many go in a span of time. */
import type { Clock } from '../../../lib/store/clock'

export interface RateLimit {
  /** Milliseconds until the next one may go; 0: now. */
  waitMs(): number
  /** One goes. */
  take(): void
  /** Milliseconds from one to the next; 0 without a limit. */
  readonly intervalMs: number
}

/** What a late timer has cost may be caught up on, but no burst of more than this many milliseconds. */
const slackMs = 50

const unitMs = { second: 1000, minute: 60_000, hour: 3_600_000 } as const

/** `rows` per unit; without a limit when that is not a number above 0. */
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
