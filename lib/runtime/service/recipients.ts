/** Builds a share's recipient from a row of the form, in the spellings set in the client (`docs/interface.md` 2.3). */
import { mobileOf } from './mobile'
import type { Values } from '../../settings/fields'
import type { recipientRow } from '../../settings/recipient-row'
import { compact } from '../values/body'
import type { PlainObject } from '../../common/plain-object'
import type { ClientSettings } from '../node-red/client-node'
import { splitList } from '../../common/split-list'

export type RecipientRow = Values<typeof recipientRow>
export type Spelling = Pick<ClientSettings, 'shareNames' | 'recipientFiles'>
/** A row whose end of access may have any type: an invalid moment stays as it is, so that the checks can report it. */
type DescribedRow = Omit<RecipientRow, 'expires'> & { readonly expires?: unknown }

/** True if the share uses `name` instead of `title`. The spelling of people's names is a separate setting. */
export const isCalledName = ({ shareNames }: Spelling): boolean => shareNames.startsWith('name-')

/** True if people's names are `firstname` and `lastname` instead of `firstName` and `lastName`. */
export const hasSmallNames = ({ shareNames }: Spelling): boolean => shareNames.endsWith('-firstname')

/**
 * Builds a new recipient. If the row has no list of visible content, the recipient gets an empty list, which gives
 * access to everything. `expires` is used if the row itself does not say when access ends.
 */
export function recipientOf(row: RecipientRow, spelling: Spelling, expires?: unknown): PlainObject {
  const described = describedOf({ ...row, expires: row.expires ?? expires }, spelling)
  return row.uploads === undefined ? { ...described, ...accessOf([], spelling) } : described
}

/** Builds a recipient that contains only the filled-in fields of the row. */
export function describedOf(row: DescribedRow, spelling: Spelling): PlainObject {
  const older = hasSmallNames(spelling)
  const recipient = compact({
    [older ? 'firstname' : 'firstName']: row.firstName,
    [older ? 'lastname' : 'lastName']: row.lastName,
    email: row.email,
    expires: row.expires,
    mobile: mobileOf(row.mobileCountryCode, row.mobileNumber),
    notification: {
      setup: { request: row.notificationRequest, reminder: row.notificationReminder },
      language: row.notificationLanguage,
    },
    oneTimeLogin: row.oneTimeLogin,
  })
  const authentication = toAuthentication(row)
  return {
    ...recipient,
    ...(row.uploads !== undefined && accessOf(splitList(row.uploads) ?? [], spelling)),
    ...(authentication && { authentication }),
  }
}

/**
 * One entry for each identity provider, all about the same person. Undefined if the row does not say how the person
 * identifies.
 */
function toAuthentication(row: DescribedRow): PlainObject[] | undefined {
  const providers = splitList(row.identityProvider) ?? []
  const uniqueIds = splitList(row.identityProviderUniqueId) ?? []
  const { ssn, dateOfBirth } = row
  const person = compact({ ssn, dateOfBirth })
  const count = Math.max(providers.length, uniqueIds.length, Object.keys(person).length > 0 ? 1 : 0)
  if (count === 0) return row.withoutIdentification === true ? [] : undefined
  return Array.from({ length: count }, (_none, index) =>
    compact({ identityProvider: providers[index], identityProviderUniqueId: uniqueIds[index], ...person }),
  )
}

/** The ids of the content that the recipient can see, under the property name or names set in the client. */
function accessOf(ids: unknown[], { recipientFiles }: Spelling): PlainObject {
  if (recipientFiles === 'content') return { content: ids }
  return recipientFiles === 'both' ? { uploads: ids, content: ids } : { uploads: ids }
}
