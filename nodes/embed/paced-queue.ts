/**
 * Runs the tasks of each key one after another, with a pause between their starts. A caller who sends many tasks has to
 * wait, and can't overload the service.
 */
import { sleep } from '../../lib/api/call/retry'
import { createKeyedQueue } from '../../lib/common/keyed-queue'
import type { Clock } from '../../lib/store/clock'

interface QueuedTask<T> {
  readonly result: Promise<T>
  /** Whether a task with this name was already waiting; `result` is then the result of that task. */
  readonly joined: boolean
}

interface PacedQueue {
  /** Runs the task after the earlier ones with the same key. */
  take<T>(key: string, name: string, task: () => Promise<T>): QueuedTask<T>
}

/**
 * Creates a queue in which tasks with the same key start at least `pauseMs` apart. If the signal is aborted, the tasks
 * that have not started reject with its reason.
 */
export function createPacedQueue(clock: Pick<Clock, 'now'>, pauseMs: number, signal: AbortSignal): PacedQueue {
  const queue = createKeyedQueue()
  /** Tasks that have not started. */
  const waiting = new Map<string, Promise<unknown>>()
  /** When the next task of a key may start, by the monotonic clock. */
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
