/** Lists documents page by page, up to the requested number. */
import type { Patch } from '../../lib/runtime/node/api-node'
import { collectOffsetPages } from '../../lib/runtime/service/offset-pages'
import { getPath } from '../../lib/runtime/values/read-text'
import type { DocumentCall } from './document-call'

/** The service returns at most this many at once. */
const pageSize = 100

export async function list(call: DocumentCall): Promise<Patch> {
  const { externalId, title, documentStatus: status, fromDate, toDate, limit = pageSize } = call.values
  const filter = { externalId, title, status, fromDate, toDate }
  const payload = await collectOffsetPages({
    limit,
    pageSize,
    idOf: (entry) => getPath(entry, 'documentId'),
    ask: (page) => call.api.send('listDocuments', { query: { ...filter, ...page } }),
  })
  call.setStatus('listed', { count: payload.data.length })
  return { payload }
}
