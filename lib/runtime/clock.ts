/**
 * The two clocks of the nodes: one that never jumps, for pauses and locks, and the one on the wall, for what outlives
 * the process.
 */
import type { Clock } from '../store/clock'

export { systemClock, type Clock } from '../store/clock'

/** A time of the clock that never jumps as milliseconds since 1970. */
export const toWall = (clock: Clock, time: number): number => clock.wall() + time - clock.now()

/** Milliseconds since 1970 as a time of the clock that never jumps. */
export const fromWall = (clock: Clock, wall: number): number => clock.now() + wall - clock.wall()
