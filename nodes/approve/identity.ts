/**
 * Compares people by their eID, and only by marks of their ids (HMAC with a key of this installation), so that no id is
 * stored.
 */
import { createHmac } from 'node:crypto'
import { isPlainObject } from '../../lib/common/plain-object'
import { textAt } from '../../lib/runtime/values/read-text'
import { countryOf } from './providers'

/** The ids of a person; an empty text means unknown. */
export interface Person {
  readonly provider: string
  readonly providerId: string
  readonly nin: string
}

/** What is stored of a person's ids. An empty mark means unknown, and equals nothing. */
export interface Marks {
  readonly provider: string
  /** The country of the provider, which is also that of the national id. */
  readonly country: string
  readonly byNin: string
  readonly byProvider: string
}

/** The ids in `msg.identity`, or in the identity of a session. */
export function personIn(identity: unknown): Person {
  return {
    provider: textAt(identity, 'provider'),
    providerId: textAt(identity, 'providerId'),
    nin: textAt(identity, 'nin'),
  }
}

/** A national id is compared by its digits only. */
const digitsOf = (nin: string) => nin.replace(/\D/g, '')

export function marksOf(key: Buffer, { provider, providerId, nin }: Person): Marks {
  const mark = (...parts: readonly string[]) => createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')
  const country = countryOf(provider)
  const digits = digitsOf(nin)
  const name = provider.toLowerCase()
  return {
    provider: name,
    country,
    byNin: country !== '' && digits !== '' ? mark('nin', country, digits) : '',
    byProvider: name !== '' && providerId !== '' ? mark('provider', name, providerId) : '',
  }
}

type Comparison = 'same' | 'other' | 'unknown'

/**
 * Whether two marks are of the same person. Unknown if they have no national id of one country, and no id at the same
 * provider.
 */
export function compare(one: Marks, other: Marks): Comparison {
  const found = [
    one.country === other.country && both(one.byNin, other.byNin),
    one.provider === other.provider && both(one.byProvider, other.byProvider),
  ]
  if (found.includes('same')) return 'same'
  return found.includes('other') ? 'other' : 'unknown'
}

const both = (one: string, other: string) => one !== '' && other !== '' && (one === other ? 'same' : 'other')

/** Whether ids obtained at this provider, with or without a national id, can be compared with the marks. */
export function isComparableAt(provider: string, withNin: boolean, { country, byNin, ...at }: Marks): boolean {
  const sameCountry = withNin && byNin !== '' && countryOf(provider) === country
  return sameCountry || (at.byProvider !== '' && at.provider === provider.toLowerCase())
}

/** Reads stored marks; undefined for any other value. */
export function marksIn(value: unknown): Marks | undefined {
  if (!isPlainObject(value)) return undefined
  const { provider, country, byNin, byProvider } = value
  const texts = [provider, country, byNin, byProvider]
  return texts.every((one) => typeof one === 'string') ? (value as unknown as Marks) : undefined
}
