/**
 * Follows the pages of a list up to the last page. Also stops if a page repeats entries or a mark, so that a service
 * that always returns a next page causes no endless loop.
 */

/** One page. A `Mark` says where the next page begins, in the service's own way: an offset, a cursor, or a number. */
interface ListPage<Mark> {
  readonly entries: readonly unknown[]
  /** The mark of the next page; absent at the end of the list. */
  readonly next?: Mark | undefined
}

interface ListPages<Mark> {
  /** Fetches the page that begins at `mark`; `missing` is the number of entries still needed. */
  readonly fetch: (mark: Mark | undefined, missing: number) => Promise<ListPage<Mark>>
  /** The identity of an entry; undefined for an entry without an id. */
  readonly idOf: (entry: unknown) => unknown
  /** Maximum number of entries. */
  readonly limit: number
}

/** How many pages in a row without entries are followed, because a service may filter out whole pages. */
const emptyPages = 10

/**
 * Up to `limit` entries. An entry that is on two pages is returned once: entries created in the meantime may push
 * entries that were already read onto the next page.
 */
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
    // A page with only known entries, or a repeated mark, means that the list goes in circles.
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
