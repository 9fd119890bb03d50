/** Lists earlier sessions, page after page; in the older version the log of a year, or one entry of it (`docs/interface.md` 4.7, 4.8). */
import type { Patch } from '../../lib/runtime/api-node'
import { isPlainObject } from '../../lib/runtime/body'
import { getPath } from '../../lib/runtime/read-text'
import type { SessionCall } from './call'
import { statusesIn } from './versions'

/** How many are asked for at once; the older log gives as many. */
const pageSize = 100

export async function list(call: SessionCall): Promise<Patch> {
  const { limit = pageSize, apiVersion } = call.values
  call.check(limit >= 1 && Number.isInteger(limit) ? [] : [{ path: 'limit', key: 'positive' }])
  return apiVersion === 'v1' ? log(call, limit) : sessions(call, limit)
}

async function sessions(call: SessionCall, limit: number): Promise<Patch> {
  const found: unknown[] = []
  let cursor: string | undefined
  do {
    const query = { cursor, limit: Math.min(pageSize, limit - found.length) }
    const { data } = await call.api.send('listSessions', { query })
    const page = getPath(data, 'data')
    if (!Array.isArray(page) || page.length === 0) break
    found.push(...(page.slice(0, limit - found.length) as unknown[]))
    const next = getPath(data, 'nextCursor')
    // A cursor that does not move would go on for ever.
    if (typeof next !== 'string' || next === '' || next === cursor) break
    cursor = next
  } while (found.length < limit)
  call.setStatus('listed', { count: found.length })
  return { payload: { data: found } }
}

/** A session id in the message means its one entry; otherwise the year, this one unless another is given. */
async function log(call: SessionCall, limit: number): Promise<Patch> {
  const { year } = call.values
  const id = call.msg.sessionId
  if (!year && typeof id === 'string' && id !== '') return entry(call, id)
  const asked = year ?? String(new Date().getFullYear())
  call.check(/^\d{4}$/.test(asked) ? [] : [{ path: 'year', key: 'year' }])
  return entries(call, asked, limit)
}

async function entry(call: SessionCall, id: string): Promise<Patch> {
  const { data } = await call.api.send('v1GetLogEntry', { id })
  call.setStatus('listed', { count: 1 })
  return { payload: data, sessionId: id, ...statusesIn(data) }
}

/** The pages are counted, and each names the next one as long as there is one. */
async function entries(call: SessionCall, year: string, limit: number): Promise<Patch> {
  const found: unknown[] = []
  const size = Math.min(pageSize, limit)
  let last: unknown
  for (let skip = 0; found.length < limit; skip++) {
    const query = { pageSize: size, skip: skip || undefined }
    last = (await call.api.send('v1ListLog', { params: { year }, query })).data
    const page = getPath(last, 'List')
    if (!Array.isArray(page) || page.length === 0) break
    found.push(...(page.slice(0, limit - found.length) as unknown[]))
    if (!getPath(last, 'NextLink')) break
  }
  call.setStatus('listed', { count: found.length })
  return { payload: { ...(isPlainObject(last) && last), List: found } }
}
