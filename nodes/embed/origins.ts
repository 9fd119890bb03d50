/** Decides which addresses may be framed, and whose web messages are accepted (`interface.md` 6.1, 6.2). */
import { configError } from '../../lib/api/errors/errors'
import type { ClientSettings } from '../../lib/runtime/node-red/client-node'

export type PageKind = 'document' | 'session'

type Settings = Pick<ClientSettings, 'environment' | 'signatureOrigins' | 'identificationOrigins'>

/** For each kind of page, the name of the client's setting that lists its origins. */
const settings = { document: 'signatureOrigins', session: 'identificationOrigins' } as const

/** Scheme, host and port of an http address; undefined for anything else. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined
}

/**
 * Returns the origins for this kind from the client's settings, plus the origin of the simulated service if the client
 * uses it. If there is no origin, throws EID_CONFIG, which names the setting, because nothing could be framed or
 * accepted.
 */
export function originsFor(client: Settings, baseUrl: string, kind: PageKind): string[] {
  const found = knownOrigins(client, baseUrl, kind)
  if (found.length === 0) throw configError('origins', { setting: `@fields.${settings[kind]}` })
  return found
}

/**
 * Returns the client's origins of both kinds, for messages received by another page. Throws EID_CONFIG if there is no
 * origin.
 */
export function allOrigins(client: Settings, baseUrl: string): string[] {
  const found = unique([...knownOrigins(client, baseUrl, 'document'), ...knownOrigins(client, baseUrl, 'session')])
  return found.length > 0 ? found : originsFor(client, baseUrl, 'document')
}

function knownOrigins(client: Settings, baseUrl: string, kind: PageKind): string[] {
  const sandbox = client.environment === 'sandbox' ? [baseUrl] : []
  return unique([...client[settings[kind]], ...sandbox].flatMap((address) => originOf(address) ?? []))
}

function unique(origins: readonly string[]): string[] {
  return [...new Set(origins)]
}
