/** A session in the v2 format: complete, after personal data was deleted, and in the list (`docs/interface.md` 2.5). */
import type { World } from '../world'
import { identityOf } from './person'
import { USABLE_MS } from './lifecycle'
import type { Session } from './session'

const echoed = ['redirectSettings', 'iframeSettings', 'departmentId', 'ui', 'prefilledInput'] as const

/** The whole record, or the fields that remain after personal data was deleted. */
export function sessionRecord(session: Session, world: World): Record<string, unknown> {
  if (session.deleted) return listedRecord(session)
  const { requested, person, include, allowedProviders, flow, securityReference, userAgent, ipAddress } = session
  return {
    ...listedRecord(session),
    url: flow === 'headless' ? undefined : sessionUrl(session, world),
    securityReference,
    identity: person && identityOf(person, include),
    environment: userAgent || ipAddress ? { userAgent, ipAddress } : undefined,
    allowedProviders,
    include,
    ...Object.fromEntries(echoed.map((name) => [name, requested[name]])),
    resources: [],
  }
}

/** The fields that remain after personal data was deleted. */
export function listedRecord(session: Session): Record<string, unknown> {
  const { id, created, status, language, flow, provider, userAgent, externalReference, error } = session
  return {
    id,
    created: new Date(created).toISOString(),
    expires: new Date(created + USABLE_MS).toISOString(),
    status,
    language,
    flow,
    provider,
    environment: userAgent ? { userAgent } : undefined,
    externalReference: externalReference || undefined,
    error,
  }
}

/** The address of the user's page. */
export function sessionUrl({ token }: Session, world: World): string {
  return `${world.url}/identify/${token}`
}
