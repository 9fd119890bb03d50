/** Reads the signers in a document of the service (`docs/interface.md` 2.1). */
import { getPath, listAt, textAt } from '../values/read-text'

/** Whether this signer has signed. A signature that is absent, null or empty does not count. */
export function hasSigned(signer: unknown): boolean {
  return Boolean(getPath(signer, 'documentSignature'))
}

/** When the signers have signed, in milliseconds since 1970. */
export function signingTimes(record: unknown): number[] {
  const times = listAt(record, 'signers').map((one) => Date.parse(textAt(one, 'documentSignature.signedTime')))
  return times.filter((one) => !Number.isNaN(one))
}

/** The order of a signer. Signers with the same order may sign at the same time; if no signer has an order, all may. */
export function orderOf(signer: unknown): number {
  const order = getPath(signer, 'order')
  return typeof order === 'number' ? order : 0
}

/** The order of the signers whose turn it is; Infinity if all have signed. */
export function turnOf(record: unknown): number {
  const open = listAt(record, 'signers').filter((one) => !hasSigned(one))
  return Math.min(...open.map(orderOf))
}
