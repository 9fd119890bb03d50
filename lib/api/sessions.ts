/**
 * Reads the state of an identification session, whichever API version created the session (`docs/interface.md` 3.1,
 * 4.7, 4.8).
 */
import { isPlainObject } from '../common/plain-object'
import type { Answer, CallOptions } from './call/call'
import { isNotFound } from './errors/errors'
import type { OperationName } from './operations/operations'

export type SessionVersion = 'v2' | 'v1'

interface SessionState {
  /** The v2 name of the status, whichever API version returned the session. */
  readonly status: string
  readonly version: SessionVersion
  readonly answer: Answer
}

/** Status names: v2 on the left, v1 on the right. */
const statuses: readonly (readonly [string, string])[] = [
  ['created', 'CREATED'],
  ['user_initiated', 'USERINITIATED'],
  ['success', 'SUCCESS'],
  ['failed', 'ERROR'],
  ['user_aborted', 'USERABORTED'],
  ['invalidated', 'INVALIDATED'],
  ['timed_out', 'TIMEOUT'],
]

/** Returns the v2 name of a status, whichever API version the status comes from. An unknown status stays as it is. */
export function v2Status(status: string): string {
  return statuses.find(([, v1]) => v1 === status.toUpperCase())?.[0] ?? status
}

/** Returns the v1 name of a status, whichever API version the status comes from. An unknown status stays as it is. */
export function v1Status(status: string): string {
  return statuses.find(([v2]) => v2 === status)?.[1] ?? status
}

type Send = (operation: OperationName, options: CallOptions) => Promise<Answer>

/**
 * Fetches a session. `known` is the API version that created the session. Without `known`, v2 is asked first, and v1
 * only if v2 does not know the session. Rejects with an EidError; if neither version knows the session, with the error
 * of v2.
 */
export async function getSessionState(send: Send, id: string, known?: SessionVersion): Promise<SessionState> {
  if (known === 'v1') return askV1(send, id)
  try {
    const answer = await send('getSession', { id })
    return { status: textOf(answer.data, 'status'), version: 'v2', answer }
  } catch (error) {
    if (known === 'v2' || !isNotFound(error)) throw error
    return askV1(send, id).catch((other: unknown) => {
      throw isNotFound(other) ? error : other
    })
  }
}

async function askV1(send: Send, id: string): Promise<SessionState> {
  const answer = await send('v1GetSession', { query: { requestId: id } })
  return { status: v2Status(textOf(answer.data, 'Status')), version: 'v1', answer }
}

/** Providers whose v2 name is a different word; for all others, the v2 name is the v1 name in lower case. */
export const renamedProviders: Readonly<Record<string, string>> = {
  NO_EID_WEB: 'no_eid_netcentric',
  SWE_EID: 'se_eid',
  SWE_EID_MOBILE: 'se_eid',
}

/** Returns the v2 name of a provider in v1. */
export function v2Provider(provider: string): string {
  const name = provider.toUpperCase()
  return renamedProviders[name] ?? name.toLowerCase()
}

/** A person who has identified with an eID: the provider, and what the session's `include` asked for. */
type Identity = Readonly<Record<string, unknown>> & { readonly provider: string; readonly providerId: string }

/** What a v1 session calls the properties of an identity. */
const v1Identity: readonly (readonly [string, string])[] = [
  ['Name', 'fullName'],
  ['FirstName', 'firstName'],
  ['MiddleName', 'middleName'],
  ['LastName', 'lastName'],
  ['DateOfBirth', 'dateOfBirth'],
  ['SocialSecurityNumber', 'nin'],
]

/**
 * The person in the record of a session; undefined unless the session has succeeded and its personal data still exists.
 */
export function identityIn(data: unknown): Identity | undefined {
  const provider = textOf(data, 'provider')
  const found = isPlainObject(data) ? data.identity : undefined
  if (v2Status(textOf(data, 'Status')) === 'success') {
    const named = v1Identity.map(([v1, name]): [string, string] => [name, textOf(data, v1)])
    const providerId = textOf(data, 'IdentityProviderUniqueId')
    const known = Object.fromEntries(named.filter(([, value]) => value !== ''))
    return providerId === '' && known.nin === undefined
      ? undefined
      : { provider: v2Provider(textOf(data, 'IdentityProvider')), providerId, ...known }
  }
  if (textOf(data, 'status') !== 'success' || !isPlainObject(found)) return undefined
  return { ...found, provider, providerId: textOf(found, 'providerId') }
}

function textOf(data: unknown, name: string): string {
  const found = typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : undefined
  return typeof found === 'string' ? found : ''
}
