/** The control room's actions on a session in the user's place: succeed, abort, fail, time out. */
import { invalid, notAllowed, notFound } from '../server/answers'
import type { Answer, Call, Route } from '../server/call'
import { textIn } from '../server/json'
import type { World } from '../world'
import { endSession, settle, timedOut } from './lifecycle'
import { expectedPerson, personAt } from './person'
import { isActive, type Ending, type Session } from './session'
import { offeredProviders, readError } from './page-handlers'

export const endings = ['success', 'abort', 'fail', 'timeout', 'invalidate'] as const

export const sessionRoomRoutes: readonly Route[] = [
  { method: 'POST', path: '/sandbox/sessions/:id/end', admin: true, handle: endInRoom },
]

/** `POST /sandbox/sessions/{id}/end` {ending}: one of `endings`. Refused (422) if the session has already ended. */
function endInRoom(call: Call, world: World): Answer {
  const session = world.identification.sessions.get(call.param('id'))
  if (!session) throw notFound('session', 'ID-1000')
  const wanted = textIn(call.json().ending)
  const ending = endings.find((one) => one === wanted)
  if (!ending) throw invalid([{ field: 'ending', message: `ending must be one of ${endings.join(', ')}.` }])
  if (!isActive(settle(session, world))) throw notAllowed('The session has ended already.', 'ID-1001')
  endSession(session, endingOf(ending, session))
  return { status: 204 }
}

function endingOf(ending: (typeof endings)[number], session: Session): Ending {
  if (ending === 'timeout') return { status: 'timed_out', error: timedOut }
  if (ending === 'invalidate') return { status: 'invalidated' }
  const [provider = ''] = offeredProviders(session)
  session.provider = provider
  if (ending === 'abort') return { status: 'user_aborted' }
  if (ending === 'fail') return { status: 'failed', error: readError('') }
  return { status: 'success', person: personAt(provider, expectedPerson(session.requested)) }
}
