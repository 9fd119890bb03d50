/**
 * Turns the failure of one attempt into an EidError and into the facts that the retry rules need (`interface.md` 7).
 */
import { EidError, type Cause, type ErrorCode } from '../errors/errors'
import { readErrorBody, type SaidError } from '../errors/error-body'
import { readRetryAfter, type FailedAttempt } from './retry'
import { maskPath } from '../errors/mask'
import { subjectOf, type Subject } from '../errors/subjects'
import { sentence, type TextParams } from '../errors/texts'
import { TransportFault } from '../errors/fault'

/** The call, as errors describe it. */
export interface CallContext {
  readonly method: string
  readonly path: string
  readonly scope?: string
  /** Personal data in the request that an error must not repeat: names, addresses, numbers. */
  personal?(): readonly string[]
  /** The number of attempts, including this one. */
  readonly attempts: number
  /** The time limit in seconds. */
  readonly seconds: number
  /** Secrets that must not appear in an error: the token or secret that was sent. */
  readonly secrets?: readonly string[]
}

/** An answer whose body has been read. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** The service's id for the request, from either spelling of the header. */
export function requestIdOf(headers: RawAnswer['headers']): string | undefined {
  return single(headers['requestid'] ?? headers['request-id'])
}

/** Handles a request that broke off or timed out. In the connecting phase nothing has reached the service yet. */
export function fromFault(fault: TransportFault, call: CallContext): FailedAttempt {
  const cause: Cause = { ...base(call), outcome: fault.phase === 'connecting' ? 'not-done' : 'unknown' }
  if (fault.kind === 'timeout') return { error: createError('EID_TIMEOUT', call, cause), transient: true }
  if (fault.kind === 'tooLarge') {
    return { error: createError('EID_SERVICE', call, cause, { detail: '@answers.tooLarge' }), transient: false }
  }
  const reason = reasonKey(fault.reason)
  const advice = advised.has(reason) ? `@advice.${reason}` : ''
  const error = createError('EID_NETWORK', call, cause, { reason: `@network.${reason}`, advice })
  const final = fault.kind === 'aborted' || fault.source !== undefined || reason === 'TLS'
  return { error, transient: !final }
}

/** A call for which no request was made. */
const unsent: CallContext = { method: 'GET', path: '', attempts: 0, seconds: 0 }

/** The failure of a call that was stopped before it was sent. */
export function stoppedBeforeSending(call = unsent): FailedAttempt {
  return fromFault(new TransportFault('aborted', 'connecting', 'STOPPED'), call)
}

/** Builds the failure for a response with a status outside 2xx. */
export function fromStatus(answer: RawAnswer, call: CallContext, now: number): FailedAttempt {
  const { status } = answer
  const retryAfter = readRetryAfter(single(answer.headers['retry-after']), now)
  const said = readErrorBody(answer.body, call.secrets, call.personal?.())
  const requestId = requestIdOf(answer.headers) ?? said.requestId
  const refused = status >= 400 && status < 500
  const cause: Cause = {
    ...base(call),
    outcome: refused ? 'not-done' : 'unknown',
    status,
    ...(said.code && { serviceCode: said.code }),
    ...(requestId && { requestId }),
    ...(said.errors.length > 0 && { errors: said.errors }),
  }
  const code = isTokenRefused(answer, said) ? 'EID_UNAUTHORIZED' : codeOf(status)
  const error = createError(code, call, cause, saidOf(status, said))
  return { error, transient: status === 429 || status >= 500, retryAfter }
}

/**
 * The failure for a 2xx response with the wrong content. Its outcome is unknown, because the service may have acted.
 */
export function malformed(
  answer: Pick<RawAnswer, 'status' | 'headers'>,
  call: CallContext,
  detail: 'malformed' | 'incomplete' = 'malformed',
): FailedAttempt {
  const requestId = requestIdOf(answer.headers)
  const cause: Cause = { ...base(call), outcome: 'unknown', status: answer.status, ...(requestId && { requestId }) }
  const error = createError('EID_SERVICE', call, cause, { detail: `@answers.${detail}` })
  return { error, transient: true }
}

function base(call: CallContext): Pick<Cause, 'method' | 'path' | 'attempts'> {
  return { method: call.method, path: maskPath(call.path), attempts: call.attempts }
}

/**
 * The values for the placeholders of the sentence: the service's own message, or our own text if the service sent no
 * message.
 */
function saidOf(status: number, { sentence: words, general }: SaidError): TextParams {
  const said = sentence(words)
  if (status >= 300 && status < 400) return { detail: '@answers.redirect' }
  if (status === 411) return { detail: '@answers.noLength' }
  if (status === 404 && /^invalid path/i.test(words)) return { key: 'errors.wrongPath' }
  return status >= 500
    ? { detail: '@answers.failed', said }
    : { detail: said || '@answers.none', general: sentence(general) }
}

/**
 * Builds the error with the sentence of its code. `params` override the placeholders that every sentence may use;
 * `params.key` selects a sentence other than that of the code.
 */
export function createError(code: ErrorCode, call: CallContext, cause: Cause, params: TextParams = {}): EidError {
  const path = maskPath(call.path)
  const subject = subjectOf(path)
  const { key = sentenceFor(code, call, subject), ...others } = params
  const all: TextParams = {
    path,
    scope: call.scope ?? '',
    status: cause.status ?? '–',
    seconds: call.seconds,
    id: subject?.id ?? '',
    // The last segment of the path, which identifies the content in an upload to a share.
    file: path.split('/').filter(Boolean).at(-1) ?? '',
    missing: `@notFound.${subject?.kind ?? 'other'}`,
    said: '',
    ...others,
  }
  return new EidError(code, { key: String(key), params: all }, cause)
}

/**
 * A call without a scope was typed by a person, so its error must not suggest checking an id or the tick box of a
 * scope.
 */
function sentenceFor(code: ErrorCode, { scope }: CallContext, subject: Subject | undefined): string {
  if (code === 'EID_NOT_FOUND' && scope === undefined && !subject) return 'errors.wrongPath'
  // Money is at stake, and a refusal by the service does not say which of the deposits it is about.
  if (code === 'EID_REFUSED' && subject?.kind === 'deposit') return 'errors.refusedDeposit'
  return code === 'EID_FORBIDDEN' && scope === undefined ? 'errors.forbidden' : `errors.${code}`
}

/** Some gateways answer 400 instead of 401 to a token that has expired. */
function isTokenRefused({ status, headers }: RawAnswer, { code = '', general }: SaidError): boolean {
  const said = [code, single(headers['www-authenticate']) ?? '', general].join(' ')
  return status === 400 && /\b(invalid|expired)_token\b|\btoken_expired\b|\baccess token\b.*\bexpired\b/i.test(said)
}

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'EID_UNAUTHORIZED'
  if (status === 403) return 'EID_FORBIDDEN'
  if (status === 404) return 'EID_NOT_FOUND'
  if (status === 429) return 'EID_RATE_LIMITED'
  return status >= 400 && status < 500 ? 'EID_REFUSED' : 'EID_SERVICE'
}

const known = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
/** Network errors for which the text can suggest something to check. */
const advised = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'TLS', 'PROXY'])
const unreachable = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'PROXY', 'SOURCE', 'STOPPED'])

function reasonKey(reason: string): string {
  if (known.has(reason) || unreachable.has(reason)) return reason
  return /CERT|TLS|SSL|SELF_SIGNED|ISSUER|SIGNATURE|EPROTO/.test(reason) ? 'TLS' : 'OTHER'
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
