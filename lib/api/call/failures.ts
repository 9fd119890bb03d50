/**
 * Turns the failure of one attempt into an EidError and into the facts that the retry rules need (`interface.md` 7).
 */
import type { Cause, ErrorCode } from '../errors/errors'
import { readErrorBody, type SaidError } from '../errors/error-body'
import { readRetryAfter, type FailedAttempt } from './retry'
import { sentence, type TextParams } from '../errors/texts'
import { baseOf, createError, type CallContext } from './no-answer'

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

/** Builds the failure for a response with a status outside 2xx. */
export function fromStatus(answer: RawAnswer, call: CallContext, now: number): FailedAttempt {
  const { status } = answer
  const retryAfter = readRetryAfter(single(answer.headers['retry-after']), now)
  const said = readErrorBody(answer.body, call.secrets, call.personal?.())
  const requestId = requestIdOf(answer.headers) ?? said.requestId
  const refused = status >= 400 && status < 500
  const cause: Cause = {
    ...baseOf(call),
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
  const cause: Cause = { ...baseOf(call), outcome: 'unknown', status: answer.status, ...(requestId && { requestId }) }
  const error = createError('EID_SERVICE', call, cause, { detail: `@answers.${detail}` })
  return { error, transient: true }
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

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
