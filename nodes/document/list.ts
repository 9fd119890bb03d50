/** Lists documents, page after page, up to the wanted number. */
import type { Patch } from '../../lib/runtime/api-node'
import { getPath } from '../../lib/runtime/read-text'
import type { DocumentCall } from './call'

/** The service gives at the most this many at once. */
const pageSize = 100

export async function list(call: DocumentCall): Promise<Patch> {
  const { externalId, title, status, fromDate, toDate, limit = pageSize } = call.values
  call.check(limit >= 1 ? [] : [{ path: 'limit', key: 'limit' }])
  const found: unknown[] = []
  let size: unknown
  let last = 0
  do {
    const wanted = Math.min(pageSize, limit - found.length)
    const query = { externalId, title, status, fromDate, toDate, offset: found.length, limit: wanted }
    const answer = await call.api.send('listDocuments', { query })
    const page = getPath(answer.data, 'data')
    last = Array.isArray(page) ? page.length : 0
    if (Array.isArray(page)) found.push(...page.slice(0, wanted))
    size = getPath(answer.data, 'size')
    if (last < wanted) break
  } while (found.length < limit && last > 0)
  call.setStatus('listed', { count: found.length })
  return { payload: { data: found, size } }
}
