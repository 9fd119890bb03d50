/**
 * The HTTP client of the service: token, time-outs, retries, parallel calls and errors in one place (`interface.md` 4,
 * 5, 7).
 */
import { withoutSlashes } from '../common/trim'
import { createTurns, type Turns } from '../common/turns'
import type { AxiosInstance } from 'axios'
import type { ConnectionOptions } from 'node:tls'
import { checkUrl } from './operations/addresses'
import { attempt, stopped } from './call/attempt'
import type { Answer, AttemptResult, CallOptions, Connection, PendingCall } from './call/call'
import { createDispatchers, type Dispatchers } from './http/dispatchers'
import { configError, withCause, type EidError } from './errors/errors'
import { expectations, type Expectation } from './operations/expectations'
import { createHttp } from './http/http'
import { operations, type Operation, type OperationName } from './operations/operations'
import { buildPath, buildQuery, resolveUrl, type Target } from './operations/paths'
import { environmentProxy, type FindProxy } from './http/proxy'
import { mayRepeat, orAborted, sleep, waitBefore, type FailedAttempt } from './call/retry'
import { sharedTokens, type Token, type TokenOwner, type TokenStore } from './token/token'
import { fetchToken, secretsOf } from './token/token-request'

export interface ClientOptions {
  /** Address of the service without a trailing slash, such as `https://service.example`. */
  readonly baseUrl: string
  /** Defaults to `{baseUrl}/oauth/connect/token`. */
  readonly tokenUrl?: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
  /** Seconds that one attempt may take; 30 by default. */
  readonly timeout?: number
  /** The maximum number of retries of a call; 3 by default. */
  readonly retries?: number
  /** The maximum number of calls in flight; 8 by default. */
  readonly concurrency?: number
  /** The proxy for an address; by default the one from the environment (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`). */
  readonly findProxy?: FindProxy
  /** Options for node:tls, used for https addresses: ca, cert, key, … */
  readonly tls?: ConnectionOptions
  readonly tokens?: TokenStore
  readonly now?: () => number
  readonly wait?: typeof sleep
}

export interface ApiClient {
  readonly baseUrl: string
  /** The axios instance used for every call: interceptors and defaults added to it take effect. */
  readonly axios: AxiosInstance
  /** Calls an operation of the table. Always rejects with an EidError. */
  send(operation: OperationName, options?: CallOptions): Promise<Answer>
  /**
   * Calls any method and path below the base address. Any 2xx response is a success, unless `expected` requires a
   * certain content.
   */
  request(call: Operation, options?: CallOptions, expected?: Expectation): Promise<Answer>
  /** Requests a token now, bypassing the cache, and returns how many seconds it is valid. */
  testToken(signal?: AbortSignal): Promise<{ lifetime: number }>
  /** The time at which the current token is replaced, in milliseconds since 1970; undefined without a token. */
  tokenUntil(): number | undefined
  /** Closes every connection: calls in flight fail, and nothing more is sent. Resolves when all are closed. */
  close(): Promise<void>
}

/** Creates a client, which connects when needed. Throws EID_CONFIG unless every address is http or https. */
export function createClient(options: ClientOptions): ApiClient {
  return new Client(options)
}

/**
 * The number of connections that a client may have beyond `concurrency`: a response read as a stream keeps its
 * connection but no longer counts as a call in flight.
 */
const maxStreams = 64

/** The operations whose path has no parameters, so that every call has the same address. */
const fixed: ReadonlySet<Operation> = new Set(Object.values(operations).filter(({ path }) => !path.includes('{')))

class Client implements ApiClient {
  readonly baseUrl: string
  readonly axios: AxiosInstance
  private readonly base: URL
  private readonly queue: Turns
  /** Background calls queue here before they enter the common queue. */
  private readonly background: Turns
  private readonly dispatchers: Dispatchers
  private readonly connection: Connection
  private readonly owner: TokenOwner
  private readonly tokens: TokenStore
  private readonly retries: number
  private readonly wait: typeof sleep
  private readonly targets = new Map<Operation, Target>()

  constructor(private readonly options: ClientOptions) {
    this.baseUrl = withoutSlashes(options.baseUrl)
    this.base = checkBase(this.baseUrl)
    this.owner = ownerOf(options, this.baseUrl)
    this.retries = options.retries ?? 3
    this.wait = options.wait ?? sleep
    const { tokens = sharedTokens, now = Date.now } = options
    this.tokens = tokens
    const concurrency = Math.max(1, options.concurrency ?? 8)
    this.dispatchers = createDispatchers({
      findProxy: options.findProxy ?? ((url) => environmentProxy(url, process.env)),
      tls: options.tls ?? {},
      maxConnections: concurrency + maxStreams,
    })
    const http = createHttp(this.dispatchers)
    this.axios = http.axios
    this.connection = {
      http,
      now,
      token: (signal) => tokens.get(this.owner, (_owner, signal) => this.fetchToken(signal), signal),
      forget: (token) => tokens.forget(this.owner, token),
      secrets: secretsOf(this.owner),
    }
    this.queue = createTurns(concurrency)
    const half = Math.max(1, Math.floor(concurrency / 2))
    this.background = createTurns(half)
  }

  send(operation: OperationName, options: CallOptions = {}): Promise<Answer> {
    return this.complete(operations[operation], options, expectations[operation])
  }

