/** Builds the create-share request from the form, in the spellings set in the client (`interface.md` 2.3). */
import type { Values } from '../../lib/settings/fields'
import { compact, layForm } from '../../lib/runtime/values/body'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { momentOf } from '../../lib/settings/moment'
import { hasSmallNames, isCalledName, recipientOf, type Spelling } from '../../lib/runtime/service/recipients'
import { toItems } from '../../lib/runtime/values/list-items'
import type { fields } from './share-create.fields'

type ShareValues = Values<typeof fields>
type ContentRow = Values<(typeof fields)['content']['rows']>

/**
 * Builds the request: the form's values override `base`. For recipients from a message, only the field names are
 * converted to the client's spelling.
 */
export function toRequest(values: ShareValues, spelling: Spelling, now: number, base: PlainObject): PlainObject {
  const expires = expiryOf(values.expires, now)
  const content = toItems(values.content, contentOf)
  const recipients =
    values.recipients?.from === 'elsewhere'
      ? values.recipients.list.map((one) => respelt(withExpiry(one, expires), spelling))
      : values.recipients?.rows.map((row) => recipientOf(row, spelling, expires))
  const information = { [isCalledName(spelling) ? 'name' : 'title']: values.title, description: values.description }
  const { loginNoticeTo: email } = values
  const senders = email ? [{ email, notificationType: 'SendEmail', notificationEvent: 'All' }] : undefined
  return layForm(base, values.more, { information, content, recipients, senders })
}

function contentOf(row: ContentRow): PlainObject {
  return compact({ id: row.id, name: row.name, type: row.type ?? 'file' })
}

function withExpiry(recipient: unknown, expires: unknown): unknown {
  if (!isPlainObject(recipient)) return recipient
  const own = momentOf(recipient.expires) ?? recipient.expires
  return expires === undefined && own === undefined ? recipient : { ...recipient, expires: own ?? expires }
}

/** Converts the field names of a recipient to the client's spelling; values stay unchanged. */
function respelt(recipient: unknown, spelling: Spelling): unknown {
  if (!isPlainObject(recipient)) return recipient
  const { recipientFiles } = spelling
  const older = hasSmallNames(spelling)
  const first = older ? renamed(recipient, 'firstName', 'firstname') : renamed(recipient, 'firstname', 'firstName')
  const named = older ? renamed(first, 'lastName', 'lastname') : renamed(first, 'lastname', 'lastName')
  if (recipientFiles === 'both') {
    const { uploads, content } = named
    const list = uploads ?? content
    return list === undefined ? named : { ...named, uploads: list, content: content ?? list }
  }
  return recipientFiles === 'content' ? renamed(named, 'uploads', 'content') : renamed(named, 'content', 'uploads')
}

/** Returns the object with `name` renamed to `wanted`, unless the object already has `wanted`. */
function renamed(object: PlainObject, name: string, wanted: string): PlainObject {
  if (!Object.hasOwn(object, name) || Object.hasOwn(object, wanted)) return object
  return Object.fromEntries(Object.entries(object).map(([one, value]) => [one === name ? wanted : one, value]))
}

/** Returns the end of the access: a number means this many days from now; a text is the date and time itself. */
function expiryOf(value: unknown, now: number): unknown {
  const then = new Date(typeof value === 'number' ? now + value * 86_400_000 : NaN)
  // An invalid moment stays as it is, so that the checks can report it.
  return Number.isNaN(then.getTime()) ? value : then.toISOString()
}
