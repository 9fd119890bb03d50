/**
 * Follows the pages of a list as long as there is a next one, and stops even if the service never does.
 */

/** One page. `Mark` says where the next one begins, in the service's own way: an offset, a cursor, a number. */
export interface ListPage<Mark> {
  readonly entries: readonly unknown[]
  /** Absent at the end of the list. */
  readonly next?: Mark | undefined
}

export interface ListPages<Mark> {
  /** Gives the page that begins at `mark`; `missing` says how many entries are still wanted. */
  readonly fetch: (mark: Mark | undefined, missing: number) => Promise<ListPage<Mark>>
  /** The identity of an entry; undefined for an entry without id. */
  readonly idOf: (entry: unknown) => unknown
  /** How many entries are wanted at most. */
  readonly limit: number
}

/** How many pages in a row without new entries are followed: a service may filter out a whole page. */
const emptyPages = 10

/** Up to `limit` entries, each once: entries created in the meantime may push one onto the next page. */
export async function collectPages<Mark>({ fetch, idOf, limit }: ListPages<Mark>): Promise<unknown[]> {
  const found: unknown[] = []
  const ids = new Set<unknown>()
  const marks = new Set<Mark>()
  let mark: Mark | undefined
  for (let empty = 0; empty < emptyPages;) {
    const { entries, next } = await fetch(mark, limit - found.length)
    const newEntries = entries.filter((entry) => isNew(ids, idOf(entry)))
    found.push(...newEntries.slice(0, limit - found.length))
    empty = newEntries.length === 0 ? empty + 1 : 0
    // A page of nothing but known entries, or a mark that was there before: it goes in circles.
    const circles = (entries.length > 0 && newEntries.length === 0) || (next !== undefined && marks.has(next))
    if (next === undefined || circles || found.length >= limit) break
    marks.add(next)
    mark = next
  }
  return found
}

function isNew(ids: Set<unknown>, id: unknown): boolean {
  if (id === undefined) return true
  if (ids.has(id)) return false
  ids.add(id)
  return true
}
