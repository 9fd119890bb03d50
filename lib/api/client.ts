/** The HTTP client of the service: token, time-outs, retries, parallel calls and errors in one place (`interface.md` 4, 5, 7). */
import { Axios } from 'axios'
import { promise as queueOf, type queueAsPromised } from 'fastq'
import type { Readable } from 'node:stream'
import { EidError } from './errors'
import { fromFault, fromStatus, malformed, requestIdOf, type CallContext, type RawAnswer } from './failures'
import { operations, type Operation, type OperationName } from './operations'
import { buildPath, buildQuery, type Query } from './paths'
import { mayRepeat, orAborted, sleep, waitBefore, type FailedTry } from './retry'
import { fetchToken, type HttpClient } from './token-request'
import { sharedTokens, type TokenOwner, type TokenStore } from './token'
import { createTransport, TransportFault, type ChooseAgents } from './transport'

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

/** Makes a client. It holds no connection of its own: the agents do, and whoever made them closes them. */
export function createClient(options: ClientOptions): ApiClient {
  return new Client(options)
}

/** Who calls, for what, and how it stands: shared by the tries of one call. */
interface Running {
  readonly call: Operation
  readonly path: string
  readonly options: CallOptions
  readonly timeout: number
  attempts: number
}

type Try = { readonly answer: Answer } | { readonly failed: FailedTry }

class Client implements ApiClient {
  readonly baseUrl: string
  private readonly http: HttpClient
  private readonly queue: queueAsPromised<() => Promise<Try>, Try>
  private readonly owner: TokenOwner
  private readonly tokens: TokenStore
  private readonly now: () => number

  constructor(private readonly options: ClientOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.owner = {
      tokenUrl: options.tokenUrl || `${this.baseUrl}/oauth/connect/token`,
      clientId: options.clientId,
      clientSecret: options.clientSecret,
      scopes: options.scopes,
    }
    this.tokens = options.tokens ?? sharedTokens
    this.now = options.now ?? Date.now
    // Without axios' defaults: merging them into every call costs a third of its time, and the adapter needs none of them.
    this.http = new Axios({ adapter: createTransport(options.agents) })
    this.queue = queueOf((run: () => Promise<Try>) => run(), Math.max(1, options.concurrency ?? 8))
  }

  send(operation: OperationName, options: CallOptions = {}): Promise<Answer> {
    return this.request(operations[operation], options)
  }

  async request(call: Operation, options: CallOptions = {}): Promise<Answer> {
    const path = buildPath(call.path, { ...(options.id !== undefined && { id: options.id }), ...options.params })
    const timeout = options.timeout ?? (this.options.timeout ?? 30) * 1000
    const running: Running = { call, path, options, timeout, attempts: 0 }
    let uncertain = false
    for (;;) {
      const result = await this.queued(running)
      if ('answer' in result) return result.answer
      const { failed } = result
      uncertain ||= failed.error.cause.outcome === 'unknown'
      if (running.attempts > (this.options.retries ?? 3) || !mayRepeat(call.repeat, failed)) {
        throw uncertain ? asUncertain(failed.error) : failed.error
      }
      await this.pause(running, failed, uncertain)
      if (uncertain && call.repeat === 'lookup') {
        const found = await this.lookUp(running, failed.error)
        if (found) return found
        uncertain = false
      }
    }
  }

  /** Waits for a free place and tries; a stopped flow does not wait for the calls of others. */
  private async queued(running: Running): Promise<Try> {
    const { signal } = running.options
    const result = this.queue.push(() => this.attempt(running))
    return orAborted(result, signal).catch((error: unknown) => {
      if (signal?.aborted && running.attempts === 0) return { failed: this.stopped(running) }
      if (signal?.aborted) return result
      throw error
    })
  }

  async testToken(signal?: AbortSignal): Promise<{ lifetime: number }> {
    const token = await this.fetchToken(signal ?? new AbortController().signal)
    return { lifetime: token.lifetime }
  }

  private fetchToken(signal: AbortSignal) {
    const retry = { retries: this.options.retries ?? 3, wait: this.options.wait ?? sleep, now: this.now }
    return fetchToken(this.http, this.owner, { signal, timeout: (this.options.timeout ?? 30) * 1000, ...retry })
  }

  private async pause(running: Running, failed: FailedTry, uncertain: boolean): Promise<void> {
    const wait = this.options.wait ?? sleep
    try {
      await wait(waitBefore(running.attempts + 1, failed.retryAfter), running.options.signal)
    } catch {
      const { error } = this.stopped(running)
      throw uncertain ? asUncertain(error) : error
    }
  }

