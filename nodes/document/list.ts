/** Lists documents, page after page, up to the wanted number. */
import type { Patch } from '../../lib/runtime/api-node'
import { collectPages } from '../../lib/runtime/pages'
import { getPath } from '../../lib/runtime/read-text'
import type { DocumentCall } from './document-call'

/** The service gives at the most this many at once. */
const pageSize = 100

export async function list(call: DocumentCall): Promise<Patch> {
  const { externalId, title, status, fromDate, toDate, limit = pageSize } = call.values
  call.check(limit >= 1 && Number.isInteger(limit) ? [] : [{ path: 'limit', key: 'limit' }])
  const filter = { externalId, title, status, fromDate, toDate }
  let size: unknown
  const data = await collectPages<number>({
    limit,
    idOf: (entry) => getPath(entry, 'documentId'),
    async fetch(offset = 0, missing) {
      const asked = Math.min(pageSize, missing)
      const answer = await call.api.send('listDocuments', { query: { ...filter, offset, limit: asked } })
      const listed = getPath(answer.data, 'data')
      const entries: unknown[] = Array.isArray(listed) ? listed : []
      const end = offset + entries.length
      size = getPath(answer.data, 'size')
      return { entries, next: hasNext(answer.data, end, entries.length >= asked) ? end : undefined }
    },
  })
  call.setStatus('listed', { count: data.length })
  return { payload: { data, size } }
}

/**
 * Its links say whether there is a next page; without them the size of the whole list, and without
 * that a full page.
 */
function hasNext(answer: unknown, end: number, full: boolean): boolean {
  const links = getPath(answer, 'links')
  if (typeof links === 'object' && links !== null) return Boolean(getPath(links, 'next'))
  const size = getPath(answer, 'size')
  return full || (typeof size === 'number' && size > end)
}
