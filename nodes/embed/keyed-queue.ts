/**
 * Runs the tasks of each key one after the other, with a pause between the starts: a caller that repeats itself only
 * waits longer.
 */
import { sleep } from '../../lib/api/call/retry'
import type { Clock } from '../../lib/store/clock'

export interface QueuedTask<T> {
  readonly result: Promise<T>
  /** A task of this name was waiting already: the result is that one's. */
  readonly joined: boolean
}

export interface KeyedQueue {
  /** Runs the task after those of the same key. */
  take<T>(key: string, name: string, task: () => Promise<T>): QueuedTask<T>
}

interface Queue {
  /** Those that have not begun, by name. */
  readonly waiting: Map<string, Promise<unknown>>
  last: Promise<unknown>
  /** Those that have been asked for and have not ended. */
  open: number
  /** When the next one may begin, by the clock that never jumps. */
  free: number
}

/** `pauseMs` lies between two starts of one key; the signal ends what has not begun by rejecting with its reason. */
export function createKeyedQueue(clock: Pick<Clock, 'now'>, pauseMs: number, signal: AbortSignal): KeyedQueue {
  const queues = new Map<string, Queue>()

  const begin = async <T>(queue: Queue, name: string, task: () => Promise<T>): Promise<T> => {
    await queue.last
    await sleep(Math.max(0, queue.free - clock.now()), signal)
    queue.waiting.delete(name)
    queue.free = clock.now() + pauseMs
    return task()
  }
  const forgetIdle = () => {
    const now = clock.now()
    for (const [key, queue] of queues) if (queue.open === 0 && queue.free <= now) queues.delete(key)
  }
  return {
    take<T>(key: string, name: string, task: () => Promise<T>) {
      const queue: Queue = queues.get(key) ?? { waiting: new Map(), last: Promise.resolve(), open: 0, free: 0 }
      const same = queue.waiting.get(name)
      if (same) return { result: same as Promise<T>, joined: true }
      if (!queues.has(key)) forgetIdle()
      queues.set(key, queue)
      queue.open++
      const result = begin(queue, name, task).finally(() => {
        queue.open--
        queue.waiting.delete(name)
      })
      queue.waiting.set(name, result)
      queue.last = result.catch(() => undefined)
      return { result, joined: false }
    },
  }
}
