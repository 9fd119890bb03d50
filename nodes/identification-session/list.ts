/** Lists earlier sessions; in v1, the log of a year or one of its entries (`docs/interface.md` 4.7, 4.8). */
import type { Patch } from '../../lib/runtime/node/message-call'
import { isPlainObject } from '../../lib/common/plain-object'
import { collectPages } from '../../lib/runtime/service/follow-pages'
import { getPath } from '../../lib/runtime/values/read-text'
import type { SessionCall } from './session-call'
import { statusesIn } from './versions'

/** Number of sessions to request at once, and of entries in one page of the v1 log. */
const pageSize = 100

export async function list(call: SessionCall): Promise<Patch> {
  const { limit = pageSize, apiVersion } = call.values
  return apiVersion === 'v1' ? log(call, limit) : sessions(call, limit)
}

async function sessions(call: SessionCall, limit: number): Promise<Patch> {
  const data = await collectPages<string>({
    limit,
    idOf: (entry) => getPath(entry, 'id'),
    async fetch(cursor, missing) {
      const answer = await call.api.send('listSessions', { query: { cursor, limit: Math.min(pageSize, missing) } })
      const next = getPath(answer.data, 'nextCursor')
      return {
        entries: entriesIn(answer.data, 'data'),
        next: typeof next === 'string' && next !== '' ? next : undefined,
      }
    },
  })
  call.setStatus('listed', { count: data.length })
  return { payload: { data } }
}

/**
 * Returns one entry of the log if an entry id is given; otherwise the entries of the given year, by default the current
 * one.
 */
async function log(call: SessionCall, limit: number): Promise<Patch> {
  const { year, entryId } = call.values
  if (entryId !== undefined) return entry(call, entryId)
  const asked = year ?? String(new Date().getFullYear())
  // If the form refers to an entry but the message lacks the entry's id, the list of all entries is not what was
  // requested.
  call.check(call.origin('entryId').typed ? [{ path: 'entryId', key: 'missing' }] : [])
  return entries(call, asked, limit)
}

async function entry(call: SessionCall, id: string): Promise<Patch> {
  const { data } = await call.api.send('v1GetLogEntry', { id })
  call.setStatus('listed', { count: 1 })
  return { payload: data, sessionId: id, ...statusesIn(data) }
}

/** Reads the entries page by page: pages are numbered, and each page names the next one, if there is one. */
async function entries(call: SessionCall, year: string, limit: number): Promise<Patch> {
  const size = Math.min(pageSize, limit)
  let last: unknown
  const List = await collectPages<number>({
    limit,
    idOf: (entry) => getPath(entry, 'Id'),
    async fetch(skip) {
      const { data } = await call.api.send('v1ListLog', { params: { year }, query: { pageSize: size, skip } })
      last = data
      return {
        entries: entriesIn(data, 'List'),
        next: getPath(data, 'NextLink') ? (skip ?? 0) + 1 : undefined,
      }
    },
  })
  call.setStatus('listed', { count: List.length })
  return { payload: { ...(isPlainObject(last) && last), List } }
}

function entriesIn(answer: unknown, name: string): unknown[] {
  const found = getPath(answer, name)
  return Array.isArray(found) ? found : []
}
