/** What a create-share request must have before it is sent (`interface.md` 2.3), in either spelling. */
import type { ProblemKey } from '../../lib/api/errors'
import { isPathId } from '../../lib/api/paths'
import type { PlainObject } from '../../lib/runtime/body'
import { getPath, splitList } from '../../lib/runtime/read-text'
import type { RecipientRow } from './request'

const longestLife = 90 * 86_400_000

type Item = Readonly<Record<string, unknown>>

const itemsOf = (value: unknown): Item[] =>
  Array.isArray(value)
    ? value.map((one: unknown) => (typeof one === 'object' && one !== null ? (one as Item) : {}))
    : []

const blank = (value: unknown) => value === undefined || value === null || value === ''

/** `path is missing` unless one of the spellings has a value; the first is the one that is named. */
function required(from: unknown, prefix: string, ...spellings: string[]): ProblemKey[] {
  const found = spellings.some((name) => !blank(getPath(from, name)))
  return found ? [] : [{ path: prefix + (spellings[0] ?? ''), key: 'missing' }]
}

/** What contradicts itself in the rows of recipients of the form, before they become the request. */
export function rowProblems(rows: readonly RecipientRow[]): ProblemKey[] {
  return rows.flatMap((row, index) => {
    const providers = splitList(row.identityProvider) ?? []
    const uniqueIds = splitList(row.identityProviderUniqueId) ?? []
    const identifies = providers.length > 0 || uniqueIds.length > 0 || !blank(row.ssn) || !blank(row.dateOfBirth)
    const both = row.withoutIdentification === true && identifies
    const unequal = providers.length > 0 && uniqueIds.length > 0 && providers.length !== uniqueIds.length
    return [
      ...(both ? [{ path: `recipients[${index}].withoutIdentification`, key: 'eitherOr' }] : []),
      ...(unequal ? [{ path: `recipients[${index}].identityProviderUniqueId`, key: 'uniqueIds' }] : []),
    ]
  })
}

/** Everything in `body` that can never work. `seeEverything` allows recipients with an empty access list. */
export function problemsOf(body: PlainObject, seeEverything: boolean, now: number): ProblemKey[] {
  const content = itemsOf(body.content)
  const recipients = itemsOf(body.recipients)
  const ids = content.map((item) => item.id)
  return [
    ...required(body, '', 'information.title', 'information.name'),
    ...required(body, '', 'information.description'),
    ...(content.length === 0 ? [{ path: 'content', key: 'none' }] : []),
    ...content.flatMap((item, index) => contentProblems(item, `content[${index}].`, ids.indexOf(item.id) < index)),
    ...(recipients.length === 0 ? [{ path: 'recipients', key: 'none' }] : []),
    ...recipients.flatMap((one, index) => [
      ...recipientProblems(one, `recipients[${index}].`, now),
      ...accessProblems(one, `recipients[${index}].`, ids, seeEverything),
    ]),
  ]
}

function contentProblems(item: Item, prefix: string, repeated: boolean): ProblemKey[] {
  const missing = ['id', 'name', 'type'].flatMap((name) => required(item, prefix, name))
  if (blank(item.id)) return missing
  // The id becomes part of the upload's path.
  const unfit = isPathId(String(item.id)) ? [] : [{ path: `${prefix}id`, key: 'id' }]
  return [...missing, ...unfit, ...(repeated ? [{ path: `${prefix}id`, key: 'repeatedId' }] : [])]
}

function recipientProblems(one: Item, prefix: string, now: number): ProblemKey[] {
  return [
    ...required(one, prefix, 'firstName', 'firstname'),
    ...required(one, prefix, 'lastName', 'lastname'),
    ...required(one, prefix, 'email'),
    ...required(one, prefix, 'expires'),
    ...expiryProblems(one.expires, `${prefix}expires`, now),
    ...required(one, prefix, 'mobile.countryCode'),
    ...required(one, prefix, 'mobile.number'),
    ...phoneProblems(one, prefix),
    ...(Array.isArray(one.authentication) ? [] : [{ path: `${prefix}authentication`, key: 'missing' }]),
    ...itemsOf(one.authentication).flatMap((provider, index) =>
      birthProblems(provider.dateOfBirth, `${prefix}authentication[${index}].dateOfBirth`),
    ),
  ]
}

function expiryProblems(expires: unknown, path: string, now: number): ProblemKey[] {
  if (blank(expires)) return []
  const time = timeOf(expires)
  if (Number.isNaN(time)) return [{ path, key: 'dateTime' }]
  return time <= now ? [{ path, key: 'past' }] : []
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i

/**
 * Milliseconds since 1970 of an ISO 8601 text with its offset, or of a Date, which leaves as such a
 * text; otherwise NaN.
 */
function timeOf(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'string' && moment.test(value) ? Date.parse(value) : NaN
}

function phoneProblems(one: Item, prefix: string): ProblemKey[] {
  const code = getPath(one, 'mobile.countryCode')
  const number = getPath(one, 'mobile.number')
  const badCode = !blank(code) && !/^\+?\d{1,4}$/.test(String(code))
  const badNumber = !blank(number) && !/^\d[\d ]{3,14}$/.test(String(number))
  return [
    ...(badCode ? [{ path: `${prefix}mobile.countryCode`, key: 'countryCode' }] : []),
    ...(badNumber ? [{ path: `${prefix}mobile.number`, key: 'phone' }] : []),
  ]
}

function birthProblems(value: unknown, path: string): ProblemKey[] {
  const good = blank(value) || /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])\d\d$/.test(String(value))
  return good ? [] : [{ path, key: 'birthDate' }]
}

/**
 * One of the two names of the access list must be there; what is there must hold, whichever of them
 * the service reads.
 */
function accessProblems(one: Item, prefix: string, ids: unknown[], seeEverything: boolean): ProblemKey[] {
  const given = ['uploads', 'content'].filter((name) => one[name] !== undefined && one[name] !== null)
  if (given.length === 0) return [{ path: `${prefix}uploads`, key: 'missing' }]
  return given.flatMap((name) => listProblems(one[name], prefix + name, ids, seeEverything))
}

/**
 * Every id must be registered; an empty list lets the recipient see everything, which is refused
 * unless it is meant.
 */
function listProblems(list: unknown, path: string, ids: unknown[], seeEverything: boolean): ProblemKey[] {
  if (!Array.isArray(list)) return [{ path, key: 'array' }]
  if (list.length === 0 && ids.length > 1 && !seeEverything) return [{ path, key: 'everything' }]
  return (list as unknown[]).flatMap((id, index) =>
    ids.includes(id) ? [] : [{ path: `${path}[${index}]`, key: 'unregistered' }],
  )
}

/** True when a recipient keeps access for longer than the service usually allows. */
export function isLong(body: PlainObject, now: number): boolean {
  return itemsOf(body.recipients).some((one) => timeOf(one.expires) > now + longestLife)
}
