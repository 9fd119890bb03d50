/** Sorts a large number of items in parts, so that the event loop stays responsive. */
import { createYielder } from './event-loop'

/** The number of items that are sorted in one step, or merged before the time is checked. */
const atOnce = 1_000

/** A new list in the order of `compare`; equal items keep their order. */
export async function sortInTurns<T>(items: readonly T[], compare: (one: T, other: T) => number): Promise<T[]> {
  const giveWay = createYielder()
  let parts: T[][] = []
  for (let at = 0; at < items.length; at += atOnce) {
    parts.push(items.slice(at, at + atOnce).sort(compare))
    await giveWay()
  }
  while (parts.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < parts.length; at += 2) merged.push(await merge(parts[at] ?? [], parts[at + 1] ?? []))
    parts = merged
  }
  return parts[0] ?? []

  async function merge(one: readonly T[], other: readonly T[]): Promise<T[]> {
    const all: T[] = []
    let left = 0
    let right = 0
    while (all.length < one.length + other.length) {
      const isLeft = right >= other.length || (left < one.length && compare(one[left] as T, other[right] as T) <= 0)
      all.push((isLeft ? one[left++] : other[right++]) as T)
      if (all.length % atOnce === 0) await giveWay()
    }
    return all
  }
}
