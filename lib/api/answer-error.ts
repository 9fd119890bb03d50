/** The error for a 2xx answer that is not what the operation should give: the service may well have acted. */
import type { EidError } from './errors'
import { createError } from './failures'
import { operations, type OperationName } from './operations'

/** `detail` is the key of a text (`@answers.malformed`). */
export function answerError(
  operation: OperationName,
  answer: { readonly status?: number; readonly requestId?: string },
  detail: string,
): EidError {
  const { method, path } = operations[operation]
  const cause = { ...answer, method, path, attempts: 1, outcome: 'unknown' as const }
  return createError('EID_SERVICE', { method, path, attempts: 1, seconds: 0 }, cause, { detail })
}
