/** A part of a long list that begins behind a row and not at a number: what ends meanwhile moves no row past the reader. */
import type { Place } from '../view'

export interface Placed<Item> {
  readonly item: Item
  readonly place: Place
}

/** Which part is asked for. */
export interface PartQuery {
  /** How many rows there is room for. */
  readonly rows: number
  /** The row before it, which may be gone by then; absent: from the start. */
  readonly after?: Place | undefined
}

export function comparePlaces(one: Place, other: Place): number {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1
}

/** Of a list in the order of its places; `before` says how many stand before the part. */
export function partOf<Item>(list: readonly Placed<Item>[], { rows, after }: PartQuery) {
  const wanted = after ? countUpTo(list, after) : 0
  // Where a last part has ended altogether, the end of the one before it is shown.
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

/** A place as a request has it; undefined for anything else. */
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
