/** Validates a token that came back with a redirect: whether it is the sandbox's own and still valid. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Answer, Call } from '../server/call'
import { objectIn, textIn, type JsonObject } from '../server/json'
import type { World } from '../world'

interface Verdict {
  readonly valid: boolean
  readonly expired: boolean
  readonly claims: JsonObject
  readonly error: string | undefined
}

/** `POST /jwt/validate` {jwt} → {valid, expires, payload, error}, the payload in camelCase. */
export function validateJwt(call: Call, world: World): Answer {
  const { valid, claims, error } = verify(textIn(call.json().jwt), world)
  return { json: { valid, expires: claims.Expires, payload: camelCased(claims), error } }
}

/** The older `POST /signature/jwt` {jwt} → {jwtValid, expired, jwtPayload, error} */
export function validateOlderJwt(call: Call, world: World): Answer {
  const { valid, expired, claims, error } = verify(textIn(call.json().jwt), world)
  return { json: { jwtValid: valid, expired, jwtPayload: claims, error } }
}

function verify(token: string, world: World): Verdict {
  const [header = '', claims = '', signature = '', ...more] = token.split('.')
  const digest = createHmac('sha384', world.signature.key).update(`${header}.${claims}`).digest('base64url')
  const expected = Buffer.from(digest)
  const actual = Buffer.from(signature)
  if (more.length > 0 || actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    return { valid: false, expired: false, claims: {}, error: 'The signature of the token is not valid.' }
  }
  // The signature proves that the token is the sandbox's own, so its content is JSON.
  const read = objectIn(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')))
  const expired = read.Expires === undefined || Date.parse(textIn(read.Expires)) <= world.clock.now()
  return { valid: !expired, expired, claims: read, error: expired ? 'The token has expired.' : undefined }
}

function camelCased(value: unknown): JsonObject {
  const entries = Object.entries(objectIn(value)).map(([name, inner]) => {
    const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    return [`${name.charAt(0).toLowerCase()}${name.slice(1)}`, isObject ? camelCased(inner) : inner]
  })
  return Object.fromEntries(entries) as JsonObject
}
