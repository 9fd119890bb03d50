/** One attempt of a call: token, body, request, and the meaning of the response (`interface.md` 5 rule 5, 7). */
import { isAxiosError } from 'axios'
import type { Readable } from 'node:stream'
import type { AttemptResult, BodySource, CallOptions, Connection, PendingCall } from './call'
import { EidError, inputError, type Outcome } from '../errors/errors'
import { maskPath } from '../errors/mask'
import { fromStatus, malformed, requestIdOf, type RawAnswer } from './failures'
import { createError, fromFault, type CallContext, stoppedBeforeSending } from './no-answer'
import { personalIn } from './personal'
import { isFulfilled } from '../operations/expectations'
import { beginsAsFile, mayBeFile, streamsFile } from './file-answer'
import { faultBehind, type TrackedConfig } from '../http/request-progress'
import type { FailedAttempt } from './retry'

/** Makes one attempt, and a second one with a new token if the service rejected the old one. Never rejects. */
export async function attempt(connection: Connection, pending: PendingCall): Promise<AttemptResult> {
  if (pending.options.signal?.aborted) return stopped(pending)
  try {
    const first = await authorized(connection, pending)
    const again = 'failed' in first && first.failed.error.code === 'EID_UNAUTHORIZED' && !first.bodyConsumed
    return again ? await authorized(connection, pending) : first
  } catch (error) {
    if (pending.options.signal?.aborted) return stopped(pending)
    return unforeseen(error, contextOf(pending), pending.attempts === 0 ? 'not-done' : 'unknown')
  }
}

/** The failure of a call that was stopped before it was sent. */
export function stopped(pending: PendingCall): { failed: FailedAttempt } {
  return { failed: stoppedBeforeSending(contextOf(pending)) }
}

/** Unexpected exceptions, such as an interceptor that throws, are reported as an answer that could not be read. */
function unforeseen(error: unknown, context: CallContext, outcome: Outcome): { failed: FailedAttempt } {
  const { method, path, attempts } = context
  const cause = { method, path: maskPath(path), attempts, outcome }
  const ours = error instanceof EidError
  return {
    failed: {
      error: ours ? error : createError('EID_SERVICE', context, cause, { detail: '@answers.malformed' }),
      transient: false,
    },
  }
}

function contextOf({ call, target, attempts, timeout, options }: PendingCall): CallContext {
  return {
    method: call.method,
    path: target.path,
    scope: call.scope,
    personal: () => personalIn(options.body, options.query),
    attempts,
    seconds: timeout / 1000,
  }
}

async function authorized(
  connection: Connection,
  pending: PendingCall,
): Promise<AttemptResult & { bodyConsumed?: boolean }> {
  const { options } = pending
  const token = await connection.token(options.signal)
  const source = await sourceOf(options)
  // The adapter checks later whether the stream is broken; until then an error without a listener would end the
  // process.
  if (source && typeof source.data === 'object' && 'on' in source.data) source.data.on('error', () => undefined)
  if (options.signal?.aborted) {
    discard(source)
    return stopped(pending)
  }
  pending.attempts++
  const result = await sendOnce(connection, pending, token, source)
  if (!('failed' in result)) return result
  if (result.failed.error.code === 'EID_UNAUTHORIZED') connection.forget(token)
  // A body that can be read only once can't be sent a second time, so the failure is not transient.
  return source?.oneShot ? { failed: { ...result.failed, transient: false }, bodyConsumed: true } : result
}

async function sendOnce(
  { http, now, secrets }: Connection,
  pending: PendingCall,
  token: string,
  source: BodySource | undefined,
): Promise<AttemptResult> {
  const { options, call, target } = pending
  const context = () => ({ ...contextOf(pending), secrets: [token, ...secrets] })
  const progress = http.track()
  const request: TrackedConfig = {
    method: call.method,
    url: target.url,
    headers: { Accept: 'application/json, */*', ...source?.headers, Authorization: `Bearer ${token}` },
    data: source?.data,
    signal: options.signal,
    timeout: pending.timeout,
    responseType: options.as === 'stream' ? 'stream' : 'arraybuffer',
    progress,
  }
  try {
    return await read(await http.axios.request(request), context, pending, now())
  } catch (thrown) {
    discard(source)
    if (isAxiosError(thrown) && thrown.response) return read(thrown.response, context, pending, now())
    const fault = faultBehind(thrown, progress)
    if (fault) return { failed: fromFault(fault, context()) }
    return unforeseen(thrown, context(), progress.phase === 'connecting' ? 'not-done' : 'unknown')
  }
}

