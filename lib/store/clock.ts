/**
 * The clocks of a store: a monotonic clock for durations, and two clocks for stored times, which are read again after a
 * restart.
 */
import { uptime } from 'node:os'
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Milliseconds since a fixed moment of this process; never goes back. */
  now(): number
  /** Milliseconds since 1970. This clock may be set forward and back. */
  epochNow(): number
  /** Milliseconds since the machine started. This clock is never set, but starts again with the machine. */
  uptime(): number
}

export const systemClock: Clock = {
  now: () => performance.now(),
  epochNow: () => Date.now(),
  uptime: () => uptime() * 1000,
}

/**
 * The largest difference between two clocks, in milliseconds, that is explained by an interruption of the process. A
 * larger difference means that the system clock has been set.
 */
const interruptionMs = 100
/** Some systems count the time since the start of the machine in steps of this many milliseconds. */
const uptimeStepMs = 1000

/**
 * Returns a function that reads all clocks at the same moment. If moments are written and read with these clocks, they
 * keep their order, even if the process was interrupted between reading one clock and the next.
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
 * A moment as it is stored. `epoch` is the moment in milliseconds since 1970. `span` is the time from storing until the
 * moment; it is negative if the moment had passed. `uptime` is how long the machine had been running at the time of
 * storing. An earlier version stored no `uptime`.
 */
export type WrittenMoment = readonly [epoch: number, span: number, uptime?: number]

export function writeMoment(clock: Clock, moment: number): WrittenMoment {
  const span = moment - clock.now()
  return [Math.round(clock.epochNow() + span), Math.round(span), Math.round(clock.uptime())]
}

/**
 * Reads a stored moment, which an earlier process may have stored. The time that has passed since then is uncertain:
 * the clock may have been set in the meantime, and the machine may have been off. `late` assumes the shortest possible
 * time, for a moment that must not come too early; `early` assumes the longest possible time, for a moment that must
 * not come too late.
 */
export function readMoment(clock: Clock, written: WrittenMoment, doubt: 'early' | 'late'): number {
  const [epoch, span, then] = written
  const byEpoch = clock.epochNow() - (epoch - span)
  const counted = then === undefined ? Math.max(0, byEpoch) : byUptime(clock, then)
  // If both clocks agree, the value of the settable clock is used, because it has finer steps.
  if (Math.abs(counted - byEpoch) <= uptimeStepMs) return clock.now() + span - byEpoch
  return clock.now() + span - Math[doubt === 'late' ? 'min' : 'max'](Math.max(0, byEpoch), counted)
}

/** The shortest time that can have passed. After a restart of the machine, this is the time since that restart. */
function byUptime(clock: Clock, then: number): number {
  const now = clock.uptime()
  return now > then - uptimeStepMs ? Math.max(0, now - then) : now
}
