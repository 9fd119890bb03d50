/** A session in the v1 format: PascalCase, its own statuses, dates as ddMMyy. */
import { toV1Provider } from './providers'
import { fullNameOf, shortDate } from './person'
import type { Session, SessionStatus } from './session'

/** The v1 names of the statuses (`docs/interface.md` 3.1). */
export const v1Status: Readonly<Record<SessionStatus, string>> = {
  created: 'CREATED',
  user_initiated: 'USERINITIATED',
  success: 'SUCCESS',
  failed: 'ERROR',
  user_aborted: 'USERABORTED',
  invalidated: 'INVALIDATED',
  timed_out: 'TIMEOUT',
}

/** The response to `GET /identification/session`. */
export function v1Session(session: Session): Record<string, unknown> {
  const { id, person, include, provider, error, userAgent, ipAddress, externalReference, status } = session
  return {
    RequestId: id,
    Status: v1Status[status],
    IdentityProvider: provider && toV1Provider(provider),
    ...(person && {
      Name: fullNameOf(person),
      FirstName: person.firstName,
      MiddleName: person.middleName,
      LastName: person.lastName,
      DateOfBirth: shortDate(person.dateOfBirth),
      IdentityProviderUniqueId: person.providerId,
      SocialSecurityNumber: include.includes('nin') ? person.nin : undefined,
    }),
    Error: error && { NativeErrorCode: error.providerCode, ErrorCode: error.code, ErrorMessage: error.message },
    EnvironmentInfo: { UserAgent: userAgent, IPAddress: ipAddress },
    ExternalReference: externalReference || undefined,
    MetaData: {},
  }
}

/** An entry of the log. */
export function v1LogEntry(session: Session): Record<string, unknown> {
  const { id, status, provider, language, externalReference, error, created, flow, userAgent, ipAddress } = session
  return {
    Id: id,
    Status: v1Status[status],
    ClientIp: ipAddress,
    UserAgent: userAgent,
    IdentityProviderType: provider && toV1Provider(provider),
    Language: language.toUpperCase(),
    Externalid: externalReference || undefined,
    Errorcode: error?.code,
    Timestamp: new Date(created).toISOString(),
    iFrame: flow === 'iframe',
    SocialSecurityNumber: session.include.includes('nin'),
  }
}
