/** Runs tasks with the same key one after the other, and all others at once. */

export interface KeyedQueue {
  /**
   * Runs the task when those given before it with the same key have settled, or when `signal` is aborted: a flow that
   * is stopped waits for nothing. The result is the task's own.
   */
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Forgets a key once its last task has settled. */
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
      signal?.removeEventListener('abort', end)
      resolve()
    }
    signal?.addEventListener('abort', end, { once: true })
    void before.then(end)
  })
}
