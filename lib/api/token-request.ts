/** The token call itself: client credentials by HTTP Basic, and what its refusals mean (`interface.md` 4.1, 5). */
import type { AxiosInstance } from 'axios'
import { build, fromFault, fromStatus, type CallContext, type RawAnswer } from './failures'
import { EidError } from './errors'
import { mayRepeat, waitBefore, type FailedTry, type sleep } from './retry'
import type { Token, TokenOwner } from './token'
import { TransportFault } from './transport'

/** The one method of axios that the client uses. */
export type HttpClient = Pick<AxiosInstance, 'request'>

export interface TokenCall {
  readonly signal: AbortSignal
  /** Milliseconds one try may take. */
  readonly timeout: number
  readonly retries: number
  readonly wait: typeof sleep
  readonly now: () => number
}

/** Fetches a token; repeats what is transient, since asking twice does no harm. Rejects with an EidError: nothing was done yet. */
export async function fetchToken(http: HttpClient, owner: TokenOwner, call: TokenCall): Promise<Token> {
  for (let attempts = 1; ; attempts++) {
    const context: CallContext = {
      method: 'POST',
      path: new URL(owner.tokenUrl).pathname,
      attempts,
      seconds: call.timeout / 1000,
    }
    const result = await tryOnce(http, owner, call, context)
    if ('value' in result) return result
    const certain = new EidError(result.error.code, result.error.text, { ...result.error.cause, outcome: 'not-done' })
    if (attempts > call.retries || !mayRepeat('safe', result)) throw certain
    await call.wait(waitBefore(attempts + 1, result.retryAfter), call.signal).catch(() => {
      throw certain
    })
  }
}

async function tryOnce(
  http: HttpClient,
  owner: TokenOwner,
  call: TokenCall,
  context: CallContext,
): Promise<Token | FailedTry> {
  try {
    const response = await http.request({
      method: 'POST',
      url: owner.tokenUrl,
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: `Basic ${Buffer.from(`${owner.clientId}:${owner.clientSecret}`).toString('base64')}`,
      },
      data: new URLSearchParams({ grant_type: 'client_credentials', scope: owner.scopes.join(' ') }).toString(),
      signal: call.signal,
      timeout: call.timeout,
    })
    const answer = {
      status: response.status,
      headers: response.headers as RawAnswer['headers'],
      body: response.data as Buffer,
    }
    return readAnswer(answer, owner, context, call.now())
  } catch (fault) {
    if (fault instanceof TransportFault) return fromFault(fault, context)
    throw fault
  }
}

function readAnswer(answer: RawAnswer, owner: TokenOwner, context: CallContext, now: number): Token | FailedTry {
  if (answer.status >= 200 && answer.status < 300) return readToken(answer, context)
  const failed = fromStatus(answer, context, now)
  const said = answer.body.toString('utf8', 0, 2000)
  const { status } = answer
  if (status >= 400 && status < 500 && /invalid[_ ]scope/i.test(said)) {
    return {
      ...failed,
      error: build('EID_INVALID_SCOPE', context, failed.error.cause, { scopes: owner.scopes.join(', ') }),
    }
  }
  if (status === 401 || /invalid_client|unauthorized_client/.test(said)) {
    return { ...failed, transient: false, error: build('EID_CREDENTIALS', context, failed.error.cause) }
  }
  return failed
}

/** Checks the answer's shape: a bearer token that fits in a header, and a life in seconds (60 when the service doesn't say). */
function readToken(answer: RawAnswer, context: CallContext): Token | FailedTry {
  const said = parse(answer.body)
  const value = said['access_token']
  const lifetime = Number(said['expires_in'] ?? 60)
  const bearer = /^bearer$/i.test(String(said['token_type'] ?? 'Bearer'))
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && bearer && lifetime > 0) return { value, lifetime }
  const cause = { method: context.method, path: context.path, attempts: context.attempts, status: answer.status }
  const error = build('EID_SERVICE', context, { ...cause, outcome: 'not-done' }, { detail: '@answers.tokenShape' })
  return { error, untouched: true, transient: false }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {} // What cannot be read has no token in it, and that is what the caller checks.
  }
}
