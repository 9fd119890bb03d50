/** The clocks of a store: a monotonic one for durations, and one for dates. */
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Milliseconds since a fixed moment of this process; never goes back. */
  now(): number
  /** Milliseconds since 1970. This clock may be set forward and back. */
  epochNow(): number
}

export const systemClock: Clock = {
  now: () => performance.now(),
  epochNow: () => Date.now(),
}
