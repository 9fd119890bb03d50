/**
 * Divides rows into pages. A page begins at a given row and not at a fixed number, so that a reader misses no row if
 * other rows end meanwhile.
 */
import { comparePlaces, countUpTo } from '../../lib/runtime/people/pages'
import type { Entry } from './entry'
import type { OverviewView, TurnQuery } from './view'

const pageSize = 50

/** Compares two entries by display order. */
export const compareEntries = (one: Pick<Entry, 'place'>, other: Pick<Entry, 'place'>) =>
  comparePlaces(one.place, other.place)

/** Returns the page after or before a row of an ordered list; the row may no longer exist. */
export function pageOf(
  entries: readonly Pick<Entry, 'row' | 'place'>[],
  { after, before }: TurnQuery,
): Pick<OverviewView, 'rows' | 'found' | 'page' | 'pages'> {
  const found = entries.length
  const from = after ? countUpTo(entries, after) : before ? countUpTo(entries, before, -1) - pageSize : 0
  // If no rows are left on the last page, the page before it is shown.
  const start = Math.max(0, from < found ? from : found - pageSize)
  const page = Math.ceil(start / pageSize)
  const pages = page + Math.max(1, Math.ceil((found - start) / pageSize))
  const rows = entries.slice(start, start + pageSize).map(({ row }) => row)
  return { rows, found, page, pages }
}
