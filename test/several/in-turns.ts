/** Works through a list with a few at a time. */

/** `parallel` at a time, in their order. Rejects with the first error. */
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
