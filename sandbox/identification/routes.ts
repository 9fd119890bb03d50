/** The simulated identification calls. */
import { refuse } from '../server/answers'
import type { Method, Route, Routes } from '../server/call'
import type { Panel } from '../admin/panels'

const unavailable = (method: Method, path: string, scope: string): Route => ({
  method,
  path,
  scope,
  handle: () => {
    throw refuse(503, 'UNAVAILABLE', 'This call has no simulated answer.')
  },
})

export const identificationRoutes = {
  createSession: unavailable('POST', '/identification/v2/sessions', 'identify'),
  getSession: unavailable('GET', '/identification/v2/sessions/:id', 'identify'),
  listSessions: unavailable('GET', '/identification/v2/sessions', 'identify'),
  invalidateSession: unavailable('POST', '/identification/v2/sessions/:id/invalidate', 'identify'),
  listIdentificationLanguages: unavailable('GET', '/identification/v2/languages', 'identify'),
  listIdProviders: unavailable('GET', '/identification/v2/id-providers', 'identify'),
  v1CreateSession: unavailable('POST', '/identification/session', 'identify'),
  v1GetSession: unavailable('GET', '/identification/session', 'identify'),
  v1InvalidateSession: unavailable('PUT', '/identification/sessions/invalidate', 'identify'),
  v1ListLog: unavailable('GET', '/identification/log/filter/:year', 'identify'),
  v1GetLogEntry: unavailable('GET', '/identification/log/requestId/:id', 'identify'),
  v1StartMobile: unavailable('POST', '/identification/no/eid/mobile', 'identify'),
} satisfies Routes<
  | 'createSession'
  | 'getSession'
  | 'listSessions'
  | 'invalidateSession'
  | 'listIdentificationLanguages'
  | 'listIdProviders'
  | 'v1CreateSession'
  | 'v1GetSession'
  | 'v1InvalidateSession'
  | 'v1ListLog'
  | 'v1GetLogEntry'
  | 'v1StartMobile'
>

/** Pages and control room calls of this area. */
export const identificationPages: readonly Route[] = []

/** What the control room shows of this area. */
export const identificationPanels: readonly Panel[] = []
