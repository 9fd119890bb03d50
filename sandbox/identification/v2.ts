/** The v2 calls for sessions (`docs/interface.md` 4.7). */
import { invalid, notAllowed, notFound } from '../server/answers'
import type { Answer, Call } from '../server/call'
import type { World } from '../world'
import { sessionProblems } from './check'
import { startHeadless } from './headless'
import { listedRecord, sessionRecord } from './record'
import { endSession, openSession, settle } from './lifecycle'
import { isActive, type ApiVersion, type Session } from './session'

const DEFAULT_PAGE_SIZE = 25
const MAX_PAGE_SIZE = 100

/** `POST /sessions` → 201 and the record. */
export function createSession(call: Call, world: World): Answer {
  const body = call.json()
  const errors = sessionProblems(body)
  if (errors.length > 0) throw invalid(errors)
  const session = openSession(world, body, 'v2')
  if (session.flow === 'headless') startHeadless(session, world)
  return { status: 201, json: sessionRecord(session, world) }
}

/** `GET /sessions/{id}` */
export function getSession(call: Call, world: World): Answer {
  return { json: sessionRecord(findSession(call.param('id'), world, 'v2'), world) }
}

/** `GET /sessions?cursor=&limit=`: sessions that have ended, newest first, without personal data. */
export function listSessions(call: Call, world: World): Answer {
  const limit = Math.min(MAX_PAGE_SIZE, Math.max(1, Number(call.query.get('limit')) || DEFAULT_PAGE_SIZE))
  const cursor = Number(call.query.get('cursor') || Infinity)
  if (Number.isNaN(cursor)) throw invalid([{ field: 'cursor', message: 'The cursor is none of this list.' }])
  const data: unknown[] = []
  let position = cursor
  let more = false
  for (const [index, session] of world.identification.sessions.before(cursor)) {
    if (session.version !== 'v2' || isActive(settle(session, world))) continue
    more = data.length === limit
    if (more) break
    data.push(listedRecord(session))
    position = index
  }
  return { json: { limit, nextCursor: more ? String(position) : null, data } }
}

/** `POST /sessions/{id}/invalidate`: returns nothing. Refused (422) if the session has ended in another way. */
export function invalidateSession(call: Call, world: World): Answer {
  invalidate(findSession(call.param('id'), world, 'v2'))
  return {}
}

/** Ends an active session; a second call changes nothing. */
export function invalidate(session: Session): void {
  if (session.status === 'invalidated') return
  if (!isActive(session)) throw notAllowed('The session has ended already.', 'ID-1001')
  endSession(session, { status: 'invalidated' })
}

/**
 * The session with this id, in its current state, if this API version created it; throws an HttpError (404, `ID-1000`)
 * otherwise.
 */
export function findSession(id: string, world: World, version: ApiVersion): Session {
  const session = world.identification.sessions.get(id)
  if (session?.version !== version) throw notFound('session', 'ID-1000')
  return settle(session, world)
}
