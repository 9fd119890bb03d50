/** Errors of the service that do not end a wait. */
import { EidError, isForeign } from '../../lib/api/errors/errors'

/** Errors that may be over by the next poll. Any other error ends a new wait. */
const transient: readonly string[] = [
  ...['EID_NETWORK', 'EID_TIMEOUT', 'EID_SERVICE', 'EID_RATE_LIMITED', 'EID_CONFIG'],
]

/** A secret may be renewed, or a scope removed and restored: thousands of waits must not end because of that. */
const ofCredentials: readonly string[] = ['EID_CREDENTIALS', 'EID_INVALID_SCOPE', 'EID_UNAUTHORIZED', 'EID_FORBIDDEN']

/** A wait about which the service has responded before also survives errors that would end a new one at once. */
export function mayPass(error: unknown, hasBeenAnswered: boolean): error is EidError {
  if (isTransient(error)) return true
  if (!hasBeenAnswered || !(error instanceof EidError)) return false
  // A gateway responding in place of the service says nothing about the document.
  return ofCredentials.includes(error.code) || isForeign(error)
}

export function isTransient(error: unknown): error is EidError {
  return error instanceof EidError && transient.includes(error.code)
}
