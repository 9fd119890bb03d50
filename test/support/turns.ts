/** Counts how often other work runs while a task is working: a task that blocks the event loop lets none run. */

/** Resolves to the number of turns that other work had until `task` ended; rejects if `task` does. */
export async function turnsDuring(task: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next: NodeJS.Immediate
  const take = () => {
    turns++
    next = setImmediate(take)
  }
  next = setImmediate(take)
  try {
    await task()
  } finally {
    clearImmediate(next)
  }
  return turns
}
