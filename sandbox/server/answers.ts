/**
 * The common responses of all simulated operations: refusals in the service's error format `{message, code, errors[]}`.
 */
import type { Answer } from './call'

export interface FieldError {
  readonly field: string
  readonly message: string
}

/** Thrown by a handler to respond with an error. */
export class HttpError extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`)
  }
}

/** An error response in the service's format. */
export function errorAnswer(status: number, code: string, message: string, errors: readonly FieldError[] = []): Answer {
  return { status, json: { message, code, errors } }
}

export function httpError(
  status: number,
  code: string,
  message: string,
  errors: readonly FieldError[] = [],
): HttpError {
  return new HttpError(errorAnswer(status, code, message, errors))
}

/** 400 with every wrong field. */
export function invalid(errors: readonly FieldError[]): HttpError {
  return httpError(400, 'VALIDATION', 'The request is invalid.', errors)
}

/** 404 for a missing object; `what` is its name. */
export function notFound(what: string, code = 'NOT_FOUND'): HttpError {
  return httpError(404, code, `The ${what} was not found.`)
}

/** 422 for a request that is valid, but not allowed in the current state. */
export function notAllowed(message: string, code = 'BUSINESS_RULE'): HttpError {
  return httpError(422, code, message)
}
