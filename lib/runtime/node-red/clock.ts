/**
 * The two clocks of the nodes: one that never jumps, for pauses and locks, and the one on the wall, for what outlives
 * the process.
 */
export { systemClock, type Clock } from '../../store/clock'
