/** The answers that all simulated operations share: refusals in the service's error form `{message, code, errors[]}`. */
import type { Answer } from './call'

export interface FieldError {
  readonly field: string
  readonly message: string
}

/** Thrown by a handler to answer with an error. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`)
  }
}

/** An error answer in the form of the service. */
export function errorAnswer(status: number, code: string, message: string, errors: readonly FieldError[] = []): Answer {
  return { status, json: { message, code, errors } }
}

export function refuse(status: number, code: string, message: string, errors: readonly FieldError[] = []): Refusal {
  return new Refusal(errorAnswer(status, code, message, errors))
}

/** 400 with every field that is wrong. */
export function invalid(errors: readonly FieldError[]): Refusal {
  return refuse(400, 'VALIDATION', 'The request is invalid.', errors)
}

/** 404 for a thing that isn't there; `what` is the thing's name. */
export function notFound(what: string, code = 'NOT_FOUND'): Refusal {
  return refuse(404, code, `The ${what} was not found.`)
}

/** 422: understood, but the state does not allow it. */
export function notAllowed(message: string, code = 'BUSINESS_RULE'): Refusal {
  return refuse(422, code, message)
}
