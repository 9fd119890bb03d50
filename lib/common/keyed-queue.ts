/** Runs tasks with the same key one after the other, and all others at once. */

export interface KeyedQueue<Key> {
  /**
   * Runs the task after those that were given before it with the same key have settled; the result is the task's own.
   */
  run<T>(key: Key, task: () => Promise<T>): Promise<T>
}

/** Keeps nothing of a key once its last task has settled. */
export function createKeyedQueue<Key>(): KeyedQueue<Key> {
  const last = new Map<Key, Promise<unknown>>()
  return {
    run(key, task) {
      const result = (last.get(key) ?? Promise.resolve()).then(task)
      const settled = result.catch(() => undefined).then(() => void (last.get(key) === settled && last.delete(key)))
      last.set(key, settled)
      return result
    },
  }
}
