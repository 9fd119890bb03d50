/** Reads the signers in a document of the service (`docs/interface.md` 2.1). */
import { getPath } from '../values/read-text'

/** Whether this signer has signed: an absent, null or empty signature does not count. */
export function hasSigned(signer: unknown): boolean {
  return Boolean(getPath(signer, 'documentSignature'))
}
