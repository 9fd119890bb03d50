/** Words the create-share request from the form, in the spellings that the client is set to (`interface.md` 2.3). */
import type { Values } from '../../lib/fields'
import { compact, isPlainObject, layForm, type PlainObject } from '../../lib/runtime/body'
import type { ClientSettings } from '../../lib/runtime/client-node'
import { splitList } from '../../lib/runtime/read-text'
import { toItems } from '../../lib/runtime/rows'
import type { fields } from './share-create.fields'

type ShareValues = Values<typeof fields>
type ContentRow = Values<(typeof fields)['content']['rows']>
export type RecipientRow = Values<(typeof fields)['recipients']['rows']>
type Spelling = Pick<ClientSettings, 'shareNames' | 'recipientFiles'>

/**
 * The request: the form over `base`. In recipients that come from a message only the field names are put
 * into the client's spelling.
 */
export function toRequest(values: ShareValues, spelling: Spelling, now: number, base: PlainObject): PlainObject {
  const older = spelling.shareNames === 'name-firstname'
  const expires = expiryOf(values.expires, now)
  const content = toItems(values.content, contentOf)
  const recipients =
    values.recipients?.from === 'elsewhere'
      ? values.recipients.list.map((one) => respelt(withExpiry(one, expires), spelling))
      : values.recipients?.rows.map((row) => recipientOf(row, spelling, expires))
  const information = { [older ? 'name' : 'title']: values.title, description: values.description }
  return layForm(base, values.more, { information, content, recipients })
}

function contentOf(row: ContentRow): PlainObject {
  return compact({ id: row.id, name: row.name, type: row.type ?? 'file' })
}

function recipientOf(row: RecipientRow, spelling: Spelling, expires: unknown): PlainObject {
  const older = spelling.shareNames === 'name-firstname'
  const recipient = compact({
    [older ? 'firstname' : 'firstName']: row.firstName,
    [older ? 'lastname' : 'lastName']: row.lastName,
    email: row.email,
    expires: row.expires ?? expires,
    mobile: { countryCode: row.mobileCountryCode, number: row.mobileNumber },
    notification: {
      setup: { request: row.notificationRequest, reminder: row.notificationReminder },
      language: row.notificationLanguage,
    },
    oneTimeLogin: row.oneTimeLogin,
  })
  const authentication = toAuthentication(row)
  return {
    ...recipient,
    ...accessOf(splitList(row.uploads) ?? [], spelling),
    ...(authentication && { authentication }),
  }
}

/**
 * One entry per identity provider, each with the same person; undefined when the row says nothing of
 * how to identify.
 */
function toAuthentication(row: RecipientRow): PlainObject[] | undefined {
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

/** The list of what a recipient may see, under the name or names that the client is set to. */
function accessOf(ids: unknown[], { recipientFiles }: Spelling): PlainObject {
  if (recipientFiles === 'content') return { content: ids }
  return recipientFiles === 'both' ? { uploads: ids, content: ids } : { uploads: ids }
}

function withExpiry(recipient: unknown, expires: unknown): unknown {
  if (expires === undefined || typeof recipient !== 'object' || recipient === null) return recipient
  return { expires, ...recipient }
}

/** Puts the names of the fields into the client's spelling; the values stay as they are. */
function respelt(recipient: unknown, { shareNames, recipientFiles }: Spelling): unknown {
  if (!isPlainObject(recipient)) return recipient
  const older = shareNames === 'name-firstname'
  const first = older ? renamed(recipient, 'firstName', 'firstname') : renamed(recipient, 'firstname', 'firstName')
  const named = older ? renamed(first, 'lastName', 'lastname') : renamed(first, 'lastname', 'lastName')
  if (recipientFiles === 'both') {
    const { uploads, content } = named
    const list = uploads ?? content
    return list === undefined ? named : { ...named, uploads: list, content: content ?? list }
  }
  return recipientFiles === 'content' ? renamed(named, 'uploads', 'content') : renamed(named, 'content', 'uploads')
}

/** The object with `name` called `wanted`, unless it has both. */
function renamed(object: PlainObject, name: string, wanted: string): PlainObject {
  if (!Object.hasOwn(object, name) || Object.hasOwn(object, wanted)) return object
  return Object.fromEntries(Object.entries(object).map(([one, value]) => [one === name ? wanted : one, value]))
}

/** A number means so many days from now; a text is the date and time itself. */
function expiryOf(value: unknown, now: number): unknown {
  const then = new Date(typeof value === 'number' ? now + value * 86_400_000 : NaN)
  // What is no moment goes on as it is, so that the checks can name it.
  return Number.isNaN(then.getTime()) ? value : then.toISOString()
}
