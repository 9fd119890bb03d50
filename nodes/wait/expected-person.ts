/** *Only if the person is*: compares the person who has identified with the one whom the flow expects. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { nodeError, type EidError, type ProblemKey } from '../../lib/api/errors/errors'
import { identityIn } from '../../lib/api/sessions'
import { isPlainObject } from '../../lib/common/plain-object'
import { getPath } from '../../lib/runtime/values/read-text'

/** The settings, with the property of the identity that each is compared with, and what the session must include. */
const expectations = {
  expectedNin: { property: 'nin', include: 'nin' },
  expectedDateOfBirth: { property: 'dateOfBirth', include: 'date_of_birth' },
  expectedName: { property: 'fullName', include: 'name' },
} as const

type ExpectedName = keyof typeof expectations
const names = Object.keys(expectations) as ExpectedName[]

/**
 * Whom a wait expects: a salted hash for each setting that is filled in. A wait may be stored for weeks, and the store
 * needs no national ids to compare them.
 */
export interface ExpectedPerson {
  readonly salt: string
  readonly hashes: Readonly<Partial<Record<ExpectedName, string>>>
}

/** Why the person is not the expected one, in the words of `msg.reason`. */
export type PersonReason = 'another person' | 'not proven'

/** How two ways of writing the same value become equal. */
const plain: Readonly<Record<ExpectedName, (text: string) => string>> = {
  expectedNin: (text) => text.replace(/[\s-]/g, '').toUpperCase(),
  // The setting has been read as a moment, so it begins with the day, as the value of the service does.
  expectedDateOfBirth: (text) => text.trim().slice(0, 10),
  expectedName: (text) => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase(),
}

/**
 * Whom the settings expect; undefined if none of them is filled in. A value that consists of spaces is
 * added to `problems`, because it would equal no person.
 */
export function expectedPerson(
  values: Readonly<Partial<Record<ExpectedName, string | undefined>>>,
  problems: ProblemKey[],
): ExpectedPerson | undefined {
  const salt = randomBytes(16).toString('hex')
  const hashes: Partial<Record<ExpectedName, string>> = {}
  for (const name of names) {
    const value = values[name]
    if (value === undefined) continue
    const text = plain[name](value)
    if (text === '') problems.push({ path: name, key: 'missing' })
    else hashes[name] = hashOf(salt, text)
  }
  return Object.keys(hashes).length > 0 ? { salt, hashes } : undefined
}

/** Reads the stored form; undefined if something else is stored. */
export function readExpected(stored: unknown): ExpectedPerson | undefined {
  if (!isPlainObject(stored) || typeof stored.salt !== 'string' || !isPlainObject(stored.hashes)) return undefined
  const { hashes } = stored
  const known = names.filter((name) => typeof hashes[name] === 'string')
  if (known.length === 0 || known.length !== Object.keys(hashes).length) return undefined
  return { salt: stored.salt, hashes: Object.fromEntries(known.map((name) => [name, String(hashes[name])])) }
}

/**
 * Why the person in a session's record is not the expected one; undefined if every expected value is there and equal. A
 * value that differs counts more than one that is missing.
 */
export function reasonAgainst({ salt, hashes }: ExpectedPerson, record: unknown): PersonReason | undefined {
  const identity = identityIn(record)
  const verdicts = names.map((name): PersonReason | undefined => {
    const hash = hashes[name]
    if (hash === undefined) return undefined
    const found = identity?.[expectations[name].property]
    const text = typeof found === 'string' ? plain[name](found) : ''
    if (text === '') return 'not proven'
    return isSame(hash, hashOf(salt, text)) ? undefined : 'another person'
  })
  return verdicts.find((one) => one === 'another person') ?? verdicts.find((one) => one !== undefined)
}

/**
 * The error (EID_CONFIG) if the session was created without asking for the expected data, so that the wait could never
 * end well. Sessions of v1, and those whose personal data is gone, do not say what they asked for.
 */
export function notAskedFor({ hashes }: ExpectedPerson, record: unknown): EidError | undefined {
  const included = getPath(record, 'include')
  if (!Array.isArray(included)) return undefined
  const name = names.find((one) => hashes[one] !== undefined && !included.includes(expectations[one].include))
  if (!name) return undefined
  return nodeError('EID_CONFIG', 'errors.notAskedFor', { included: `@included.${expectations[name].include}` })
}

/** The names of the reasons in the catalogs and in the list of ended waits. */
export const reasonNames: Readonly<Record<PersonReason, string>> = {
  'another person': 'anotherPerson',
  'not proven': 'notProven',
}

const hashOf = (salt: string, text: string) => createHash('sha256').update(salt).update(text).digest('hex')

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
