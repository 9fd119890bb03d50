/** One try of a call: token, body, exchange, and what the answer means (`interface.md` 5 rule 5, 7). */
import type { Readable } from 'node:stream'
import type { Answer, BodySource, CallOptions } from './client'
import { EidError, inputError } from './errors'
import type { ExchangeConfig } from './exchange'
import { fromFault, fromStatus, malformed, requestIdOf, build, type CallContext, type RawAnswer } from './failures'
import { TransportFault } from './fault'
import type { Operation } from './operations'
import type { Target } from './paths'
import type { FailedTry } from './retry'
import type { HttpClient } from './http'

/** What the tries of all calls of one client share. */
export interface Line {
  readonly http: HttpClient
  readonly now: () => number
  /** Rejects with an EidError or the signal's reason. */
  token(signal?: AbortSignal): Promise<string>
  forget(token: string): void
}

/** Who calls, for what, and how it stands: shared by the tries of one call. */
export interface Running {
  readonly call: Operation
  readonly target: Target
  readonly options: CallOptions
  /** Milliseconds one try may take. */
  readonly timeout: number
  /** How often it was sent. */
  attempts: number
  /** It no longer waits for a free place. */
  begun: boolean
}

export type Try = { readonly answer: Answer } | { readonly failed: FailedTry }

/** One try, and once more with a new token when the service refused the old one. Never rejects. */
export async function attempt(line: Line, running: Running): Promise<Try> {
  if (running.options.signal?.aborted) return stopped(running)
  try {
    const first = await exchange(line, running)
    const again = 'failed' in first && first.failed.error.code === 'EID_UNAUTHORIZED' && !first.spent
    return again ? await exchange(line, running) : first
  } catch (error) {
    if (running.options.signal?.aborted) return stopped(running)
    return { failed: { error: asEidError(error, running), untouched: false, transient: false } }
  }
}

/** The failure of a call that was stopped before it was sent. */
export function stopped(running: Running): { failed: FailedTry } {
  return { failed: fromFault(new TransportFault('aborted', 'connecting', 'STOPPED'), contextOf(running)) }
}

/** Whatever our own code did not foresee is told of as an answer that could not be read: it may have been sent. */
function asEidError(error: unknown, running: Running): EidError {
  if (error instanceof EidError) return error
  const { method, path, attempts } = contextOf(running)
  const cause = { method, path, attempts, outcome: 'unknown' } as const
  return build('EID_SERVICE', contextOf(running), cause, { detail: '@answers.malformed' })
}

function contextOf({ call, target, attempts, timeout }: Running): CallContext {
  return { method: call.method, path: target.path, scope: call.scope, attempts, seconds: timeout / 1000 }
}

async function exchange(line: Line, running: Running): Promise<Try & { spent?: boolean }> {
  const { options } = running
  const token = await line.token(options.signal)
  const source = await sourceOf(options)
  if (options.signal?.aborted) {
    discard(source)
    return stopped(running)
  }
  running.attempts++
  const result = await sendOnce(line, running, token, source)
  if (!('failed' in result)) return result
  if (result.failed.error.code === 'EID_UNAUTHORIZED') line.forget(token)
  // What could be read only once can't be sent a second time.
  return source?.once ? { failed: { ...result.failed, transient: false }, spent: true } : result
}

async function sendOnce(line: Line, running: Running, token: string, source: BodySource | undefined): Promise<Try> {
  const { options, call, target } = running
  const context = { ...contextOf(running), secrets: [token] }
  const request: ExchangeConfig = {
    method: call.method,
    url: target.url,
    headers: { Accept: 'application/json, */*', ...source?.headers, Authorization: `Bearer ${token}` },
    data: source?.data,
    stop: options.signal,
    timeout: running.timeout,
    responseType: options.as === 'stream' ? 'stream' : 'arraybuffer',
  }
  try {
    return await read(await line.http.request(request), context, options, line.now())
  } catch (fault) {
    if (fault instanceof TransportFault) return { failed: fromFault(fault, context) }
    discard(source)
    throw fault
  }
}

interface Response {
  readonly status: number
  readonly headers: unknown
  readonly data: unknown
}

async function read(response: Response, context: CallContext, options: CallOptions, now: number): Promise<Try> {
  const { status } = response
  const headers = response.headers as RawAnswer['headers']
  const answer = { status, headers, requestId: requestIdOf(headers) }
  const good = status >= 200 && status < 300
  if (good && options.as === 'stream') return { answer: { ...answer, data: response.data } }
  const body = options.as === 'stream' ? await collect(response.data as Readable) : (response.data as Buffer)
  const raw: RawAnswer = { status, headers, body }
  if (!good) return { failed: fromStatus(raw, context, now) }
  if (options.as === 'buffer') return { answer: { ...answer, data: body } }
  const text = body.toString('utf8')
  if (options.as === 'text') return { answer: { ...answer, data: text } }
  try {
    const bare = text.trim()
    return { answer: { ...answer, data: bare === '' ? undefined : (JSON.parse(bare) as unknown) } }
  } catch {
    return { failed: malformed(raw, context) }
  }
}

/** The body of a call. Rejects with EID_INVALID_INPUT when it can't be made. */
async function sourceOf({ makeBody, body }: CallOptions): Promise<BodySource | undefined> {
  try {
    if (makeBody) return await makeBody()
    if (body === undefined) return undefined
    // A text leaves in one write together with the headers, a Buffer would not.
    const data = JSON.stringify(body)
    const length = String(Buffer.byteLength(data))
    return { data, headers: { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length } }
  } catch (error) {
    if (error instanceof EidError) throw error
    throw inputError([makeBody ? { path: 'file', key: 'fileMissing' } : { path: 'body', key: 'json' }])
  }
}

function discard(source: BodySource | undefined): void {
  const data = source?.data
  // A multipart body is a stream of its own kind.
  if (typeof data === 'object' && 'destroy' in data) data.destroy()
}

/** Reads an error answer that was asked for as a stream; the first 64 KiB say enough, and the status alone when it breaks off. */
async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > 65_536) break
    }
  } catch {
    return Buffer.concat(chunks)
  }
  return Buffer.concat(chunks)
}
