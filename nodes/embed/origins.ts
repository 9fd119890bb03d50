/** Decides which pages' web messages are believed (`interface.md` 6.1, 6.2). */
import type { ClientSettings } from '../../lib/runtime/client-node'

export type Kind = 'document' | 'session'

/** Scheme, host and port of an http address; undefined for anything else. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined
}

type Known = Pick<ClientSettings, 'environment' | 'signatureOrigins' | 'identificationOrigins'>

/** The origins that the client's settings name for this kind, and the simulated service's own where that is used. */
export function knownOrigins(client: Known, baseUrl: string, kind: Kind): string[] {
  const named = kind === 'session' ? client.identificationOrigins : client.signatureOrigins
  const sandbox = client.environment === 'sandbox' ? [baseUrl] : []
  return unique([...named, ...sandbox].flatMap((address) => originOf(address) ?? []))
}

/** The origins that a page for `url` believes: the known ones; where the settings name none, the address's own. */
export function originsFor(client: Known, baseUrl: string, kind: Kind, url: string): string[] {
  const named = kind === 'session' ? client.identificationOrigins : client.signatureOrigins
  const own = named.length === 0 ? [originOf(url) ?? []].flat() : []
  return unique([...knownOrigins(client, baseUrl, kind), ...own])
}

/** Any origin of the client: for messages that another page has received. */
export function allOrigins(client: Known, baseUrl: string): string[] {
  return unique([...knownOrigins(client, baseUrl, 'document'), ...knownOrigins(client, baseUrl, 'session')])
}

function unique(origins: readonly string[]): string[] {
  return [...new Set(origins)]
}
