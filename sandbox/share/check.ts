/** What makes the service refuse a new share (`docs/interface.md` 2.3). */
import type { FieldError } from '../server/answers'
import { objectIn, objectsIn, textIn, textsIn, type JsonObject } from '../server/json'

const LONGEST = 90 * 24 * 3600 * 1000
const channels = ['off', 'sendsms', 'sendemail', 'sendboth']

type Complain = (field: string, message: string) => void

/** All problems of the request, by field; `now` in milliseconds since 1970. */
export function shareProblems(body: JsonObject, now: number): FieldError[] {
  const errors: FieldError[] = []
  const complain: Complain = (field, message) => void errors.push({ field, message })
  checkInformation(objectIn(body.information), complain)
  checkContent(objectsIn(body.content), complain)
  const ids = new Set(objectsIn(body.content).map(({ id }) => textIn(id)))
  const recipients = objectsIn(body.recipients)
  if (recipients.length === 0) complain('recipients', 'At least one recipient is required.')
  recipients.forEach((recipient, index) => {
    const within: Complain = (field, message) => complain(`recipients[${index}].${field}`, message)
    checkPerson(recipient, within)
    checkExpiry(textIn(recipient.expires), now, within)
    checkAccess(recipient, ids, within)
    checkAuthentication(recipient, within)
    checkNotification(objectIn(recipient.notification), within)
  })
  return errors
}

/** The ids of the content a recipient may see, under either name; undefined when neither is a list. */
export function accessList({ uploads, content }: JsonObject): string[] | undefined {
  const list = Array.isArray(uploads) ? uploads : content
  if (!Array.isArray(list)) return undefined
  return textsIn(list.map((one: unknown) => (typeof one === 'object' ? objectIn(one).id : one)))
}

function need(value: unknown, field: string, complain: Complain): void {
  if (textIn(value) === '') complain(field, `The field ${field} is required.`)
}

function checkInformation({ title, name, description }: JsonObject, complain: Complain): void {
  need(title ?? name, 'information.title', complain)
  need(description, 'information.description', complain)
}

function checkContent(content: readonly JsonObject[], complain: Complain): void {
  if (content.length === 0) complain('content', 'At least one item is required.')
  const seen = new Set<string>()
  content.forEach(({ id, name, type = 'file' }, index) => {
    need(id, `content[${index}].id`, complain)
    need(name, `content[${index}].name`, complain)
    if (type !== 'file') complain(`content[${index}].type`, 'The only type is file.')
    if (seen.has(textIn(id))) complain(`content[${index}].id`, 'Each item needs an id of its own.')
    seen.add(textIn(id))
  })
}

function checkPerson(recipient: JsonObject, complain: Complain): void {
  need(recipient.firstName ?? recipient.firstname, 'firstName', complain)
  need(recipient.lastName ?? recipient.lastname, 'lastName', complain)
  need(recipient.email, 'email', complain)
  const { countryCode, number } = objectIn(recipient.mobile)
  if (!/^\+?\d{1,4}$/.test(textIn(countryCode))) complain('mobile.countryCode', 'A country calling code is required.')
  if (!/^[\d ]{4,15}$/.test(textIn(number))) complain('mobile.number', 'A phone number is required.')
}

function checkExpiry(expires: string, now: number, complain: Complain): void {
  const at = Date.parse(expires)
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(expires) || Number.isNaN(at)) {
    complain('expires', 'expires must be a date and time with offset, in ISO 8601.')
  } else if (at <= now) complain('expires', 'expires must be in the future.')
  else if (at > now + LONGEST) complain('expires', 'expires may be 90 days ahead at most.')
}

function checkAccess(recipient: JsonObject, ids: ReadonlySet<string>, complain: Complain): void {
  const list = accessList(recipient)
  if (!list) return complain('uploads', 'A list of content ids is required; an empty one gives access to everything.')
  for (const id of list) if (!ids.has(id)) complain('uploads', `No content has the id ${id}.`)
}

function checkAuthentication({ authentication }: JsonObject, complain: Complain): void {
  if (!Array.isArray(authentication)) return complain('authentication', 'A list of identity providers is required.')
  objectsIn(authentication).forEach(({ dateOfBirth }, index) => {
    if (dateOfBirth === undefined || dateOfBirth === null || dateOfBirth === '') return
    const [, day = '0', month = '0'] = /^(\d\d)(\d\d)\d\d$/.exec(textIn(dateOfBirth)) ?? []
    const fits = +day >= 1 && +day <= 31 && +month >= 1 && +month <= 12
    if (!fits) complain(`authentication[${index}].dateOfBirth`, 'dateOfBirth must be ddMMyy.')
  })
}

function checkNotification({ setup }: JsonObject, complain: Complain): void {
  for (const [name, channel] of Object.entries(objectIn(setup))) {
    if (channels.includes(textIn(channel).toLowerCase())) continue
    complain(`notification.setup.${name}`, 'The channel must be Off, SendSms, SendEmail or SendBoth.')
  }
}
