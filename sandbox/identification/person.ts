/** The invented people who identify, and which of their data a session returns (`docs/interface.md` 2.5). */
import { createHash } from 'node:crypto'
import { objectIn, objectsIn, textIn, type JsonObject } from '../server/json'

export interface Person {
  readonly providerId: string
  readonly firstName: string
  readonly middleName: string
  readonly lastName: string
  /** YYYY-MM-DD */
  readonly dateOfBirth: string
  readonly phoneNumber: string
  readonly nin: string
  readonly email: string
}

export const olaNordmann = {
  firstName: 'Ola',
  middleName: '',
  lastName: 'Nordmann',
  dateOfBirth: '1990-01-01',
  phoneNumber: '+4799999999',
  nin: '00000000000',
  email: 'ola.nordmann@example.com',
}

/** A person whom the page offers by name. */
interface OfferedPerson {
  /** Empty for the stranger. */
  readonly name: string
  readonly nin: string
  readonly providerId: string
}

const stranger: OfferedPerson = { name: '', nin: '99999999999', providerId: 'sandbox-stranger' }

/** The people in `sandboxPeople` of the request, which only the sandbox knows, and a stranger; otherwise no one. */
export function offeredPeople({ sandboxPeople }: JsonObject): readonly OfferedPerson[] {
  const people = objectsIn(sandboxPeople).map(({ name, nin, providerId }) => ({
    name: textIn(name),
    nin: textIn(nin),
    providerId: textIn(providerId),
  }))
  return people.length > 0 ? [...people, stranger] : []
}

/** Everything about an offered person: missing data is that of Ola Nordmann. */
export function wholePerson({ name, nin, providerId }: OfferedPerson): typeof olaNordmann & { providerId: string } {
  const [firstName = '', ...others] = name.split(' ')
  const names = name === '' ? {} : { firstName, lastName: others.join(' ') }
  return { ...olaNordmann, ...names, ...(nin !== '' && { nin }), providerId }
}

/** The person described in the request of a session; missing data is that of Ola Nordmann. */
export function expectedPerson(requested: JsonObject): typeof olaNordmann {
  const { phoneNumber, dateOfBirth, nin } = objectIn(requested.prefilledInput)
  return {
    ...olaNordmann,
    ...(textIn(phoneNumber) && { phoneNumber: textIn(phoneNumber) }),
    ...(textIn(dateOfBirth) && { dateOfBirth: isoDate(textIn(dateOfBirth)) }),
    ...(textIn(nin) && { nin: textIn(nin) }),
  }
}

/** Gives a person the id that the provider uses: the same person always has the same id at the same provider. */
export function personAt(provider: string, who: Omit<Person, 'providerId'> & { readonly providerId?: string }): Person {
  if (who.providerId) return { ...who, providerId: who.providerId }
  const digest = createHash('sha256').update(`${provider}:${who.nin}:${who.firstName}:${who.lastName}`).digest('hex')
  return { ...who, providerId: `sandbox-${digest.slice(0, 16)}` }
}

/** The identity with the data requested in `include`; if `include` is empty, only the provider's id. */
export function identityOf(person: Person, include: readonly string[]): Record<string, unknown> {
  const { providerId, firstName, middleName, lastName, dateOfBirth, phoneNumber, nin, email } = person
  const wants = (name: string) => include.includes(name)
  return {
    providerId,
    ...(wants('name') && { firstName, middleName, lastName, fullName: fullNameOf(person) }),
    ...(wants('date_of_birth') && { dateOfBirth }),
    ...(wants('phone_number') && { phoneNumber }),
    ...((wants('nin') || wants('nin_consent')) && { nin }),
    ...(wants('email') && { email }),
    ...(wants('organization') && {
      organization: { name: 'Nordmann AS', organizationNumber: '000000000', country: 'NO' },
    }),
  }
}

export function fullNameOf({ firstName, middleName, lastName }: Person): string {
  return [firstName, middleName, lastName].filter(Boolean).join(' ')
}

/** Converts a date to YYYY-MM-DD. For ddMMyy, it chooses the century that makes the person at most 100 years old. */
export function isoDate(date: string): string {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d\d)$/.exec(date) ?? []
  if (!year) return date
  const century = Number(year) > new Date().getFullYear() % 100 ? '19' : '20'
  return `${century}${year}-${month}-${day}`
}

/** Converts YYYY-MM-DD to ddMMyy. */
export function shortDate(date: string): string {
  const [, year = '', month = '', day = ''] = /^\d\d(\d\d)-(\d\d)-(\d\d)$/.exec(date) ?? []
  return `${day}${month}${year}`
}
