/** Follows lists of the service whose pages begin at an offset. */
import type { Answer } from '../../api/call/call'
import { collectPages } from './follow-pages'
import { getPath } from '../values/read-text'

interface OffsetPages {
  /** Maximum number of entries. */
  readonly limit: number
  /** The maximum number of entries that the service returns at once. */
  readonly pageSize: number
  /** The identity of an entry. */
  readonly idOf: (entry: unknown) => unknown
  /** Fetches the page. */
  readonly ask: (page: { readonly offset: number; readonly limit: number }) => Promise<Answer>
}

interface CollectedPages {
  readonly data: unknown[]
  /** The size of the whole list, if the service returns it. */
  readonly size: unknown
  /** True if the list became shorter at each reading, so that entries may be missing. */
  readonly moved?: true
}

/** How often a list is read if it becomes shorter each time. */
const readings = 5

/**
 * Up to `limit` entries. If entries leave the list between two pages, those after them move to places that were already
 * read. The list is then read again.
 */
export async function collectOffsetPages(pages: OffsetPages): Promise<CollectedPages> {
  const all = new Map<unknown, unknown>()
  let size: unknown
  for (let reading = 0; reading < readings; reading++) {
    const { isShorter, ...read } = await readOnce(pages)
    if (!isShorter) return read
    for (const entry of read.data) all.set(pages.idOf(entry) ?? entry, entry)
    size = read.size
  }
  return { data: [...all.values()].slice(0, pages.limit), size, moved: true }
}

async function readOnce({ limit: most, pageSize, idOf, ask }: OffsetPages) {
  let size: unknown
  let total = 0
  let isShorter = false
  const data = await collectPages<number>({
    limit: most,
    idOf,
    async fetch(offset = 0, missing) {
      const limit = Math.min(pageSize, missing)
      const answer = await ask({ offset, limit })
      const listed = getPath(answer.data, 'data')
      const entries: unknown[] = Array.isArray(listed) ? listed : []
      const end = offset + entries.length
      size = getPath(answer.data, 'size')
      isShorter ||= typeof size === 'number' && size < total
      // Some services give the size of the page instead.
      if (typeof size === 'number' && size > entries.length) total = size
      return { entries, next: hasNext(answer.data, end, entries.length >= limit) ? end : undefined }
    },
  })
  return { data, size, isShorter }
}

/**
 * Whether there is a next page: by the links of the response; without links, by the size of the whole list; without a
 * size, by whether the page is full.
 */
function hasNext(answer: unknown, end: number, full: boolean): boolean {
  const links = getPath(answer, 'links')
  if (typeof links === 'object' && links !== null) return Boolean(getPath(links, 'next'))
  const size = getPath(answer, 'size')
  return full || (typeof size === 'number' && size > end)
}
