/** The lifecycle of an identification session (`docs/interface.md` 2.5, 3.1, 8). */
import { randomUUID } from 'node:crypto'
import { textIn, textsIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { isActive, type ApiVersion, type Ending, type Session, type SessionError } from './session'

/** How long a session can be used, in milliseconds. */
export const USABLE_MS = 10 * 60 * 1000

/** How long personal data is kept, in milliseconds. */
const KEPT_MS = 3600 * 1000

export const timedOut: SessionError = {
  message: 'The session was not used in time.',
  code: 'timedOut',
  providerCode: null,
}

/** Creates and stores a session for this request. */
export function openSession(world: World, requested: JsonObject, version: ApiVersion): Session {
  const flow = textIn(requested.flow)
  const session: Session = {
    id: randomUUID(),
    version,
    token: randomUUID(),
    created: world.clock.now(),
    flow,
    language: textIn(requested.language) || 'en',
    externalReference: textIn(requested.externalReference),
    securityReference: flow === 'headless' ? phrase() : undefined,
    requested,
    allowedProviders: textsIn(requested.allowedProviders),
    include: textsIn(requested.include),
    status: 'created',
    provider: undefined,
    person: undefined,
    userAgent: '',
    ipAddress: '',
    error: undefined,
    deleted: false,
  }
  world.identification.sessions.add(session)
  return session
}

/** Brings a session up to date: it can't be used after ten minutes, and has no personal data after an hour. */
export function settle(session: Session, world: World): Session {
  const age = world.clock.now() - session.created
  if (age >= USABLE_MS && isActive(session)) endSession(session, { status: 'timed_out', error: timedOut })
  if (age >= KEPT_MS && !session.deleted) forget(session)
  return session
}

/** Ends a session; a session that has already ended stays unchanged. */
export function endSession(session: Session, { status, person, error }: Ending): void {
  if (!isActive(session)) return
  session.status = status
  session.person = person
  session.error = error
}

function forget(session: Session): void {
  session.requested = {}
  session.allowedProviders = []
  session.include = []
  session.person = undefined
  session.ipAddress = ''
  session.deleted = true
}

const colours = ['amber', 'blue', 'coral', 'green', 'ivory', 'olive', 'silver', 'violet']
const things = ['anchor', 'birch', 'cloud', 'fjord', 'harbour', 'lantern', 'meadow', 'river']

function phrase(): string {
  const pick = (words: readonly string[]) => words[Math.floor(Math.random() * words.length)] ?? ''
  return `${pick(colours)} ${pick(things)}`
}
