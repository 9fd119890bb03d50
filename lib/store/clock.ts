/** The clocks of a store: two monotonic ones, for durations, and one that survives a restart, for stored times. */
import { uptime } from 'node:os'
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Milliseconds since a fixed moment of this process; never goes back. */
  now(): number
  /** Milliseconds since 1970; may be set forward and back. */
  epochNow(): number
  /** Milliseconds since the machine started; never set, but starts again with the machine. */
  uptime(): number
}

export const systemClock: Clock = {
  now: () => performance.now(),
  epochNow: () => Date.now(),
  uptime: () => uptime() * 1000,
}

/**
 * A moment as stored: the time of storing in milliseconds since 1970, the span from then to the moment (negative if
 * past), and how long the machine had been running. An earlier version stored only the first two.
 */
export type WrittenMoment = readonly [epoch: number, span: number, uptime?: number]

export function writeMoment(clock: Clock, moment: number): WrittenMoment {
  const span = moment - clock.now()
  return [Math.round(clock.epochNow() + span), Math.round(span), Math.round(clock.uptime())]
}

/**
 * Reads a stored moment, perhaps from an earlier process. The time passed since then is uncertain: the clock may have
 * been set in between, and the machine may have been off. `late` assumes the least that can have passed, for what must
 * not end too early; `early` the most, for what may well happen sooner.
 */
export function readMoment(clock: Clock, written: WrittenMoment, doubt: 'early' | 'late'): number {
  const [epoch, span, then] = written
  const byEpoch = Math.max(0, clock.epochNow() - (epoch - span))
  const passed = then === undefined ? byEpoch : Math[doubt === 'late' ? 'min' : 'max'](byEpoch, byUptime(clock, then))
  return clock.now() + span - passed
}

/** The least time that has passed: after a restart of the machine, its uptime is a lower bound. */
function byUptime(clock: Clock, then: number): number {
  const now = clock.uptime()
  // Some systems count in coarse steps.
  return now > then - 1000 ? Math.max(0, now - then) : now
}
