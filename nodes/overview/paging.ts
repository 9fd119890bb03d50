/**
 * Divides rows into pages. A page begins at a given row and not at a fixed number, so that a reader misses no row if
 * other rows end meanwhile.
 */
import type { Entry } from './entry'
import type { OverviewRow, OverviewView, RowPlace, TurnQuery } from './view'

const pageSize = 50

type Placed = RowPlace & Pick<OverviewRow, 'progress'>

/**
 * Compares two rows by display order. Open rows come first: those that end soonest, then the oldest. Ended rows follow,
 * most recent first.
 */
export function compareRows(one: Placed, other: Placed): number {
  return (
    compare(other.ended ?? Infinity, one.ended ?? Infinity) ||
    compare(endOf(one), endOf(other)) ||
    compare(one.since ?? Infinity, other.since ?? Infinity) ||
    compare(one.id, other.id)
  )
}

/** The end by which a row is sorted. The estimated end of a list does not count, because it changes all the time. */
const endOf = ({ until = Infinity, progress }: Placed) => (progress ? Infinity : until)

const compare = <T extends number | string>(one: T, other: T) => (one < other ? -1 : Number(one > other))

/** Returns the page after or before a row of an ordered list; the row may no longer exist. */
export function pageOf(
  entries: readonly Pick<Entry, 'row'>[],
  { after, before }: TurnQuery,
): Pick<OverviewView, 'rows' | 'found' | 'page' | 'pages'> {
  const found = entries.length
  const from = after ? countUpTo(entries, after, 0) : before ? countUpTo(entries, before, -1) - pageSize : 0
  // If no rows are left on the last page, the page before it is shown.
  const start = Math.max(0, from < found ? from : found - pageSize)
  const page = Math.ceil(start / pageSize)
  const pages = page + Math.max(1, Math.ceil((found - start) / pageSize))
  const rows = entries.slice(start, start + pageSize).map(({ row }) => row)
  return { rows, found, page, pages }
}

/** Returns how many rows come before a position; with `limit` 0, a row at the position counts too. */
function countUpTo(entries: readonly Pick<Entry, 'row'>[], place: RowPlace, limit: -1 | 0): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = entries[middle]?.row
    if (row && compareRows(row, place) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
