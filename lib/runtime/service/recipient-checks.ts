/** Checks a recipient of a share before it is sent (`docs/interface.md` 2.3), in both spellings of its properties. */
import type { ProblemKey } from '../../api/errors/errors'
import { momentOf } from '../../settings/moment'
import { email, isImpossiblePhone } from '../../settings/rules'
import { splitList } from '../../common/split-list'
import { getPath, isEmpty } from '../values/read-text'
import type { RecipientRow } from './recipients'

export type Item = Readonly<Record<string, unknown>>

/** The objects of a list; any other entry counts as an empty object. */
export const itemsOf = (value: unknown): Item[] =>
  Array.isArray(value)
    ? value.map((one: unknown) => (typeof one === 'object' && one !== null ? (one as Item) : {}))
    : []

/** Reports a property as missing unless one of its spellings has a value. The problem names the first spelling. */
export function required(from: unknown, prefix: string, ...spellings: string[]): ProblemKey[] {
  const found = spellings.some((name) => !isEmpty(getPath(from, name)))
  return found ? [] : [{ path: prefix + (spellings[0] ?? ''), key: 'missing' }]
}

/**
 * Reports contradictions in a row of the form, before the row becomes a recipient of the request. `prefix` is put
 * before the names of the settings.
 */
export function contradictions(row: RecipientRow, prefix: string): ProblemKey[] {
  const providers = splitList(row.identityProvider) ?? []
  const uniqueIds = splitList(row.identityProviderUniqueId) ?? []
  const identifies = providers.length > 0 || uniqueIds.length > 0 || !isEmpty(row.ssn) || !isEmpty(row.dateOfBirth)
  const both = row.withoutIdentification === true && identifies
  const unequal = providers.length > 0 && uniqueIds.length > 0 && providers.length !== uniqueIds.length
  return [
    ...(both ? [{ path: `${prefix}withoutIdentification`, key: 'eitherOr' }] : []),
    ...(unequal ? [{ path: `${prefix}identityProviderUniqueId`, key: 'uniqueIds' }] : []),
  ]
}

/**
 * All faults of a new recipient that make the request fail in any case, except those of the list of visible content.
 */
export function recipientProblems(one: Item, prefix: string, now: number): ProblemKey[] {
  return [
    ...required(one, prefix, 'firstName', 'firstname'),
    ...required(one, prefix, 'lastName', 'lastname'),
    ...required(one, prefix, 'email'),
    ...required(one, prefix, 'expires'),
    ...required(one, prefix, 'mobile.countryCode'),
    ...required(one, prefix, 'mobile.number'),
    ...(Array.isArray(one.authentication) ? [] : [{ path: `${prefix}authentication`, key: 'missing' }]),
    ...valueProblems(one, prefix, now),
  ]
}

/** Invalid values of a recipient; `now` is in milliseconds since 1970. */
export function valueProblems(one: Item, prefix: string, now: number): ProblemKey[] {
  return [
    ...expiryProblems(one.expires, `${prefix}expires`, now),
    ...emailProblems(one.email, `${prefix}email`),
    ...phoneProblems(one, prefix),
    ...itemsOf(one.authentication).flatMap((provider, index) =>
      birthProblems(provider.dateOfBirth, `${prefix}authentication[${index}].dateOfBirth`),
    ),
  ]
}

function emailProblems(address: unknown, path: string): ProblemKey[] {
  const key = isEmpty(address) ? undefined : email(String(address))
  return key ? [{ path, key }] : []
}

const accessNames = ['uploads', 'content']

/** Whether the recipient has a list of visible content, under either of the two names that the service uses. */
export function hasAccessList(one: Item): boolean {
  return accessNames.some((name) => one[name] !== undefined && one[name] !== null)
}

/**
 * The lists of visible content with their paths. Also includes `null` and lists whose names are capitalized
 * differently, because the service may treat these as access to everything.
 */
export function accessLists(one: Item, prefix: string): { path: string; list: unknown }[] {
  const names = Object.keys(one).filter((name) => accessNames.includes(name.toLowerCase()) && one[name] !== undefined)
  return names.map((name) => ({ path: prefix + name, list: one[name] }))
}

/** Reports the entries of a list of visible content that can't be ids. */
export function blankIds(list: readonly unknown[], path: string): ProblemKey[] {
  return list.flatMap((id, index) =>
    isEmpty(typeof id === 'string' ? id.trim() : id) ? [{ path: `${path}[${index}]`, key: 'missing' }] : [],
  )
}

function expiryProblems(expires: unknown, path: string, now: number): ProblemKey[] {
  if (isEmpty(expires)) return []
  const time = timeOf(expires)
  if (Number.isNaN(time)) return [{ path, key: 'requestDateTime' }]
  return time <= now ? [{ path, key: 'past' }] : []
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i

const longestLifeMs = 90 * 86_400_000

/** True if access lasts longer than the service usually allows. */
export function isLong({ expires }: Item, now: number): boolean {
  return timeOf(expires) > now + longestLifeMs
}

/**
 * Milliseconds since 1970 for an ISO 8601 text with an offset, or for a Date, which is sent as such a text; otherwise
 * NaN.
 */
function timeOf(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' && moment.test(value) && momentOf(value) !== undefined ? Date.parse(value) : NaN
}

function phoneProblems(one: Item, prefix: string): ProblemKey[] {
  const code = getPath(one, 'mobile.countryCode')
  const number = getPath(one, 'mobile.number')
  const badCode = !isEmpty(code) && !/^\+?\d{1,4}$/.test(String(code))
  const badNumber = !isEmpty(number) && !/^\d[\d ]{3,14}$/.test(String(number))
  return [
    ...(badCode ? [{ path: `${prefix}mobile.countryCode`, key: 'countryCode' }] : []),
    ...(badNumber ? [{ path: `${prefix}mobile.number`, key: 'phone' }] : []),
    ...(!badNumber && !isEmpty(number) && isImpossiblePhone(code, number)
      ? [{ path: `${prefix}mobile.number`, key: 'phoneNorway' }]
      : []),
  ]
}

function birthProblems(value: unknown, path: string): ProblemKey[] {
  const good = isEmpty(value) || /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])\d\d$/.test(String(value))
  return good ? [] : [{ path, key: 'birthDate' }]
}
