/** The HTTP client of the service: token, time-outs, retries, parallel calls and errors in one place (`interface.md` 4, 5, 7). */
import { promise as queueOf, type queueAsPromised } from 'fastq'
import { setMaxListeners } from 'node:events'
import type { Readable } from 'node:stream'
import { checkUrl } from './addresses'
import { attempt, stopped, type Line, type Running, type Try } from './attempt'
import { configError, EidError } from './errors'
import type { RawAnswer } from './failures'
import { createHttp } from './http'
import { operations, type Operation, type OperationName } from './operations'
import { below, buildPath, buildQuery, type Query } from './paths'
import { mayRepeat, orAborted, sleep, waitBefore, type FailedTry } from './retry'
import { sharedTokens, type Token, type TokenOwner, type TokenStore } from './token'
import { fetchToken } from './token-request'
import { createTransport, type ChooseAgents } from './transport'

export interface ClientOptions {
  /** Address of the service without a trailing slash, such as `https://service.example`. */
  readonly baseUrl: string
  /** Defaults to `{baseUrl}/oauth/connect/token`. */
  readonly tokenUrl?: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scopes: readonly string[]
  /** Seconds one try may take; 30 by default. */
  readonly timeout?: number
  /** How often a call is repeated at the most; 3 by default. */
  readonly retries?: number
  /** How many calls are on their way at once at the most; 8 by default. */
  readonly concurrency?: number
  readonly agents: ChooseAgents
  readonly tokens?: TokenStore
  readonly now?: () => number
  readonly wait?: typeof sleep
}

export interface CallOptions {
  /** Shorthand for `params: {id}`. */
  readonly id?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Query
  /** Sent as JSON. */
  readonly body?: unknown
  /** Makes the body and its headers anew for every try (multipart); takes the place of `body`. */
  readonly makeBody?: () => BodySource | Promise<BodySource>
  readonly signal?: AbortSignal
  /** Milliseconds one try may take; for streams, the time without progress. Overrides the client's. */
  readonly timeout?: number
  /** How the answer's body is wanted; `json` by default. */
  readonly as?: 'json' | 'text' | 'buffer' | 'stream'
  /** Looks whether a try with an unknown outcome took effect: the answer it had, or undefined when it surely did nothing. Rejects when unsure. */
  readonly recover?: () => Promise<unknown>
}

export interface BodySource {
  readonly data: string | Buffer | Readable
  readonly headers: Readonly<Record<string, string>>
  /** The data can't be made a second time (a stream that was handed in). */
  readonly once?: boolean
}

export interface Answer {
  readonly status: number
  readonly requestId?: string
  readonly headers: RawAnswer['headers']
  /** The parsed object, text, Buffer or stream, as wanted; undefined when the service answered nothing. */
  readonly data: unknown
}

export interface ApiClient {
  readonly baseUrl: string
  /** Calls an operation of the table. Rejects with an EidError, always. */
  send(operation: OperationName, options?: CallOptions): Promise<Answer>
  /** Calls any method and path below the base address. */
  request(call: Operation, options?: CallOptions): Promise<Answer>
  /** Asks for a token now and says how many seconds it is valid; takes nothing from the cache. */
  testToken(signal?: AbortSignal): Promise<{ lifetime: number }>
}

/**
 * Makes a client. It holds no connection of its own: the agents do, and whoever made them closes them. Throws EID_CONFIG when an
 * address is not one of http or https.
 */
export function createClient(options: ClientOptions): ApiClient {
  return new Client(options)
}

class Client implements ApiClient {
  readonly baseUrl: string
  private readonly base: URL
  private readonly queue: queueAsPromised<Running, Try>
  private readonly line: Line
  private readonly owner: TokenOwner
  private readonly retries: number
  private readonly wait: typeof sleep

