/**
 * Compares the document returned by the service with the requested one: its title, its signers' ids, and who the
 * signers are.
 */
import { getPath } from '../../lib/runtime/values/read-text'
import type { PlainObject } from '../../lib/common/plain-object'

/** The difference between the documents. It is also `signers` if the same ids belong to other people. */
export type Difference = 'title' | 'signers'

/**
 * Returns the first difference between the requested document and the existing one. Compares only values that both
 * contain, because a service may leave out some.
 */
export function differenceBetween(body: PlainObject, data: unknown): Difference | undefined {
  const found = plain(getPath(data, 'title'))
  if (found !== '' && found !== plain(body.title)) return 'title'
  const asked = signersOf(body)
  const there = signersOf(data)
  if (!asked || !there) return undefined
  const sameIds = asked.size === there.size && [...asked.keys()].every((id) => there.has(id))
  return sameIds && [...asked].every(([id, one]) => isSamePerson(one, there.get(id))) ? undefined : 'signers'
}

/** Returns the signers by id; undefined if there are no signers, or if some signers have no id. */
function signersOf(data: unknown): Map<string, unknown> | undefined {
  const signers = getPath(data, 'signers')
  if (!Array.isArray(signers) || signers.length === 0) return undefined
  const byId = new Map(signers.map((one: unknown) => [getPath(one, 'externalSignerId'), one]))
  return [...byId.keys()].every((id) => typeof id === 'string') ? (byId as Map<string, unknown>) : undefined
}

/**
 * The path of each value of a signer, and the function that normalizes the value so that different spellings are equal.
 */
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
    // A masked value can't be compared, so it counts as equal.
    return found === '' || wanted === '' || /[*•]/.test(found) || found === wanted
  })
}

/** Normalizes spaces, because a service may do so too. */
function plain(value: unknown): string {
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText ? String(value).normalize('NFC').trim().replace(/\s+/g, ' ') : ''
}

function lower(value: unknown): string {
  return plain(value).toLowerCase()
}

/** Returns the digits without leading zeros, because `+47` and `0047` are the same country. */
function digits(value: unknown): string {
  return plain(value)
    .replace(/[^\d*•]/g, '')
    .replace(/^0+/, '')
}
