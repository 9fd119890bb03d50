/** Reads the signers in a document of the service (`docs/interface.md` 2.1). */
import { getPath, listAt } from '../values/read-text'

/** Whether this signer has signed: an absent, null or empty signature does not count. */
export function hasSigned(signer: unknown): boolean {
  return Boolean(getPath(signer, 'documentSignature'))
}

/** Signers with the same order may sign at the same time; without an order, they all may. */
export function orderOf(signer: unknown): number {
  const order = getPath(signer, 'order')
  return typeof order === 'number' ? order : 0
}

/** The order of those whose turn it is; Infinity if all have signed. */
export function turnOf(record: unknown): number {
  const open = listAt(record, 'signers').filter((one) => !hasSigned(one))
  return Math.min(...open.map(orderOf))
}