  constructor(private readonly options: ClientOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.base = checkBase(this.baseUrl)
    this.owner = ownerOf(options, this.baseUrl)
    this.retries = options.retries ?? 3
    this.wait = options.wait ?? sleep
    const { tokens = sharedTokens, now = Date.now } = options
    this.line = {
      http: createHttp(createTransport(options.agents)),
      now,
      token: (signal) => tokens.get(this.owner, (_owner, stop) => this.fetchToken(stop), signal),
      forget: (token) => tokens.forget(this.owner, token),
    }
    this.queue = queueOf((running: Running) => this.begin(running), Math.max(1, options.concurrency ?? 8))
  }

  send(operation: OperationName, options: CallOptions = {}): Promise<Answer> {
    return this.request(operations[operation], options)
  }

  async request(call: Operation, options: CallOptions = {}): Promise<Answer> {
    const running = this.prepare(call, options)
    const repeat = call.repeat === 'lookup' && !options.recover ? 'never' : call.repeat
    let uncertain = false
    for (let repeats = 0; ; repeats++) {
      const result = await this.queued(running)
      if ('answer' in result) return result.answer
      const { failed } = result
      uncertain ||= failed.error.cause.outcome === 'unknown' && !failed.untouched
      if (repeats >= this.retries || !mayRepeat(repeat, failed)) throw told(failed.error, uncertain)
      await this.pause(running, repeats, failed, uncertain)
      if (uncertain && repeat === 'lookup') {
        const found = await lookUp(options.recover, failed.error)
        if (found) return found
        uncertain = false
      }
    }
  }

  async testToken(signal?: AbortSignal): Promise<{ lifetime: number }> {
    const token = await this.fetchToken(signal ?? new AbortController().signal)
    return { lifetime: token.lifetime }
  }

  private prepare(call: Operation, options: CallOptions): Running {
    // One signal stops every call of a node: many listeners are no leak.
    if (options.signal) setMaxListeners(0, options.signal)
    const path = buildPath(call.path, { ...(options.id !== undefined && { id: options.id }), ...options.params })
    const timeout = options.timeout ?? (this.options.timeout ?? 30) * 1000
    return {
      call,
      target: below(this.base, path, buildQuery(options.query)),
      options,
      timeout,
      attempts: 0,
      begun: false,
    }
  }

  /** Waits for a free place and tries; a stopped flow does not wait for the calls of others. */
  private async queued(running: Running): Promise<Try> {
    running.begun = false
    const result = this.queue.push(running)
    // Once it has begun, the try itself ends at once when it is stopped, and knows how far it came.
    if (running.begun) return result
    return orAborted(result, running.options.signal).catch(() => (running.begun ? result : stopped(running)))
  }

  private begin(running: Running): Promise<Try> {
    running.begun = true
    return attempt(this.line, running)
  }

  private fetchToken(signal: AbortSignal): Promise<Token> {
    const { retries, wait, line } = this
    const timeout = (this.options.timeout ?? 30) * 1000
    return fetchToken(line.http, this.owner, { signal, timeout, retries, wait, now: line.now })
  }

  private async pause(running: Running, repeats: number, failed: FailedTry, uncertain: boolean): Promise<void> {
    try {
      await this.wait(waitBefore(repeats + 2, failed.retryAfter), running.options.signal)
    } catch {
      throw told(stopped(running).failed.error, uncertain)
    }
  }
}

/** The base address; a query or credentials in it would end up in the middle of every call. */
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

async function lookUp(recover: CallOptions['recover'], error: EidError): Promise<Answer | undefined> {
  try {
    return (await recover?.()) as Answer | undefined
  } catch {
    throw told(error, true) // Whether it took effect cannot be told: that first failure is the one to report.
  }
}

/** The error with the truth about the earlier tries: when one of them may have taken effect, it says so. */
function told(error: EidError, uncertain: boolean): EidError {
  if (!uncertain || error.cause.outcome === 'unknown') return error
  return new EidError(error.code, error.text, { ...error.cause, outcome: 'unknown' }, error.problemKeys, error.message)
}
