/** Who may call what: bearer tokens and their scopes for the service, the sandbox's own origin for its controls. */
import type { IncomingMessage } from 'node:http'
import type { World } from '../world'
import { errorAnswer, HttpError } from './answers'
import type { Route } from './call'
import type { Client } from '../token/clients'

/** The client whose token came with the request; throws a HttpError with 401 or 403 (`docs/interface.md` 7). */
export function authorize(request: IncomingMessage, route: Route, world: World): Client | undefined {
  if (route.open || route.admin) return undefined
  const [, value = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const token = world.tokens.get(value)
  const client = token && world.clients.get(token.clientId)
  if (!token || !client || token.expires <= world.clock.now()) {
    throw new HttpError({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
  }
  if (route.scope && !token.scopes.has(route.scope)) {
    throw new HttpError(errorAnswer(403, 'FORBIDDEN', `The token lacks the scope ${route.scope}.`))
  }
  return client
}

/** Forgets the token of this request, as if its time had run out. */
export function expireToken(request: IncomingMessage, world: World): void {
  world.tokens.delete((request.headers.authorization ?? '').replace(/^Bearer +/i, ''))
}

/** Keeps other sites away from the controls; throws a HttpError. */
export function guardControls(request: IncomingMessage, world: World): void {
  const { origin, host = '', 'content-type': type = '' } = request.headers
  const own = [new URL(world.url).origin, `http://${host}`]
  if (!isKnownHost(host, world) || (origin !== undefined && !own.includes(origin))) {
    throw new HttpError(errorAnswer(403, 'FORBIDDEN', 'The controls answer to their own page only.'))
  }
  if (request.method !== 'GET' && !/^application\/json\b/i.test(type)) {
    throw new HttpError(errorAnswer(415, 'JSON_ONLY', 'The content type must be application/json.'))
  }
}

/** A name that a foreign page cannot have made point here. */
function isKnownHost(host: string, world: World): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i.test(host) || host === new URL(world.url).host
}
