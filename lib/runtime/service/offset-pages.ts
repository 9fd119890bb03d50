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

/** Up to `limit` entries, and the size of the whole list if the service returns it. */
export async function collectOffsetPages(pages: OffsetPages): Promise<{ data: unknown[]; size: unknown }> {
  let size: unknown
  const data = await collectPages<number>({
    limit: pages.limit,
    idOf: pages.idOf,
    async fetch(offset = 0, missing) {
      const limit = Math.min(pages.pageSize, missing)
      const answer = await pages.ask({ offset, limit })
      const listed = getPath(answer.data, 'data')
      const entries: unknown[] = Array.isArray(listed) ? listed : []
      const end = offset + entries.length
      size = getPath(answer.data, 'size')
      return { entries, next: hasNext(answer.data, end, entries.length >= limit) ? end : undefined }
    },
  })
  return { data, size }
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
