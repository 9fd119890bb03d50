/** The two clocks: one that never jumps, for pauses and locks, and the one on the wall, for what outlives the process. */

export interface Clock {
  /** Milliseconds that only ever grow, whatever becomes of the clock of the machine. */
  now(): number
  /** Milliseconds since 1970, as the machine has it. */
  wall(): number
}

export const systemClock: Clock = { now: () => performance.now(), wall: () => Date.now() }

/** A time of the clock that never jumps as milliseconds since 1970. */
export const toWall = (clock: Clock, time: number): number => clock.wall() + time - clock.now()

/** Milliseconds since 1970 as a time of the clock that never jumps. */
export const fromWall = (clock: Clock, wall: number): number => clock.now() + wall - clock.wall()
