/** Makes the token call with client credentials (HTTP Basic), and interprets refusals (`interface.md` 4.1, 5). */
import { fromStatus, type RawAnswer } from '../call/failures'
import { createError, fromFault, type CallContext } from '../call/no-answer'
import { withCause, type ErrorCode } from '../errors/errors'
import { mayRepeat, waitBefore, type FailedAttempt, type sleep } from '../call/retry'
import type { Token, TokenOwner } from './token'
import type { Http } from '../http/http'
import { faultBehind, type TrackedConfig } from '../http/request-progress'

interface TokenCall {
  readonly signal: AbortSignal
  /** Milliseconds that one attempt may take. */
  readonly timeout: number
  readonly retries: number
  readonly wait: typeof sleep
  readonly now: () => number
}

/**
 * Fetches a token. Retries transient failures, because a second request for a token does no harm. Rejects with an
 * EidError that says that nothing was done: the call that needs the token has not been sent.
 */
export async function fetchToken(http: Http, owner: TokenOwner, call: TokenCall): Promise<Token> {
  for (let attempts = 1; ; attempts++) {
    const context: CallContext = {
      method: 'POST',
      path: new URL(owner.tokenUrl).pathname,
      attempts,
      seconds: call.timeout / 1000,
      secrets: secretsOf(owner),
    }
    const result = await requestOnce(http, owner, call, context)
    if ('value' in result) return result
    const certain = withCause(result.error, { outcome: 'not-done' })
    if (attempts > call.retries || !mayRepeat('safe', result)) throw certain
    await call.wait(waitBefore(attempts + 1, result.retryAfter), call.signal).catch(() => {
      throw certain
    })
  }
}

async function requestOnce(
  http: Http,
  owner: TokenOwner,
  call: TokenCall,
  context: CallContext,
): Promise<Token | FailedAttempt> {
  const progress = http.track()
  const request: TrackedConfig = {
    method: 'POST',
    url: owner.tokenUrl,
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${basicOf(owner)}`,
    },
    data: new URLSearchParams({ grant_type: 'client_credentials', scope: owner.scopes.join(' ') }).toString(),
    signal: call.signal,
    timeout: call.timeout,
    responseType: 'arraybuffer',
    validateStatus: null,
    progress,
  }
  try {
    const { status, headers, data } = await http.axios.request<Buffer>(request)
    const answer = { status, headers: { ...(headers as RawAnswer['headers']) }, body: data }
    return readAnswer(answer, owner, context, call.now())
  } catch (thrown) {
    const fault = faultBehind(thrown, progress)
    if (fault) return fromFault(fault, context)
    throw thrown
  }
}

function readAnswer(answer: RawAnswer, owner: TokenOwner, context: CallContext, now: number): Token | FailedAttempt {
  const good = answer.status >= 200 && answer.status < 300
  const token = good ? readToken(answer.body) : undefined
  if (token) return token
  const failed = good ? noToken(answer, context) : fromStatus(answer, context, now)
  const code = answer.status < 500 ? refusalOf(answer, failed.error.code) : undefined
  if (!code) return failed
  const key = code === 'EID_CREDENTIALS' && isSpaced(owner) ? 'errors.spacedCredentials' : `errors.${code}`
  const params = { scopes: owner.scopes.join(', '), detail: '@answers.tokenShape', key }
  return { ...failed, transient: false, error: createError(code, context, failed.error.cause, params) }
}

/**
 * The code for a refused token call; undefined if the status is clear enough. The service may say "invalid scope" in
 * JSON or in plain text. A 403 or 404 here is about the token address, so the error must not say that a document is
 * missing.
 */
function refusalOf({ status, body }: RawAnswer, code: ErrorCode) {
  const said = body.toString('utf8', 0, 2000)
  if (/invalid[_ ]scope/i.test(said)) return 'EID_INVALID_SCOPE'
  if (status === 401 || /invalid_client|unauthorized_client/.test(said)) return 'EID_CREDENTIALS'
  return code === 'EID_FORBIDDEN' || code === 'EID_NOT_FOUND' ? 'EID_REFUSED' : undefined
}

/**
 * The token, or undefined if the response has the wrong shape. A valid response has a bearer token that fits in a
 * header, and may have a lifetime in seconds (60 if missing).
 */
function readToken(body: Buffer): Token | undefined {
  const said = parse(body)
  const value = said['access_token']
  const lifetime = secondsOf(said['expires_in'])
  const type = said['token_type'] ?? 'Bearer'
  const bearer = typeof type === 'string' && /^bearer$/i.test(type)
  const usable = typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && bearer && lifetime > 0
  return usable ? { value, lifetime } : undefined
}

function secondsOf(said: unknown): number {
  if (said === undefined || said === null) return 60
  return typeof said === 'number' || (typeof said === 'string' && /^\d+$/.test(said)) ? Number(said) : NaN
}

function noToken(answer: RawAnswer, context: CallContext): FailedAttempt {
  const cause = { method: context.method, path: context.path, attempts: context.attempts, status: answer.status }
  const error = createError(
    'EID_SERVICE',
    context,
    { ...cause, outcome: 'not-done' },
    { detail: '@answers.tokenShape' },
  )
  return { error, transient: false }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {} // The caller treats an unreadable response like a response without a token.
  }
}

/** Whether the id or the secret was probably copied with a space or a line break. */
const isSpaced = ({ clientId, clientSecret }: TokenOwner) => [clientId, clientSecret].some((one) => one !== one.trim())

/** Id and secret as HTTP Basic sends them. */
const basicOf = ({ clientId, clientSecret }: TokenOwner) =>
  Buffer.from(`${clientId}:${clientSecret}`).toString('base64')

/** Secrets of the client, which must not appear in texts taken from a response. */
export function secretsOf(owner: TokenOwner): string[] {
  return [owner.clientSecret, basicOf(owner)]
}
