/** Limits the number of statements that run at the same time, and runs urgent statements first. */

interface StatementQueue {
  /** Runs the task when its turn comes, however long that takes. A task with a lower priority number runs first. */
  run<T>(priority: number, task: () => Promise<T>): Promise<T>
  /** Rejects all tasks that have not started; `error` creates a new error for each task. */
  fail(error: () => unknown): void
}

interface Waiting {
  begin(): void
  reject(error: unknown): void
}

/**
 * Creates a queue that runs at most `parallel` tasks at a time. `priorities` is the number of priority levels, which
 * begin at 0.
 */
export function createStatementQueue(parallel: number, priorities: number): StatementQueue {
  const lines = Array.from({ length: priorities }, () => new Set<Waiting>())
  let running = 0

  const turn = (priority: number) =>
    new Promise<void>((resolve, reject) => void lines[priority]?.add({ begin: resolve, reject }))
  const next = () => {
    const from = lines.find(({ size }) => size > 0)
    const [first] = from ?? []
    if (!from || !first) return void running--
    from.delete(first)
    first.begin()
  }
  return {
    async run(priority, task) {
      if (running < parallel) running++
      else await turn(priority)
      try {
        return await task()
      } finally {
        next()
      }
    },
    fail(error) {
      for (const waiting of lines) {
        const all = [...waiting]
        waiting.clear()
        for (const one of all) one.reject(error())
      }
    },
  }
}
