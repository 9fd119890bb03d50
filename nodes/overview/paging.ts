/** Pages of rows that begin at a row and not at a number: what ends meanwhile moves no row past the reader. */
import type { Entry } from './entry'
import type { OverviewRow, OverviewView, RowPlace, TurnQuery } from './view'

const pageSize = 50

type Placed = RowPlace & Pick<OverviewRow, 'progress'>

/** What is not over comes first: what ends soonest, then the oldest. What has ended follows, the latest first. */
export function compareRows(one: Placed, other: Placed): number {
  return (
    compare(other.ended ?? Infinity, one.ended ?? Infinity) ||
    compare(endOf(one), endOf(other)) ||
    compare(one.since ?? Infinity, other.since ?? Infinity) ||
    compare(one.id, other.id)
  )
}

/** When a list will be done changes all the time: it is no place for it. */
const endOf = ({ until = Infinity, progress }: Placed) => (progress ? Infinity : until)

const compare = <T extends number | string>(one: T, other: T) => (one < other ? -1 : Number(one > other))

/** The page after or before a row of an ordered list; the row may be gone by then. */
export function pageOf(
  entries: readonly Pick<Entry, 'row'>[],
  { after, before }: TurnQuery,
): Pick<OverviewView, 'rows' | 'found' | 'page' | 'pages'> {
  const found = entries.length
  const from = after ? countUpTo(entries, after, 0) : before ? countUpTo(entries, before, -1) - pageSize : 0
  // Where a last page has ended altogether, the one before it is shown.
  const start = Math.max(0, from < found ? from : found - pageSize)
  const page = Math.ceil(start / pageSize)
  const pages = page + Math.max(1, Math.ceil((found - start) / pageSize))
  const rows = entries.slice(start, start + pageSize).map(({ row }) => row)
  return { rows, found, page, pages }
}

/** How many rows stand before the place; with `limit` 0 the one at the place counts too. */
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
