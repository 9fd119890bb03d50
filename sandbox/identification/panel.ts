/** The control room's panel of identification sessions: their state, and a link to the user's page. */
import type { Panel } from '../admin/panel-type'
import { escape } from '../pages/html'
import { newTab, panelTable, pill, SHOWN } from '../pages/table'
import type { World } from '../world'
import { listedRecord, sessionUrl } from './record'
import { settle } from './lifecycle'
import { isActive, type Session } from './session'

const none = 'No sessions yet. Create one with an “identification session” node.'

export const sessionPanel: Panel = {
  id: 'sessions',
  title: 'Identification sessions',
  render: (world) => {
    const rows = newest(world).map((session) => row(session, world))
    return panelTable(['Session', 'Flow', 'State', 'Page'], rows, none)
  },
  state: (world) => newest(world).map(listedRecord),
}

function newest(world: World): Session[] {
  const sessions: Session[] = []
  for (const [, session] of world.identification.sessions.before()) {
    sessions.push(settle(session, world))
    if (sessions.length === SHOWN) break
  }
  return sessions
}

function row(session: Session, world: World): string[] {
  const { id, externalReference, flow, status, error, securityReference } = session
  const usable = isActive(session) && flow !== 'headless'
  return [
    `<code>${escape(id)}</code>${externalReference ? `<br><span class="quiet">${escape(externalReference)}</span>` : ''}`,
    `${escape(flow)}${securityReference ? `<br><span class="quiet">${escape(securityReference)}</span>` : ''}`,
    `${pill(status)}${error ? `<br><span class="quiet">${escape(error.code)}</span>` : ''}`,
    usable ? newTab(sessionUrl(session, world), 'Open its page') : '',
  ]
}
