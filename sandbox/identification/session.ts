/** The data of an identification session, and whether it can still be used. */
import type { JsonObject } from '../server/json'
import type { Person } from './person'

export type SessionStatus =
  | 'created'
  | 'user_initiated'
  | 'success'
  | 'failed'
  | 'user_aborted'
  | 'invalidated'
  | 'timed_out'

export interface SessionError {
  readonly message: string
  readonly code: string
  readonly providerCode: string | null
}

/** The API version that created the session; the calls of the other version do not find the session. */
export type ApiVersion = 'v1' | 'v2'

export interface Session {
  readonly id: string
  readonly version: ApiVersion
  /** Identifies the user's page: the last part of the page's address. */
  readonly token: string
  /** Milliseconds since 1970. */
  readonly created: number
  readonly flow: string
  readonly language: string
  readonly externalReference: string
  /** Two words that the user also sees on the phone (flow `headless`). */
  readonly securityReference: string | undefined
  /** The request; empty once sensitive data is deleted. */
  requested: JsonObject
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

/** Whether the user may still identify. */
export function isActive({ status }: Session): boolean {
  return status === 'created' || status === 'user_initiated'
}
