/** Runs tasks with the same key one after another, and tasks with different keys at once. */
import { offAbort, onAbort } from './on-abort'

export interface KeyedQueue {
  /**
   * Runs the task once all earlier tasks with the same key have settled. If `signal` is aborted, the task runs at once,
   * because a stopped flow must not wait. Returns the task's result.
   */
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Creates a queue that drops a key once the last task with this key has settled. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<void>>()
  return {
    run(key, task, signal) {
      const result = settledOrAborted(last.get(key), signal).then(task)
      const done = () => {
        if (last.get(key) === settled) last.delete(key)
      }
      const settled: Promise<void> = result.then(done, done)
      last.set(key, settled)
      return result
    },
  }
}

function settledOrAborted(before: Promise<void> | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (!before || signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      if (signal) offAbort(signal, end)
      resolve()
    }
    if (signal) onAbort(signal, end)
    void before.then(end)
  })
}
