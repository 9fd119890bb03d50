/** The control room's panel of identification sessions: their state, and a link to the user's page. */
import type { Panel } from '../admin/panel-type'
import { statePill } from '../admin/states'
import { textsOf, type Language } from '../admin/texts'
import { escape } from '../pages/html'
import { newTab, panelTable, SHOWN } from '../pages/table'
import type { World } from '../world'
import { fullNameOf } from './person'
import { listedRecord, sessionUrl } from './record'
import { settle } from './lifecycle'
import { isActive, type Session } from './session'

export const sessionPanel: Panel = {
  id: 'sessions',
  title: (texts) => texts.sessions,
  render: (world, language) => {
    const texts = textsOf(language)
    const rows = newest(world).map((session) => row(session, world, language))
    return panelTable([texts.session, texts.flow, texts.state, texts.page], rows, texts.noSessions)
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

function row(session: Session, world: World, language: Language): string[] {
  const { id, externalReference, flow, status, error, securityReference } = session
  const usable = isActive(session) && flow !== 'headless'
  const who = session.person ? `<strong>${escape(fullNameOf(session.person))}</strong><br>` : ''
  return [
    `${who}<code>${escape(id)}</code>${externalReference ? `<br><span class="quiet">${escape(externalReference)}</span>` : ''}`,
    `${escape(flow)}${securityReference ? `<br><span class="quiet">${escape(securityReference)}</span>` : ''}`,
    `${statePill(status, language)}${error ? `<br><span class="quiet">${escape(error.code)}</span>` : ''}`,
    usable ? newTab(sessionUrl(session, world), textsOf(language).openPage) : '',
  ]
}
