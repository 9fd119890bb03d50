/** Wakes those who wait for work: when something is due, or when something has come that is due earlier. */
import type { Clock } from '../clock'

export interface Nudge {
  /** Resolves when there may be something due, or the signal is aborted. */
  wait(signal: AbortSignal): Promise<void>
  /** Wakes everybody who waits. */
  now(): void
}

/** Timers are looked at again after so many milliseconds, whatever has happened to the clocks meanwhile. */
const longestMs = 60_000

/** `next` gives when something is due. */
export function createNudge(clock: Clock, next: () => number | undefined): Nudge {
  const waiting = new Set<() => void>()
  return {
    wait: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const end = () => {
          clearTimeout(timer)
          waiting.delete(end)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const span = Math.ceil((next() ?? Infinity) - clock.now())
        const timer = setTimeout(end, Math.min(Math.max(span, 0), longestMs))
        waiting.add(end)
        signal.addEventListener('abort', end)
      }),
    now() {
      for (const wake of waiting) wake()
    },
  }
}
