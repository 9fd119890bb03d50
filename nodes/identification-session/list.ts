/** Lists earlier sessions, page after page; in the older version the log of a year, or one entry of it. */
import type { Patch } from '../../lib/runtime/api-node'
import { at } from '../../lib/runtime/words'
import type { SessionCall } from './call'

/** The service gives at the most this many at once. */
const pageSize = 100

export async function list(call: SessionCall): Promise<Patch> {
  if (call.values.apiVersion === 'v1') return log(call)
  const { limit = pageSize } = call.values
  call.check(limit >= 1 ? [] : [{ path: 'limit', key: 'positive' }])
  const found: unknown[] = []
  let cursor: string | undefined
  do {
    const query = { cursor, limit: Math.min(pageSize, limit - found.length) }
    const { data } = await call.api.send('listSessions', { query })
    const page = at(data, 'data')
    if (!Array.isArray(page) || page.length === 0) break
    found.push(...(page.slice(0, limit - found.length) as unknown[]))
    const next = at(data, 'nextCursor')
    // A cursor that does not move would go on for ever.
    if (typeof next !== 'string' || next === '' || next === cursor) break
    cursor = next
  } while (found.length < limit)
  call.say('listed', { count: found.length })
  return { payload: { data: found } }
}

/** A session id in the message means its one entry; otherwise the year, this one unless another is given. */
async function log(call: SessionCall): Promise<Patch> {
  const { year } = call.values
  const id = call.msg.sessionId
  if (!year && typeof id === 'string' && id !== '') {
    const { data } = await call.api.send('v1GetLogEntry', { id })
    call.say('listed', { count: 1 })
    return { payload: data, sessionId: id }
  }
  const { data } = await call.api.send('v1ListLog', { params: { year: year || String(new Date().getFullYear()) } })
  const entries = at(data, 'List')
  call.say('listed', { count: Array.isArray(entries) ? entries.length : 0 })
  return { payload: data }
}
