/**
 * The control room's panel of identification sessions: the person, and buttons to end each session in the user's place.
 */
import { historyOf } from '../admin/history'
import type { Panel, View } from '../admin/panel-type'
import { factsOf, idOf, thingList, type Thing } from '../admin/thing'
import { escape } from '../pages/html'
import { methodName } from '../pages/method-names'
import { actionButton, newTab, timeOf } from '../pages/parts'
import type { World } from '../world'
import { settle } from './lifecycle'
import { fullNameOf, identityOf } from './person'
import { listedRecord, sessionUrl } from './record'
import { endings } from './room-calls'
import { isActive, type Session } from './session'

/** How many of the latest sessions are read: the first number without a search, the second number with a search. */
const MAX_LOOKED_AT = 100
const MAX_SEARCHED = 10_000

export const sessionPanel: Panel = {
  id: 'sessions',
  title: (texts) => texts.sessions,
  render: (view) => {
    const { world, find } = view
    const sessions = latest(world, find === '' ? MAX_LOOKED_AT : MAX_SEARCHED).reverse()
    return thingList(sessions, view, view.texts.noSessions, sessionThing, world.identification.sessions.size)
  },
  state: (world) => latest(world, MAX_LOOKED_AT).map(listedRecord),
}

/** The latest sessions, newest first. */
function latest(world: World, count: number): Session[] {
  const sessions: Session[] = []
  for (const [, session] of world.identification.sessions.before()) {
    sessions.push(settle(session, world))
    if (sessions.length === count) break
  }
  return sessions
}

function sessionThing(session: Session, view: View): Thing {
  const { id, flow, status, externalReference, person } = session
  const { texts } = view
  const waits = isActive(session) ? texts.next([texts.theUser]) : ''
  return {
    key: `session-${id}`,
    title: person ? fullNameOf(person) : externalReference || texts.session,
    state: status,
    created: new Date(session.created).toISOString(),
    notes: [waits, flow, person ? externalReference : ''],
    below: isActive(session) ? `<div class="row">${actionsOf(session, view)}</div>` : '',
    inside: () => `${idOf('sessionId', id, view)}${known(session, view)}${historyOf(id, view)}`,
  }
}

function actionsOf(session: Session, { world, texts }: View): string {
  const page = session.flow === 'headless' ? '' : newTab(sessionUrl(session, world), texts.openPage)
  const buttons = endings.map((ending) =>
    actionButton({
      action: `/sandbox/sessions/${session.id}/end`,
      label: texts.endSession[ending],
      values: { ending },
    }),
  )
  return [page, ...buttons].join(' ')
}

/** The data of a session. Of the person's data, it contains only what the session returns to the client. */
function known(session: Session, { texts, language }: View): string {
  const { created, provider, securityReference, allowedProviders, person, include, error, version } = session
  const nameOf = (type: string) => methodName(type, language === 'nb' ? 'no' : 'en')
  const identity = person ? Object.entries(identityOf(person, include)) : []
  return factsOf([
    [texts.created, timeOf(new Date(created).toISOString())],
    [texts.version, version],
    [texts.providers, escape(allowedProviders.map(nameOf).join(', '))],
    [texts.chosen, escape(provider && nameOf(provider))],
    [texts.phrase, escape(securityReference)],
    [texts.reason, escape(error && `${error.message} (${error.code})`)],
    ...identity.map(([name, value]) => [name, escape(value)] as const),
  ])
}