  request(call: Operation, options: CallOptions = {}, expected: Expectation = 'nothing'): Promise<Answer> {
    return this.complete(call, options, expected)
  }

  private async complete(call: Operation, options: CallOptions, expected: Expectation): Promise<Answer> {
    const pending = this.prepare(call, options, expected)
    const repeat = call.repeat === 'lookup' && !options.findExisting ? 'never' : call.repeat
    // True once an earlier attempt may have taken effect; never set back to false.
    let uncertain = false
    for (let repeats = 0; ; repeats++) {
      const result = await this.queued(pending)
      if ('answer' in result) return result.answer
      const { failed } = result
      uncertain ||= failed.error.cause.outcome === 'unknown'
      if (repeats >= this.retries || !mayRepeat(repeat, failed)) {
        const found = isAccepted(failed) && repeat === 'lookup' && (await lookUp(options.findExisting, failed.error))
        if (found) return found
        throw markUncertain(failed.error, uncertain)
      }
      options.onRepeat?.(repeats + 1, this.retries)
      await this.pause(pending, repeats, failed, uncertain)
      if (uncertain && repeat === 'lookup') {
        const found = await lookUp(options.findExisting, failed.error)
        if (found) return found
        // The service shows no sign of the first attempt yet, but that attempt may still take effect: the outcome stays
        // unknown.
      }
    }
  }

  async close(): Promise<void> {
    await this.dispatchers.close()
  }

  async testToken(signal?: AbortSignal): Promise<{ lifetime: number }> {
    const token = await this.fetchToken(signal ?? new AbortController().signal)
    return { lifetime: token.lifetime }
  }

  tokenUntil(): number | undefined {
    return this.tokens.usedUntil(this.owner)
  }

  private prepare(call: Operation, options: CallOptions, expected: Expectation): PendingCall {
    const timeout = options.timeout ?? (this.options.timeout ?? 30) * 1000
    return {
      call,
      target: this.targetOf(call, options),
      options,
      expected,
      timeout,
      attempts: 0,
      begun: false,
    }
  }

  private targetOf(call: Operation, { id, params, query }: CallOptions): Target {
    const isFixed = query === undefined && fixed.has(call)
    const known = isFixed ? this.targets.get(call) : undefined
    if (known) return known
    const path = buildPath(call.path, { ...(id !== undefined && { id }), ...params })
    const target = resolveUrl(this.base, path, buildQuery(query))
    if (isFixed) this.targets.set(call, target)
    return target
  }

  /**
   * Waits for a free slot, then makes an attempt. If the flow is stopped before that, the call leaves the queue at
   * once.
   */
  private async queued(pending: PendingCall): Promise<AttemptResult> {
    pending.begun = false
    const begin = () => this.queue.run(0, () => this.begin(pending))
    const result = pending.options.background ? this.background.run(0, begin) : begin()
    // Once an attempt has begun, it ends by itself when the flow is stopped, and it reports how far it got.
    if (pending.begun) return result
    return orAborted(result, pending.options.signal).catch(() => (pending.begun ? result : stopped(pending)))
  }

  private begin(pending: PendingCall): Promise<AttemptResult> {
    pending.begun = true
    return attempt(this.connection, pending)
  }

  private fetchToken(signal: AbortSignal): Promise<Token> {
    const { retries, wait, connection } = this
    const timeout = (this.options.timeout ?? 30) * 1000
    return fetchToken(connection.http, this.owner, { signal, timeout, retries, wait, now: connection.now })
  }

  private async pause(pending: PendingCall, repeats: number, failed: FailedAttempt, uncertain: boolean): Promise<void> {
    try {
      await this.wait(waitBefore(repeats + 2, failed.retryAfter), pending.options.signal)
    } catch {
      throw markUncertain(stopped(pending).failed.error, uncertain)
    }
  }
}

/** The base address. Rejects a query or credentials, which would end up in the middle of every call. */
function checkBase(text: string): URL {
  const url = checkUrl(text, 'baseUrl', false)
  if (url.username || url.password || /[?#]/.test(text)) throw configError('badUrl', { field: 'baseUrl' })
  return url
}

function ownerOf({ clientId, clientSecret, scopes, ...options }: ClientOptions, baseUrl: string): TokenOwner {
  const tokenUrl = options.tokenUrl || `${baseUrl}/oauth/connect/token`
  checkUrl(tokenUrl, 'tokenUrl', false)
  return { tokenUrl, clientId, clientSecret, scopes }
}

async function lookUp(find: CallOptions['findExisting'], error: EidError): Promise<Answer | undefined> {
  try {
    return await find?.()
  } catch {
    throw markUncertain(error, true) // The look-up failed too, so report the failure of the attempt.
  }
}

/**
 * True if the service reported success with an incomplete answer. The service can be asked then, even if nothing is
 * sent again.
 */
function isAccepted({ error }: FailedAttempt): boolean {
  const { status = 0 } = error.cause
  return status >= 200 && status < 300
}

/** The same error, but with the outcome `unknown` if an earlier attempt may have taken effect. */
function markUncertain(error: EidError, uncertain: boolean): EidError {
  if (!uncertain || error.cause.outcome === 'unknown') return error
  return withCause(error, { outcome: 'unknown' })
}
