/** Works through a list with a limited number of tasks at a time. */

/** Runs the task for each item in order, `parallel` at a time. Rejects with the first error. */
export async function inTurns<T>(
  items: readonly T[],
  parallel: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items]
  const lane = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await task(item)
  }
  await Promise.all(Array.from({ length: parallel }, lane))
}
