/** Converts failures of the database into our errors: the database is down, rejects the connection, or fails. */
import { EidError } from '../../../api/errors/errors'
import { codeOf } from '../../../common/patiently'

/**
 * SQLSTATE classes and codes after which the database may be available again soon: broken connections, shut-downs,
 * failovers, too many clients.
 */
const away = /^(08|53|57P|25006$|40|55P03$)/
/**
 * SQLSTATE codes after which a person has to change something: wrong name or password, unknown database, missing right.
 */
const refused = /^(28|3D|42501$|3F)/
const wire = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST|ENET|CERT_|DEPTH_|ERR_TLS|SELF_SIGNED|UNABLE_)/

/** SQLSTATE codes of a conflict with another statement. The database has rolled this statement back. */
const conflict = /^(40001|40P01|55P03)$/
/** Error codes of connections that were never established. */
const neverConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOST|ENET|53300|57P03|CERT_|DEPTH_|ERR_TLS|SELF_SIGNED|UNABLE_)/

/** True if the database can't be reached, or can't work at the moment. */
export function isAway(thrown: unknown): boolean {
  if (thrown instanceof EidError) return thrown.text.key === 'config.storeAway'
  if (!(thrown instanceof Error)) return false
  const code = codeOf(thrown)
  if (code !== '') return away.test(code) || wire.test(code)
  // Some messages of the driver have no code, so their text is compared.
  return /terminated|timeout|not queryable|ECONN|closed the connection/i.test(thrown.message)
}

/** True if all other statements would fail at the moment, too. */
export function isGone(thrown: unknown): boolean {
  return !(thrown instanceof EidError) && isAway(thrown) && !/^(40|55P03$)/.test(codeOf(thrown))
}

/** True if the same statement may succeed when it is repeated now. */
export function isConflict(thrown: unknown): boolean {
  return conflict.test(codeOf(thrown))
}

/** True if the statement may have been executed, although no response arrived. */
export function isAnswerLost(thrown: unknown): boolean {
  if (!isGone(thrown) || neverConnected.test(codeOf(thrown))) return false
  // For a connection that could not be established, the pool throws a message of its own.
  return !(thrown instanceof Error && /timeout exceeded when trying to connect/i.test(thrown.message))
}

/** True if this database has become read-only, so that the new primary has to be found. */
export function isStandby(thrown: unknown): boolean {
  return codeOf(thrown) === '25006'
}

/** Converts the failure. The error never contains the driver's message, which may repeat the data that was sent. */
export function databaseError(thrown: unknown): EidError {
  if (thrown instanceof EidError) return thrown
  const code = codeOf(thrown) || noTls(thrown)
  const cause = { attempts: 1, serviceCode: code || 'connection', outcome: 'unknown' } as const
  const params = { reason: code || '@reasons.unknown' }
  if (isAway(thrown))
    return new EidError(
      'EID_NETWORK',
      { key: 'config.storeAway', params: { reason: code || '@status.EID_NETWORK' } },
      cause,
    )
  const key = refused.test(code) ? 'config.storeRefused' : 'config.storeFailed'
  return new EidError('EID_CONFIG', { key, params }, cause)
}

/**
 * Returns a code if the server does not support encryption, because the driver's error has no code in this case.
 * Returns an empty text for any other error.
 */
function noTls(thrown: unknown): string {
  return thrown instanceof Error && /does not support SSL/.test(thrown.message) ? 'TLS' : ''
}
