/** The simulated identification calls, v2 and v1 (`docs/interface.md` 4.7, 4.8). */
import type { Panel } from '../admin/panel-type'
import type { Method, Route, Routes } from '../server/call'
import { listLanguages, listProviders, showLogo } from './providers'
import { sessionPanel } from './panel'
import { sessionRoomRoutes } from './room-calls'
import { createSession, getSession, invalidateSession, listSessions } from './v2'
import { v1CreateSession, v1GetSession, v1GetStatus, v1InvalidateSession, v1StartMobile } from './v1'
import { v1GetLogEntry, v1ListLog } from './v1-log'
import { answerPage, showPage } from './page-handlers'

const scope = 'identify'
const v1 = (method: Method, path: string, handle: Route['handle']): Route => {
  return { method, path: `/identification${path}`, scope, handle }
}
const v2 = (method: Method, path: string, handle: Route['handle']): Route => {
  return { method, path: `/identification/v2${path}`, scope, handle }
}

export const identificationRoutes = {
  createSession: v2('POST', '/sessions', createSession),
  getSession: v2('GET', '/sessions/:id', getSession),
  listSessions: v2('GET', '/sessions', listSessions),
  invalidateSession: v2('POST', '/sessions/:id/invalidate', invalidateSession),
  listIdentificationLanguages: v2('GET', '/languages', listLanguages),
  listIdProviders: v2('GET', '/id-providers', listProviders),
  listAccountIdProviders: v2('GET', '/id-providers/account', listProviders),
  v1CreateSession: v1('POST', '/session', v1CreateSession),
  v1GetSession: v1('GET', '/session', v1GetSession),
  v1GetSessionStatus: v1('GET', '/session/status', v1GetStatus),
  v1InvalidateSession: v1('PUT', '/sessions/invalidate', v1InvalidateSession),
  v1InvalidateSessionByBody: v1('PUT', '/session/invalidate', v1InvalidateSession),
  v1ListLog: v1('GET', '/log/filter/:year', v1ListLog),
  v1GetLogEntry: v1('GET', '/log/requestId/:id', v1GetLogEntry),
  v1StartMobile: v1('POST', '/no/eid/mobile', v1StartMobile),
} satisfies Partial<Routes>

/** The pages of the user. */
export const identificationPages: readonly Route[] = [
  { method: 'GET', path: '/identify/logos/:file', open: true, handle: showLogo },
  { method: 'GET', path: '/identify/:token', open: true, handle: showPage },
  { method: 'POST', path: '/identify/:token', open: true, handle: answerPage },
  ...sessionRoomRoutes,
]

/** The control room panels of this area. */
export const identificationPanels: readonly Panel[] = [sessionPanel]
