/** Which errors of the service do not end a wait. */
import { EidError } from '../../lib/api/errors/errors'

/** These may be over by the next poll; any other error stays what it is. */
const transient: readonly string[] = [
  ...['EID_NETWORK', 'EID_TIMEOUT', 'EID_SERVICE', 'EID_RATE_LIMITED', 'EID_CONFIG'],
]

export function isTransient(error: unknown): error is EidError {
  return error instanceof EidError && transient.includes(error.code)
}
