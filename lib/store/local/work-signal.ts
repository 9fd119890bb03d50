/**
 * Signals that there may be work: when an item becomes due, or when an item is added that is due earlier than all
 * others.
 */
import type { Clock } from '../clock'

export interface WorkSignal {
  /** Resolves when something may be due, or when the signal is aborted. */
  wait(signal: AbortSignal): Promise<void>
  /** Resolves every `wait`. */
  notify(): void
}

/** The longest timer in milliseconds; it is limited so that a changed clock is noticed. */
const longestMs = 60_000

/** `next` returns the time at which the next item is due. */
export function createWorkSignal(clock: Clock, next: () => number | undefined): WorkSignal {
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
    notify() {
      for (const wake of waiting) wake()
    },
  }
}
