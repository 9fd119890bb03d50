/** Lets so many statements at a time to the database, and those that a lease rests on before all others. */

export interface StatementQueue {
  /** Runs the task when it is its turn, however long that takes; `urgent` ones come first. */
  run<T>(urgent: boolean, task: () => Promise<T>): Promise<T>
  /** Rejects everything that has not begun; `error` makes a new one for each. */
  fail(error: () => unknown): void
}

interface Waiting {
  begin(): void
  reject(error: unknown): void
}

export function createStatementQueue(parallel: number): StatementQueue {
  const urgentOnes = new Set<Waiting>()
  const others = new Set<Waiting>()
  let running = 0

  const turn = (waiting: Set<Waiting>) =>
    new Promise<void>((resolve, reject) => void waiting.add({ begin: resolve, reject }))
  const next = () => {
    const from = urgentOnes.size > 0 ? urgentOnes : others
    const [first] = from
    if (!first) return void running--
    from.delete(first)
    first.begin()
  }
  return {
    async run(urgent, task) {
      if (running < parallel) running++
      else await turn(urgent ? urgentOnes : others)
      try {
        return await task()
      } finally {
        next()
      }
    },
    fail(error) {
      for (const waiting of [urgentOnes, others]) {
        const all = [...waiting]
        waiting.clear()
        for (const one of all) one.reject(error())
      }
    },
  }
}