  private async lookUp(running: Running, error: EidError): Promise<Answer | undefined> {
    const { recover } = running.options
    if (!recover) throw error
    try {
      return (await recover()) as Answer | undefined
    } catch {
      throw asUncertain(error) // Whether it took effect cannot be told: that first failure is the one to report.
    }
  }

  /** One try: token, exchange, and once more with a new token when the service refused the old one. */
  private async attempt(running: Running): Promise<Try> {
    if (running.options.signal?.aborted) return { failed: this.stopped(running) }
    try {
      const first = await this.exchange(running)
      if (!('failed' in first) || first.failed.error.code !== 'EID_UNAUTHORIZED') return first
      return await this.exchange(running)
    } catch (error) {
      if (error instanceof EidError) return { failed: { error, untouched: false, transient: false } }
      throw error
    }
  }

  private async exchange(running: Running): Promise<Try> {
    const { options, call, path } = running
    let token: string
    try {
      token = await this.tokens.get(this.owner, (_owner, signal) => this.fetchToken(signal), options.signal)
    } catch (error) {
      if (options.signal?.aborted) return { failed: this.stopped(running) }
      throw error
    }
    const source = await this.bodyOf(options)
    running.attempts++
    const context = this.context(running)
    const headers = { Accept: 'application/json, */*', Authorization: `Bearer ${token}`, ...source?.headers }
    try {
      const response = await this.http.request({
        method: call.method,
        url: this.baseUrl + path + buildQuery(options.query),
        headers,
        data: source?.data,
        signal: options.signal,
        timeout: running.timeout,
        responseType: options.as === 'stream' ? 'stream' : 'arraybuffer',
      })
      const result = await this.read(response, context, options)
      if ('failed' in result && response.status === 401) this.tokens.forget(this.owner, token)
      return 'failed' in result && source?.once ? { failed: { ...result.failed, transient: false } } : result
    } catch (fault) {
      if (!(fault instanceof TransportFault)) throw fault
      const failed = fromFault(fault, context)
      return { failed: source?.once ? { ...failed, transient: false } : failed }
    }
  }

  private async read(
    response: { status: number; headers: unknown; data: unknown },
    context: CallContext,
    options: CallOptions,
  ): Promise<Try> {
    const headers = response.headers as RawAnswer['headers']
    const { status } = response
    const answer = { status, headers, requestId: requestIdOf(headers) }
    const good = status >= 200 && status < 300
    if (good && options.as === 'stream') return { answer: { ...answer, data: response.data } }
    const body = options.as === 'stream' ? await collect(response.data as Readable) : (response.data as Buffer)
    const raw: RawAnswer = { status, headers, body }
    if (!good) return { failed: fromStatus(raw, context, this.now()) }
    if (options.as === 'buffer') return { answer: { ...answer, data: body } }
    if (options.as === 'text') return { answer: { ...answer, data: body.toString('utf8') } }
    if (body.length === 0) return { answer: { ...answer, data: undefined } }
    try {
      return { answer: { ...answer, data: JSON.parse(body.toString('utf8')) as unknown } }
    } catch {
      return { failed: malformed(raw, context) }
    }
  }

  private async bodyOf(options: CallOptions): Promise<BodySource | undefined> {
    if (options.makeBody) return options.makeBody()
    if (options.body === undefined) return undefined
    // A text leaves in one write together with the headers, a Buffer would not.
    const data = JSON.stringify(options.body)
    const length = String(Buffer.byteLength(data))
    return { data, headers: { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length } }
  }

  private context(running: Running): CallContext {
    const { call, path, attempts, timeout } = running
    return { method: call.method, path, scope: call.scope, attempts, seconds: timeout / 1000 }
  }

  private stopped(running: Running): FailedTry {
    return fromFault(new TransportFault('aborted', 'connecting', 'STOPPED'), this.context(running))
  }
}

/** The same error with the truth about the earlier tries: one of them may have taken effect. */
function asUncertain(error: EidError): EidError {
  if (error.cause.outcome === 'unknown') return error
  return new EidError(error.code, error.text, { ...error.cause, outcome: 'unknown' }, error.problemKeys, error.message)
}

/** Reads an error answer that was asked for as a stream; the first 64 KiB say enough. */
async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > 65_536) break
  }
  return Buffer.concat(chunks)
}
