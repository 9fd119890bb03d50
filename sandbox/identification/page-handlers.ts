/** The page of a session and its actions: open, identify, abort, fail (`docs/interface.md` 6.2). */
import { errorAnswer, invalid, notFound } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { readValues, wantsPage } from '../pages/form'
import { chooseLanguage, type PageLanguage } from '../pages/languages'
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import { providers } from './providers'
import { endedPage, identityPage, providerPage } from './page'
import { expectedPerson, offeredPeople, personAt, wholePerson } from './person'
import { returnOf } from './return'
import { endSession, settle } from './lifecycle'
import { isActive, type Ending, type Session, type SessionError } from './session'

/** `GET /identify/{token}`: the choice of provider; with `?provider=`, the form for the person's data. */
export function showPage(call: Call, world: World): Answer {
  const session = sessionOfPage(call, world)
  if (!isActive(session)) return gone(session, call)
  initiate(session, call)
  const offered = offeredProviders(session)
  const asked = call.query.get('provider') ?? (offered.length === 1 ? offered[0] : undefined)
  if (!wantsPage(call)) return { json: { status: session.status, providers: offered, language: session.language } }
  const language = languageFor(session, call)
  if (asked === undefined || !offered.includes(asked)) return providerPage(session, offered, language)
  return identityPage(session, asked, language)
}

/**
 * `POST /identify/{token}` {action: success | abort | fail, provider?, person?, firstName?, middleName?, lastName?,
 * dateOfBirth?, phoneNumber?, nin?, email?, error?}, as a form or JSON: ends the session. Omitted values are those of
 * Ola Nordmann. A script gets {sessionId, status, redirect?, targetOrigin?}; a browser continues as the flow requires.
 */
export function answerPage(call: Call, world: World): Answer {
  const session = sessionOfPage(call, world)
  if (!isActive(session)) return gone(session, call)
  initiate(session, call)
  endSession(session, readEnding(session, readValues(call)))
  const { message, redirect, targetOrigin } = returnOf(session)
  if (!wantsPage(call)) return { json: { ...message, redirect, targetOrigin } }
  if (redirect !== undefined) return { status: 303, headers: { Location: redirect } }
  return endedPage(session, languageFor(session, call), { message, targetOrigin })
}

function sessionOfPage(call: Call, world: World): Session {
  const session = world.identification.sessions.atToken(call.param('token'))
  if (!session || session.flow === 'headless') throw notFound('session', 'ID-1000')
  return settle(session, world)
}

/** The response for a session that has ended, including a session that has ended because its ten minutes are over. */
function gone(session: Session, call: Call): Answer {
  if (wantsPage(call)) return endedPage(session, languageFor(session, call))
  return errorAnswer(410, 'ID-1002', 'The session has ended.')
}

/** The language chosen on the page; otherwise the session's language; otherwise the browser's language. */
function languageFor({ requested }: Session, { query, headers }: Call): PageLanguage {
  return chooseLanguage(headers, query.get('language') ?? '', textIn(requested.language))
}

function initiate(session: Session, { headers, request }: Call): void {
  session.status = 'user_initiated'
  session.userAgent = headers['user-agent'] ?? ''
  session.ipAddress = request.socket.remoteAddress ?? ''
}

/** The providers the user may choose from: the providers in the request, otherwise all providers of the account. */
export function offeredProviders({ allowedProviders }: Session): readonly string[] {
  return allowedProviders.length > 0 ? allowedProviders : providers.map(({ type }) => type)
}

function readEnding(session: Session, value: (name: string) => string): Ending {
  const offered = offeredProviders(session)
  const provider = value('provider') || (offered[0] ?? '')
  if (!offered.includes(provider)) throw invalid([{ field: 'provider', message: 'This provider is not allowed.' }])
  session.provider = provider
  switch (value('action') || 'success') {
    case 'success':
      return { status: 'success', person: personAt(provider, readPerson(session, value)) }
    case 'abort':
      return { status: 'user_aborted' }
    case 'fail':
      return { status: 'failed', error: readError(value('error')) }
    default:
      throw invalid([{ field: 'action', message: 'action must be success, abort or fail.' }])
  }
}

function readPerson(session: Session, value: (name: string) => string): ReturnType<typeof expectedPerson> {
  const offered = offeredPeople(session.requested)[Number(value('person') || NaN)]
  if (offered) return wholePerson(offered)
  const expected = expectedPerson(session.requested)
  const names = Object.keys(expected) as (keyof typeof expected)[]
  return objectIn(Object.fromEntries(names.map((name) => [name, value(name) || expected[name]]))) as ReturnType<
    typeof expectedPerson
  >
}

export function readError(code: string): SessionError {
  return { message: 'The identity provider failed.', code: textIn(code) || 'providerError', providerCode: 'SIM-1' }
}
