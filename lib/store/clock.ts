/**
 * The two clocks of a store: one that nobody sets, for spans; one that survives a restart, for what is written down.
 */
import { performance } from 'node:perf_hooks'

export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number
  /** Milliseconds since 1970; may be set forth and back. */
  epochNow(): number
}

export const systemClock: Clock = { now: () => performance.now(), epochNow: () => Date.now() }

/**
 * A moment as it is written down: with the span until then, so that a clock that was set back can't make it longer.
 */
export type Written = readonly [wall: number, span: number]

export function writeMoment(clock: Clock, moment: number): Written {
  const span = moment - clock.now()
  return [Math.round(clock.epochNow() + span), Math.round(span)]
}

/** The moment of what was written down, perhaps by an earlier process. */
export function readMoment(clock: Clock, [wall, span]: Written): number {
  return clock.now() + Math.min(wall - clock.epochNow(), span)
}
