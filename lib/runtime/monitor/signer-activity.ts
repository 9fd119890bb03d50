/**
 * The last known activity of a person who still has to sign: the person opened the link, read the document, or left the
 * app without signing. Kept in memory only, because it is only a convenience.
 */
import { createHash } from 'node:crypto'
import { setLatest } from '../../common/latest'
import { systemClock } from '../../store/clock'
import { hosted, type HostOwner } from '../node-red/host'

export interface SignerActivity {
  /** `left`: the signer closed the app without signing, and can still sign. */
  readonly what: 'opened' | 'read' | 'left'
  /** ISO 8601. */
  readonly at: string
}

/** Maximum number of signers kept in memory; the oldest are dropped first. */
const maxSigners = 20_000
const createActivities = () => ({ count: 0, bySigner: new Map<string, SignerActivity & { readonly number: number }>() })

/** `signer` is the mark of a signer (see `signerMark`), or the signer's signing link. */
export function noteSigner(RED: HostOwner, documentId: string, signer: string, what: SignerActivity['what']): void {
  const activities = hosted(RED, createActivities)
  const key = `${documentId} ${signer}`
  const at = new Date(systemClock.epochNow()).toISOString()
  setLatest(activities.bySigner, key, { what, at, number: ++activities.count }, maxSigners)
}

/** The latest known activity of a signer. `signers` contains the signer's marks and signing links. */
export function lastOfSigner(
  RED: HostOwner,
  documentId: string,
  signers: readonly (string | undefined)[],
): SignerActivity | undefined {
  const all = signers.flatMap((one) => hosted(RED, createActivities).bySigner.get(`${documentId} ${one}`) ?? [])
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
