/** The token endpoint: client credentials by Basic or in the form body (`docs/interface.md` 4.1, 5). */
import { randomBytes } from 'node:crypto'
import type { Answer, Call, Route } from '../server/call'
import type { Client } from './clients'
import type { World } from '../world'

export const tokenRoute: Route = { method: 'POST', path: '/oauth/connect/token', open: true, handle: giveToken }

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

function giveToken(call: Call, world: World): Answer {
  const form = call.form()
  const client = findClient(call, form, world)
  if (!client) return refused(401, 'invalid_client', 'The client is unknown or its secret is wrong.')
  const grant = form.get('grant_type')
  if (!grant) return refused(400, 'invalid_request', 'grant_type is missing.')
  if (grant !== 'client_credentials')
    return refused(400, 'unsupported_grant_type', 'Only client_credentials is supported.')
  const asked = (form.get('scope') ?? '').split(' ').filter(Boolean)
  const lacking = asked.filter((scope) => !client.scopes.includes(scope))
  if (lacking.length > 0) return refused(400, 'invalid_scope', `invalid scope: ${lacking.join(' ')}`)
  const scopes = asked.length > 0 ? asked : client.scopes
  return { json: issue(world, client, scopes), headers: noStore }
}

function issue(world: World, client: Client, scopes: readonly string[]): Record<string, unknown> {
  const token = randomBytes(24).toString('base64url')
  // While the clock is being moved, a new token is valid from the end of the move. Otherwise, the token could expire
  // before the client uses it.
  const from = world.clock.arrival()
  const expires = from + world.tokenLifetime * 1000
  world.tokens.set(token, { clientId: client.id, scopes: new Set(scopes), from, expires })
  return { access_token: token, expires_in: world.tokenLifetime, token_type: 'Bearer', scope: scopes.join(' ') }
}

function findClient(call: Call, form: URLSearchParams, world: World): Client | undefined {
  const [id, secret] = basicCredentials(call) ?? [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  const client = world.clients.get(id)
  return client?.secret === secret ? client : undefined
}

function basicCredentials(call: Call): [string, string] | undefined {
  const [, encoded] = /^Basic +(\S+)$/i.exec(call.headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon < 0 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)]
}

function refused(status: number, error: string, description: string): Answer {
  const challenge: Record<string, string> = status === 401 ? { 'WWW-Authenticate': 'Basic realm="sandbox"' } : {}
  return { status, json: { error, error_description: description }, headers: { ...noStore, ...challenge } }
}
