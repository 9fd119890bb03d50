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

/** An interruption between two reads makes the date seem set, but not by more than this. */
const interruptionMs = 100
/** Some systems count the time since their start in steps of this length. */
const uptimeStepMs = 1000

/**
 * Returns a function that reads all clocks as of one moment. Moments that are written and read with such a reading keep their
 * order, even if the process was interrupted between reading one clock and the next.
 */
export function createClockReader(clock: Clock): () => Clock {
  let origin = NaN
  return () => {
    const now = clock.now()
    const found = clock.epochNow() - now
    if (!(Math.abs(found - origin) <= interruptionMs)) origin = found
    const [epoch, uptime] = [origin + now, clock.uptime()]
    return { now: () => now, epochNow: () => epoch, uptime: () => uptime }
  }
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
  const byEpoch = clock.epochNow() - (epoch - span)
  const counted = then === undefined ? Math.max(0, byEpoch) : byUptime(clock, then)
  // If both agree, the clock's value is used as it is, because it has finer steps.
  if (Math.abs(counted - byEpoch) <= uptimeStepMs) return clock.now() + span - byEpoch
  return clock.now() + span - Math[doubt === 'late' ? 'min' : 'max'](Math.max(0, byEpoch), counted)
}

/** The least time that has passed: after a restart of the machine, its uptime is a lower bound. */
function byUptime(clock: Clock, then: number): number {
  const now = clock.uptime()
  return now > then - uptimeStepMs ? Math.max(0, now - then) : now
}
