/** The clocks of a store: two monotonic ones, for spans, and one that survives a restart, for what is written down. */
import { uptime } from 'node:os'
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Milliseconds since some moment of this process; never goes back. */
  now(): number
  /** Milliseconds since 1970; may be set forward and back. */
  epochNow(): number
  /** Milliseconds since the machine was started; never set, and begins again with the machine. */
  uptime(): number
}

export const systemClock: Clock = {
  now: () => performance.now(),
  epochNow: () => Date.now(),
  uptime: () => uptime() * 1000,
}

/**
 * A moment as it is written down: in milliseconds since 1970, the span until then (negative: it has passed), and how
 * long the machine had been running. An earlier version wrote the first two.
 */
export type WrittenMoment = readonly [epoch: number, span: number, uptime?: number]

export function writeMoment(clock: Clock, moment: number): WrittenMoment {
  const span = moment - clock.now()
  return [Math.round(clock.epochNow() + span), Math.round(span), Math.round(clock.uptime())]
}

/**
 * The moment that was written down, perhaps by an earlier process. How much time has passed since then is uncertain:
 * the clock may have been set in between, and the machine may have been off. `late` takes the least that has
 * passed, for what must not end too early; `early` the most, for what may well be done sooner.
 */
export function readMoment(clock: Clock, written: WrittenMoment, doubt: 'early' | 'late'): number {
  const [epoch, span, then] = written
  const byEpoch = Math.max(0, clock.epochNow() - (epoch - span))
  const passed = then === undefined ? byEpoch : Math[doubt === 'late' ? 'min' : 'max'](byEpoch, byUptime(clock, then))
  return clock.now() + span - passed
}

/** What has passed at least: a machine that was started again has been running since then, perhaps for less. */
function byUptime(clock: Clock, then: number): number {
  const now = clock.uptime()
  // Some systems count in coarse steps.
  return now > then - 1000 ? Math.max(0, now - then) : now
}
