/** How often others have their turn while something works: what keeps the event loop to itself lets none in. */

/** Resolves to the number of turns that others had until `task` was over; rejects as the task does. */
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
