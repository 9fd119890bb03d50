/** Counts how often other work runs while a task is working: a task that blocks the event loop lets none run. */

/** Resolves to the number of turns that other work had until `task` ended; rejects if `task` does. */
export async function turnsDuring(task: () => Promise<unknown>): Promise<number> {
  let turns = 0
  await atEachTurn(task, () => void turns++)
  return turns
}

/**
 * Resolves to the milliseconds that the longest turn took while `task` was working. Only the time of this process
 * counts, so that other programs on the machine make no difference.
 */
export async function longestTurn(task: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let since = process.cpuUsage()
  await atEachTurn(task, () => {
    longest = Math.max(longest, process.cpuUsage(since).user / 1000)
    since = process.cpuUsage()
  })
  return longest
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
