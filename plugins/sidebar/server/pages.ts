/**
 * Cuts a part out of a long list. The part begins after a given row, not at an index. If waits before this row end
 * meanwhile, the reader still misses no row.
 */
import type { PartQuery, Place } from '../view'

export interface Placed<Item> {
  readonly item: Item
  readonly place: Place
}

export function comparePlaces(one: Place, other: Place): number {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1
}

/** A part of a sorted list; `before` is the number of rows before the part. */
export function partOf<Item>(list: readonly Placed<Item>[], { rows, after }: PartQuery) {
  const wanted = after ? countUpTo(list, after) : 0
  // If no rows follow the position `after` any more, the last rows of the list are shown.
  const before = wanted < list.length ? wanted : Math.max(0, list.length - rows)
  return { items: list.slice(before, before + rows).map(({ item }) => item), before }
}

function countUpTo(list: readonly Placed<unknown>[], after: Place): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const place = list[middle]?.place
    if (place && comparePlaces(place, after) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads a position from a request parameter; undefined if the parameter contains anything else. */
export function placeIn(said: unknown): Place | undefined {
  if (typeof said !== 'string') return undefined
  try {
    const values: unknown = JSON.parse(said)
    const isPlace = Array.isArray(values) && values.every((one) => typeof one === 'number' || typeof one === 'string')
    return isPlace ? (values as Place) : undefined
  } catch {
    return undefined
  }
}
