/** Wakes the nodes that wait for work: when their next item is due, or when an item is stored that is due earlier. */
import type { Clock } from '../../clock'

interface DueSignal {
  /** Resolves when this node may have work, or the signal is aborted. */
  ready(node: string, kind: string, signal: AbortSignal): Promise<void>
  /** Wakes this node in this many milliseconds. */
  notify(node: string, kind: string, dueMs: number): void
  /** Resolves all waiting calls. */
  close(): void
}

/** The longest timer in milliseconds; timers of more than 24 days do not exist. */
const longestMs = 60_000

/** `next` returns in how many milliseconds the next item of a node is due; undefined if it has none. */
export function createDueSignal(
  clock: Pick<Clock, 'now'>,
  next: (node: string, kind: string) => Promise<number | undefined>,
): DueSignal {
  const waiting = new Map<string, Set<(dueMs: number) => void>>()
  const workKey = (node: string, kind: string) => JSON.stringify([node, kind])
  const soon = (key: string, dueMs: number) => {
    for (const wake of waiting.get(key) ?? []) wake(dueMs)
  }
  return {
    notify: (node, kind, dueMs) => soon(workKey(node, kind), dueMs),
    ready: (node, kind, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const key = workKey(node, kind)
        const here = waiting.get(key) ?? new Set()
        let timer: NodeJS.Timeout | undefined
        let at = Infinity
        const end = () => {
          clearTimeout(timer)
          here.delete(wake)
          if (here.size === 0) waiting.delete(key)
          signal.removeEventListener('abort', end)
          resolve()
        }
        const wake = (dueMs: number) => {
          if (dueMs <= 0) return end()
          const span = Math.min(Math.ceil(dueMs), longestMs)
          if (clock.now() + span >= at) return
          at = clock.now() + span
          clearTimeout(timer)
          timer = setTimeout(end, span)
        }
        waiting.set(key, here.add(wake))
        signal.addEventListener('abort', end)
        wake(longestMs)
        void next(node, kind).then(
          (span) => here.has(wake) && span !== undefined && wake(span),
          () => undefined,
        )
      }),
    close() {
      for (const key of [...waiting.keys()]) soon(key, 0)
    },
  }
}
