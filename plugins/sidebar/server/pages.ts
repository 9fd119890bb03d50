/** A part of a long list that begins after a row, not at a number: if rows end meanwhile, the reader misses none. */
import type { Place } from '../view'

export interface Placed<Item> {
  readonly item: Item
  readonly place: Place
}

/** The requested part. */
export interface PartQuery {
  /** How many rows the tab can show. */
  readonly rows: number
  /** The row before the part, which may be gone by now; absent: from the start. */
  readonly after?: Place | undefined
}

export function comparePlaces(one: Place, other: Place): number {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1
}

/** A part of a list in order; `before` is the number of rows before the part. */
export function partOf<Item>(list: readonly Placed<Item>[], { rows, after }: PartQuery) {
  const wanted = after ? countUpTo(list, after) : 0
  // If the last part has become empty, the end of the previous one is shown.
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

/** A position from a request; undefined for anything else. */
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
