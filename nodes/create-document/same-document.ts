/** Compares the document returned by the service with the requested one: title, signers, and who they are. */
import { isAtAnyMoment } from '../../lib/runtime/values/clock-words'
import { getPath } from '../../lib/runtime/values/read-text'
import type { PlainObject } from '../../lib/common/plain-object'

/** How the documents differ; `signers` also if the same ids belong to other people. */
export type Difference = 'title' | 'signers'

/**
 * Compares only values that both sides have, because a service may leave out some. In `body`, a title may be written
 * for any moment.
 */
export function differenceBetween(body: PlainObject, data: unknown): Difference | undefined {
  const found = plain(getPath(data, 'title'))
  if (found !== '' && !isAtAnyMoment(found, plain(body.title))) return 'title'
  const [asked, there] = [signersOf(body), signersOf(data)]
  if (!asked || !there) return undefined
  const sameIds = asked.size === there.size && [...asked.keys()].every((id) => there.has(id))
  return sameIds && [...asked].every(([id, one]) => isSamePerson(one, there.get(id))) ? undefined : 'signers'
}

/** The signers by id; undefined without signers, or if some lack an id. */
function signersOf(data: unknown): Map<string, unknown> | undefined {
  const signers = getPath(data, 'signers')
  if (!Array.isArray(signers) || signers.length === 0) return undefined
  const byId = new Map(signers.map((one: unknown) => [getPath(one, 'externalSignerId'), one]))
  return [...byId.keys()].every((id) => typeof id === 'string') ? (byId as Map<string, unknown>) : undefined
}

/** The path of each value of a signer, and its normal form, in which different spellings are equal. */
const ofPerson: readonly (readonly [string, (value: unknown) => string])[] = [
  ['signerInfo.firstName', lower],
  ['signerInfo.lastName', lower],
  ['signerInfo.email', lower],
  ['signerInfo.mobile.countryCode', digits],
  ['signerInfo.mobile.number', digits],
  ['signerInfo.socialSecurityNumber', lower],
  ['signerInfo.organizationInfo.orgNo', digits],
  ['authentication.socialSecurityNumber', lower],
  ['authentication.signatureMethodUniqueId', lower],
]

function isSamePerson(asked: unknown, there: unknown): boolean {
  return ofPerson.every(([path, write]) => {
    const found = write(getPath(there, path))
    const wanted = write(getPath(asked, path))
    // A masked value proves nothing.
    return found === '' || wanted === '' || /[*•]/.test(found) || found === wanted
  })
}

/** A service may normalize spaces. */
function plain(value: unknown): string {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText ? String(value).normalize('NFC').trim().replace(/\s+/g, ' ') : ''
}

function lower(value: unknown): string {
  return plain(value).toLowerCase()
}

/** The digits without leading zeros: `+47` and `0047` are the same country. */
function digits(value: unknown): string {
  return plain(value)
    .replace(/[^\d*•]/g, '')
    .replace(/^0+/, '')
}
