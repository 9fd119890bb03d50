/**
 * Runs the tasks of each key one after the other, with a pause between the starts: a caller that repeats itself only
 * waits longer.
 */
import { sleep } from '../../lib/api/call/retry'
import { createKeyedQueue } from '../../lib/common/keyed-queue'
import type { Clock } from '../../lib/store/clock'

export interface QueuedTask<T> {
  readonly result: Promise<T>
  /** A task of this name was waiting already: the result is that one's. */
  readonly joined: boolean
}

export interface PacedQueue {
  /** Runs the task after those of the same key. */
  take<T>(key: string, name: string, task: () => Promise<T>): QueuedTask<T>
}

/**
 * There are `pauseMs` between two starts of one key; the signal ends what has not begun by rejecting with its reason.
 */
export function createPacedQueue(clock: Pick<Clock, 'now'>, pauseMs: number, signal: AbortSignal): PacedQueue {
  const queue = createKeyedQueue()
  /** Those that have not begun. */
  const waiting = new Map<string, Promise<unknown>>()
  /** When the next task of a key may begin, by the clock that never jumps. */
  const free = new Map<string, number>()

  const forgetIdle = () => {
    const now = clock.now()
    for (const [key, at] of free) if (at <= now) free.delete(key)
  }
  return {
    take<T>(key: string, name: string, task: () => Promise<T>) {
      const place = JSON.stringify([key, name])
      const same = waiting.get(place)
      if (same) return { result: same as Promise<T>, joined: true }
      const begin = async () => {
        await sleep(Math.max(0, (free.get(key) ?? 0) - clock.now()), signal)
        forgetIdle()
        waiting.delete(place)
        free.set(key, clock.now() + pauseMs)
        return task()
      }
      const result: Promise<T> = queue.run(key, begin, signal).finally(() => {
        if (waiting.get(place) === result) waiting.delete(place)
      })
      waiting.set(place, result)
      return { result, joined: false }
    },
  }
}
