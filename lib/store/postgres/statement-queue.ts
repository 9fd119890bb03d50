/** Limits the number of statements at a time, and runs urgent ones first. */

export interface StatementQueue {
  /** Runs the task in turn, however long that takes: a lower number goes first. */
  run<T>(priority: number, task: () => Promise<T>): Promise<T>
  /** Rejects everything that has not started; `error` creates a new error for each. */
  fail(error: () => unknown): void
}

interface Waiting {
  begin(): void
  reject(error: unknown): void
}

/** `priorities` is the number of levels, from 0. */
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
