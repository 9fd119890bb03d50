/** Turns a request that got no answer into an EidError, and builds the sentence of every failed call. */
import { EidError, type Cause, type ErrorCode } from '../errors/errors'
import { TransportFault } from '../errors/fault'
import { maskPath } from '../errors/mask'
import { subjectOf, type Subject } from '../errors/subjects'
import type { TextParams } from '../errors/texts'
import type { FailedAttempt } from './retry'

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

/** Handles a request that broke off or timed out. In the connecting phase nothing has reached the service yet. */
export function fromFault(fault: TransportFault, call: CallContext): FailedAttempt {
  const cause: Cause = { ...baseOf(call), outcome: fault.phase === 'connecting' ? 'not-done' : 'unknown' }
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

export function baseOf(call: CallContext): Pick<Cause, 'method' | 'path' | 'attempts'> {
  return { method: call.method, path: maskPath(call.path), attempts: call.attempts }
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

const known = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
/** Network errors for which the text can suggest something to check. */
const advised = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'TLS', 'PROXY'])
const unreachable = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'PROXY', 'SOURCE', 'STOPPED'])

function reasonKey(reason: string): string {
  if (known.has(reason) || unreachable.has(reason)) return reason
  return /CERT|TLS|SSL|SELF_SIGNED|ISSUER|SIGNATURE|EPROTO/.test(reason) ? 'TLS' : 'OTHER'
}
