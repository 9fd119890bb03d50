/**
 * Cuts a part out of a long list. The part begins after a given row, not at an index. If waits before this row end
 * meanwhile, the reader still misses no row.
 */
import type { PartQuery, Place } from '../../page/view'

export interface Placed<Item> {
  readonly item: Item
  readonly place: Place
}

export function comparePlaces(one: Place, other: Place): number {
  // A loop and no callback, because lists of a hundred thousand rows are sorted with it.
  for (let at = 0; at < one.length; at++) {
    const left = one[at] ?? 0
    const right = other[at] ?? 0
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}

/** A part of a sorted list; `before` is the number of rows before the part. */
export function partOf<Item>(list: readonly Placed<Item>[], { rows, after }: PartQuery) {
  const wanted = after ? countUpTo(list, after) : 0
  // If no rows follow the position `after` any more, the last rows of the list are shown.
  const before = wanted < list.length ? wanted : Math.max(0, list.length - rows)
  return { items: list.slice(before, before + rows).map(({ item }) => item), before }
}

/** How many rows come before a position; with `limit` 0, a row at the position counts too. */
export function countUpTo(list: readonly Pick<Placed<unknown>, 'place'>[], wanted: Place, limit: -1 | 0 = 0): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const place = list[middle]?.place
    if (place && comparePlaces(place, wanted) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads a position in a request, as JSON; undefined if it is anything else. */
export function placeIn(said: unknown): Place | undefined {
  if (typeof said !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(said)
    return isPlace(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isPlace = (value: unknown): value is Place =>
  Array.isArray(value) && value.every((one) => typeof one === 'number' || typeof one === 'string')
