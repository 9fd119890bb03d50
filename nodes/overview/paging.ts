/** Pages of rows that begin at a row and not at a number: what ends meanwhile moves no row past the reader. */
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
  rows: readonly OverviewRow[],
  { after, before }: TurnQuery,
): Pick<OverviewView, 'rows' | 'found' | 'page' | 'pages'> {
  const found = rows.length
  const from = after ? countUpTo(rows, after, 0) : before ? countUpTo(rows, before, -1) - pageSize : 0
  // Where a last page has ended altogether, the one before it is shown.
  const start = Math.max(0, from < found ? from : found - pageSize)
  const page = Math.ceil(start / pageSize)
  const pages = page + Math.max(1, Math.ceil((found - start) / pageSize))
  return { rows: rows.slice(start, start + pageSize), found, page, pages }
}

/** How many rows stand before the place; with `limit` 0 the one at the place counts too. */
function countUpTo(rows: readonly OverviewRow[], place: RowPlace, limit: -1 | 0): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row && compareRows(row, place) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
