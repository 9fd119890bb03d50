/** An identification session and its life (`docs/interface.md` 2.5, 3.1, 8). */
import { randomUUID } from 'node:crypto'
import type { Given } from '../server/given'
import { textIn, textsIn } from '../server/given'
import type { World } from '../world'
import type { Person } from './person'

export type SessionStatus =
  'created' | 'user_initiated' | 'success' | 'failed' | 'user_aborted' | 'invalidated' | 'timed_out'

export interface SessionError {
  readonly message: string
  readonly code: string
  readonly providerCode: string | null
}

export interface Session {
  readonly id: string
  /** The last part of the address of the user's page. */
  readonly token: string
  /** Milliseconds since 1970. */
  readonly created: number
  readonly flow: string
  readonly language: string
  readonly externalReference: string
  /** Two words that the user also sees on the phone (flow `headless`). */
  readonly securityReference: string | undefined
  /** The request; empty once sensitive data is deleted. */
  given: Given
  allowedProviders: readonly string[]
  include: readonly string[]
  status: SessionStatus
  provider: string | undefined
  person: Person | undefined
  userAgent: string
  ipAddress: string
  error: SessionError | undefined
  deleted: boolean
}

export interface Ending {
  readonly status: SessionStatus
  readonly person?: Person
  readonly error?: SessionError
}

/** How long a session can be used, in milliseconds. */
export const USABLE = 10 * 60 * 1000

/** How long personal data is kept, in milliseconds. */
const KEPT = 3600 * 1000

const timedOut: SessionError = { message: 'The session was not used in time.', code: 'timedOut', providerCode: null }

/** A new session of this request, remembered. */
export function openSession(world: World, given: Given): Session {
  const flow = textIn(given.flow)
  const session: Session = {
    id: randomUUID(),
    token: randomUUID(),
    created: world.clock.now(),
    flow,
    language: textIn(given.language) || 'en',
    externalReference: textIn(given.externalReference),
    securityReference: flow === 'headless' ? phrase() : undefined,
    given,
    allowedProviders: textsIn(given.allowedProviders),
    include: textsIn(given.include),
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

export function isActive({ status }: Session): boolean {
  return status === 'created' || status === 'user_initiated'
}

/** Brings a session up to the time: unusable after ten minutes, without personal data after an hour. */
export function settle(session: Session, world: World): Session {
  const age = world.clock.now() - session.created
  if (age >= USABLE && isActive(session)) endSession(session, { status: 'timed_out', error: timedOut })
  if (age >= KEPT && !session.deleted) forget(session)
  return session
}

/** Ends a session; one that has ended stays as it is. */
export function endSession(session: Session, { status, person, error }: Ending): void {
  if (!isActive(session)) return
  session.status = status
  session.person = person
  session.error = error
}

function forget(session: Session): void {
  session.given = {}
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
