/** Errors of the service that do not end a wait. */
import { EidError, isForeign } from '../../lib/api/errors/errors'

/** Errors that may no longer occur at the next poll. Any other error ends a new wait. */
const transient: readonly string[] = ['EID_NETWORK', 'EID_TIMEOUT', 'EID_SERVICE', 'EID_RATE_LIMITED', 'EID_CONFIG']

/**
 * Errors about credentials, which a wait survives once the service has responded about it. A secret may be renewed, or
 * a scope removed and restored, and thousands of waits must not end because of that.
 */
const ofCredentials: readonly string[] = ['EID_CREDENTIALS', 'EID_INVALID_SCOPE', 'EID_UNAUTHORIZED', 'EID_FORBIDDEN']

/**
 * Whether a wait survives this error. A wait about which the service has responded before also survives errors that
 * would end a new wait at once.
 */
export function mayPass(error: unknown, hasBeenAnswered: boolean): error is EidError {
  if (isTransient(error)) return true
  if (!hasBeenAnswered || !(error instanceof EidError)) return false
  // A gateway that responds in place of the service says nothing about the document.
  return ofCredentials.includes(error.code) || isForeign(error)
}

export function isTransient(error: unknown): error is EidError {
  return error instanceof EidError && transient.includes(error.code)
}
