/** Reads the signers in a document of the service (`docs/interface.md` 2.1). */
import { getPath } from '../values/read-text'

/** Whether this signer has signed: a signature that is absent, null or otherwise empty is none. */
export function hasSigned(signer: unknown): boolean {
  return Boolean(getPath(signer, 'documentSignature'))
}
