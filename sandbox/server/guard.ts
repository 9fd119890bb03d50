/**
 * Access control: calls of the service need a bearer token with the right scope; calls of the control room must come
 * from the sandbox's own origin.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { AccessToken, World } from '../world'
import { errorAnswer, httpError, HttpError } from './answers'
import type { Route } from './call'
import type { Client } from '../token/clients'

/** The client whose token came with the request; throws an HttpError with 401 or 403 (`docs/interface.md` 7). */
export function authorize(request: IncomingMessage, route: Route, world: World): Client | undefined {
  if (route.open || route.admin) return undefined
  const [, value = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const token = world.tokens.get(value)
  const client = token && world.clients.get(token.clientId)
  if (!token || !client || !isGood(token, world)) {
    throw new HttpError({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
  }
  if (route.scope && !token.scopes.has(route.scope)) {
    throw new HttpError(errorAnswer(403, 'FORBIDDEN', `The token lacks the scope ${route.scope}.`))
  }
  return client
}

/**
 * Whether a token is valid now. If the validity begins in the future, the token was issued before the clock was put
 * back, so it is invalid.
 */
function isGood({ from, expires }: AccessToken, { clock }: World): boolean {
  return from <= clock.arrival() && clock.now() < expires
}

/** Invalidates the token of this request, as if it had expired. */
export function expireToken(request: IncomingMessage, world: World): void {
  world.tokens.delete((request.headers.authorization ?? '').replace(/^Bearer +/i, ''))
}

/** Throws an HttpError (421) if the host name is foreign, because a foreign page may have caused the call. */
export function guardHost(request: IncomingMessage, world: World): void {
  if (isOwnHost(request.headers.host ?? '', world)) return
  throw httpError(421, 'WRONG_HOST', `This is not the sandbox's address, which is ${world.url}.`)
}

/** Throws an HttpError if a call of the control room comes from another website, or does not send JSON. */
export function guardControls(request: IncomingMessage, world: World): void {
  const { origin, host = '', 'content-type': type = '' } = request.headers
  const own = [new URL(world.url).origin, `http://${host}`]
  if (origin !== undefined && !own.includes(origin)) {
    throw httpError(403, 'FORBIDDEN', 'The controls answer to their own page only.')
  }
  if (request.method !== 'GET' && !/^application\/json\b/i.test(type)) {
    throw httpError(415, 'JSON_ONLY', 'The content type must be application/json.')
  }
}

/** Whether the host name is safe from DNS rebinding: the sandbox's own name, `localhost`, or an IP address. */
function isOwnHost(host: string, world: World): boolean {
  const name = host.replace(/:\d+$/, '')
  return /^localhost$/i.test(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0 || host === new URL(world.url).host
}
