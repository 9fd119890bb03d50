/** Limits the number of tasks that run at the same time, and runs urgent tasks first. */

export interface Turns {
  /** Runs the task when its turn comes, however long that takes. A task with a lower priority number runs first. */
  run<T>(priority: number, task: () => Promise<T>): Promise<T>
  /** Rejects all tasks that have not started; `error` creates a new error for each task. */
  fail(error: () => unknown): void
}

interface Waiting {
  begin(): void
  reject(error: unknown): void
}

/** The tasks of one priority; `items` before `next` have begun. */
interface Line {
  items: Waiting[]
  next: number
}

/** The number of tasks that have begun before they are removed from the line, so that each removal is cheap. */
const begunAtMost = 1_000

/** Runs at most `parallel` tasks at a time. `priorities` is the number of priority levels, which begin at 0. */
export function createTurns(parallel: number, priorities = 1): Turns {
  const lines = Array.from({ length: priorities }, (): Line => ({ items: [], next: 0 }))
  let running = 0

  const turn = (priority: number) =>
    new Promise<void>((resolve, reject) => void lines[priority]?.items.push({ begin: resolve, reject }))
  const next = () => {
    const line = lines.find(({ items, next: at }) => at < items.length)
    const first = line?.items[line.next++]
    if (!line || !first) return void running--
    if (line.next > Math.max(begunAtMost, line.items.length / 2))
      Object.assign(line, { items: line.items.slice(line.next), next: 0 })
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
      for (const line of lines) {
        const all = line.items.slice(line.next)
        Object.assign(line, { items: [], next: 0 })
        for (const one of all) one.reject(error())
      }
    },
  }
}
