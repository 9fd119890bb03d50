/**
 * Measures a task without a clock: whether it lets other work run, and how its cost grows with its input. A task that
 * blocks the event loop lets no other work run.
 */

/** Resolves to the number of turns that other work had until `task` ended; rejects if `task` does. */
export async function turnsDuring(task: () => Promise<unknown>): Promise<number> {
  let turns = 0
  await atEachTurn(task, () => void turns++)
  return turns
}

/**
 * Resolves to how many times as much CPU time `task` takes if its input is ten times as long: about 10 if it reads its
 * input once, about 100 if it reads it once for each part. `size` is the length of the shorter input.
 */
export async function growth(task: (size: number) => unknown, size: number): Promise<number> {
  const cost = async (length: number) => {
    const costs: number[] = []
    for (let time = 0; time < 3; time++) {
      const since = process.cpuUsage()
      await task(length)
      costs.push(process.cpuUsage(since).user)
    }
    // Differences below a millisecond say nothing.
    return Math.max(1_000, Math.min(...costs))
  }
  return (await cost(10 * size)) / (await cost(size))
}

async function atEachTurn(task: () => Promise<unknown>, take: () => void): Promise<void> {
  let next: NodeJS.Immediate
  const again = () => {
    take()
    next = setImmediate(again)
  }
  next = setImmediate(again)
  try {
    await task()
  } finally {
    clearImmediate(next)
  }
}
