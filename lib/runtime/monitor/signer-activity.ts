/**
 * The last known activity of a person who still has to sign: the person opened the link, read the document, or left the
 * app without signing. Kept in memory only, because it is only a convenience.
 */
import { createHash } from 'node:crypto'
import { setLatest } from '../../common/latest'
import { systemClock } from '../../store/clock'

export interface SignerActivity {
  /** `left`: the signer closed the app without signing, and can still sign. */
  readonly what: 'opened' | 'read' | 'left'
  /** ISO 8601. */
  readonly at: string
}

/** Maximum number of signers kept in memory; the oldest are dropped first. */
const maxSigners = 20_000
const known = new Map<string, SignerActivity & { readonly number: number }>()
let count = 0

/** `signer` is the mark of a signer (see `signerMark`), or the signer's signing link. */
export function noteSigner(documentId: string, signer: string, what: SignerActivity['what']): void {
  const key = `${documentId} ${signer}`
  setLatest(known, key, { what, at: new Date(systemClock.epochNow()).toISOString(), number: ++count }, maxSigners)
}

/** The latest known activity of a signer. `signers` contains the signer's marks and signing links. */
export function lastOfSigner(documentId: string, signers: readonly (string | undefined)[]): SignerActivity | undefined {
  const all = signers.flatMap((one) => known.get(`${documentId} ${one}`) ?? [])
  const latest = all.sort((one, other) => other.number - one.number)[0]
  return latest && { what: latest.what, at: latest.at }
}

/**
 * A short identifier for a signer of a document. It is short, because it is stored with each wait, and there may be a
 * hundred thousand waits.
 */
export function signerMark(signerId: string): string {
  return createHash('sha256').update(signerId).digest('base64url').slice(0, 5)
}
