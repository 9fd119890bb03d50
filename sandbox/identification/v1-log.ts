/** The v1 log: earlier sessions by year, or one session by its id (`docs/interface.md` 4.8). */
import { invalid } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { ACCOUNT_ID } from '../state/account'
import type { World } from '../world'
import { settle } from './lifecycle'
import { isActive, type Session } from './session'
import { v1LogEntry } from './v1-record'
import { findSession } from './v2'

const DEFAULT_PAGE_SIZE = 100
const MAX_PAGE_SIZE = 1000

/**
 * `GET /identification/log/filter/{year}` → {NextLink, TotalLinks, List}. The query may name month, day, status,
 * identityProviderType, externalId, skip (pages) and pageSize.
 */
export function v1ListLog(call: Call, world: World): Answer {
  const { query } = call
  const year = call.param('year')
  if (!/^\d{4}$/.test(year)) throw invalid([{ field: 'year', message: 'The year must have four digits.' }])
  const size = Math.min(MAX_PAGE_SIZE, Math.max(1, Number(query.get('pageSize')) || DEFAULT_PAGE_SIZE))
  const skip = Math.max(0, Math.floor(Number(query.get('skip')) || 0))
  const fits = filterOf(year, query)
  const all: Session[] = []
  for (const [, session] of world.identification.sessions.before()) {
    if (session.version === 'v1' && !isActive(settle(session, world)) && fits(session)) all.push(session)
  }
  const pages = Math.ceil(all.length / size)
  const next = new URLSearchParams(query)
  next.set('skip', String(skip + 1))
  const NextLink = skip + 1 < pages ? `${world.url}${call.path}?${next.toString()}` : ''
  return { json: { NextLink, TotalLinks: pages, List: all.slice(skip * size, (skip + 1) * size).map(logEntry) } }
}

/** `GET /identification/log/requestId/{id}` */
export function v1GetLogEntry(call: Call, world: World): Answer {
  return { json: logEntry(findSession(call.param('id'), world, 'v1')) }
}

function logEntry(session: Session): Record<string, unknown> {
  return { ...v1LogEntry(session), AccountId: ACCOUNT_ID }
}

function filterOf(year: string, query: URLSearchParams): (session: Session) => boolean {
  const month = Number(query.get('month') ?? 0)
  const day = Number(query.get('day') ?? 0)
  const wanted = [
    ['Status', query.get('status')],
    ['IdentityProviderType', query.get('identityProviderType')],
    ['Externalid', query.get('externalId')],
  ] as const
  return (session) => {
    const at = new Date(session.created)
    if (at.getUTCFullYear() !== Number(year)) return false
    if ((month && at.getUTCMonth() + 1 !== month) || (day && at.getUTCDate() !== day)) return false
    const entry = v1LogEntry(session)
    return wanted.every(([name, value]) => !value || entry[name] === value)
  }
}
