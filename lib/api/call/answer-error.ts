/** Builds the cause of errors about a response, and the error for a 2xx response with the wrong content. */
import type { Answer } from './call'
import type { Cause, EidError } from '../errors/errors'
import { createError } from './no-answer'
import { operations, type OperationName } from '../operations/operations'
import { buildPath } from '../operations/paths'

/**
 * Returns the cause of an error: the method and path of the call, and the details of the response. If `params` are
 * given, they fill in the path. `attempts` is 1.
 */
export function causeOf(
  operation: OperationName,
  answer: Pick<Partial<Answer>, 'status' | 'requestId'>,
  params?: Readonly<Record<string, string>>,
): Omit<Cause, 'outcome'> {
  const { method, path } = operations[operation]
  const { status, requestId } = answer
  return {
    method,
    path: params ? buildPath(path, params) : path,
    attempts: 1,
    ...(status !== undefined && { status }),
    ...(requestId !== undefined && { requestId }),
  }
}

/**
 * Builds an error that says that the service may have acted. `detail` is the key of a text (`@answers.malformed`);
 * `params` fill in the path.
 */
export function answerError(
  operation: OperationName,
  answer: Pick<Partial<Answer>, 'status' | 'requestId'>,
  detail: string,
  params?: Readonly<Record<string, string>>,
): EidError {
  const { method, path } = operations[operation]
  const cause: Cause = { ...causeOf(operation, answer, params), outcome: 'unknown' }
  return createError('EID_SERVICE', { method, path: cause.path ?? path, attempts: 1, seconds: 0 }, cause, { detail })
}