interface Response {
  readonly status: number
  readonly headers: unknown
  readonly data: unknown
}

async function read(
  response: Response,
  context: () => CallContext,
  { options, expected }: PendingCall,
  now: number,
): Promise<AttemptResult> {
  const { status } = response
  const headers = { ...(response.headers as RawAnswer['headers']) }
  const answer = { status, headers, requestId: requestIdOf(headers) }
  const good = status >= 200 && status < 300
  // A 207 response reports each part separately, and some parts may have failed.
  const isWhole = status !== 207 && (expected !== 'bytes' || mayBeFile(answer))
  if (good && !isWhole) {
    if (options.as === 'stream') (response.data as Readable).destroy()
    return { failed: malformed(answer, context(), 'incomplete') }
  }
  if (good && options.as === 'stream') {
    const stream = response.data as Readable
    const isIt = expected !== 'bytes' || (await streamsFile(stream, options.query))
    return isIt ? { answer: { ...answer, data: stream } } : { failed: malformed(answer, context(), 'incomplete') }
  }
  const body = options.as === 'stream' ? await collect(response.data as Readable) : bytesOf(response.data)
  const raw: RawAnswer = { status, headers, body }
  if (!good) return { failed: fromStatus(raw, context(), now) }
  if (expected === 'bytes' && !beginsAsFile(body, options.query))
    return { failed: malformed(raw, context(), 'incomplete') }
  if (options.as === 'buffer') return { answer: { ...answer, data: body } }
  const text = body.toString('utf8')
  if (options.as === 'text') return { answer: { ...answer, data: text } }
  const parsed = parse(text)
  if (!parsed) return { failed: malformed(raw, context()) }
  const asked = { ...(options.id !== undefined && { id: options.id }), ...options.params }
  if (!isFulfilled(expected, parsed.data, asked)) return { failed: malformed(raw, context(), 'incomplete') }
  return { answer: { ...answer, data: parsed.data } }
}

/** The response's body as bytes; anything that an interceptor put in place of the body is turned into bytes. */
function bytesOf(data: unknown): Buffer {
  if (Buffer.isBuffer(data)) return data
  if (data === undefined || data === null) return Buffer.alloc(0)
  return Buffer.from(typeof data === 'string' ? data : JSON.stringify(data))
}

function parse(text: string): { data: unknown } | undefined {
  const bare = text.trim()
  try {
    return { data: bare === '' ? undefined : (JSON.parse(bare) as unknown) }
  } catch {
    return undefined
  }
}

/** The body of a call. Rejects with EID_INVALID_INPUT when it can't be made. */
async function sourceOf({ makeBody, body }: CallOptions): Promise<BodySource | undefined> {
  try {
    if (makeBody) return await makeBody()
    if (body === undefined) return undefined
    // axios would parse a string again to see whether it is JSON; it passes bytes on unchanged.
    const data = Buffer.from(JSON.stringify(body))
    return { data, headers: { 'Content-Type': 'application/json; charset=utf-8' } }
  } catch (error) {
    if (error instanceof EidError) throw error
    throw inputError([makeBody ? { path: 'file', key: 'fileMissing' } : { path: 'body', key: 'json' }])
  }
}

function discard(source: BodySource | undefined): void {
  const data = source?.data
  // The stream of a multipart body comes from an older library and does not inherit from Readable.
  if (typeof data === 'object' && 'destroy' in data) data.destroy()
}

/**
 * Reads the body of an error response that was requested as a stream. Only the first 64 KiB are read. If the body
 * breaks off, the error is built from the status alone.
 */
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
