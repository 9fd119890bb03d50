/** Works through very many things a part at a time, so that the turns of the loop stay short. */
import { nextTurn } from '../common/event-loop'

/** Hands over so many at a time, each part in a turn of its own; the first one at once. */
export async function inTurns<T>(
  items: readonly T[],
  size: number,
  task: (part: readonly T[]) => Promise<void> | void,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await nextTurn()
    await task(items.slice(at, at + size))
  }
}

/** How many are sorted in one turn. */
const sortedAtOnce = 5_000

/** The same items in order; what compares as equal keeps its order. */
export async function sortInTurns<T>(items: readonly T[], keyOf: (item: T) => number): Promise<T[]> {
  let runs: T[][] = []
  await inTurns(items, sortedAtOnce, (part) => {
    runs.push([...part].sort((one, other) => keyOf(one) - keyOf(other)))
  })
  while (runs.length > 1) {
    const pairs = Array.from({ length: Math.ceil(runs.length / 2) }, (_none, at) => runs.slice(2 * at, 2 * at + 2))
    runs = []
    await inTurns(pairs, 1, ([[one = [], other = []] = []]) => void runs.push(merge(one, other, keyOf)))
  }
  return runs[0] ?? []
}

function merge<T>(one: readonly T[], other: readonly T[], keyOf: (item: T) => number): T[] {
  const merged: T[] = []
  let at = 0
  for (const item of one) {
    for (let next = other[at]; next !== undefined && keyOf(next) < keyOf(item); next = other[at]) {
      merged.push(next)
      at++
    }
    merged.push(item)
  }
  for (; at < other.length; at++) merged.push(other[at] as T)
  return merged
}
