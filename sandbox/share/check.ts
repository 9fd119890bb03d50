/** The reasons why the service refuses a new share (`docs/interface.md` 2.3). */
import type { FieldError } from '../server/answers'
import { checkChannels, checkEmail, isCountryCode, isEmail, isPhoneNumber } from '../server/check'
import { objectIn, objectsIn, textIn, textsIn, type JsonObject } from '../server/json'

const MAX_LIFETIME_MS = 90 * 24 * 3600 * 1000

type Complain = (field: string, message: string) => void

/** All problems of the request, by field; `now` in milliseconds since 1970. */
export function shareProblems(body: JsonObject, now: number): FieldError[] {
  const errors: FieldError[] = []
  const complain: Complain = (field, message) => void errors.push({ field, message })
  checkInformation(objectIn(body.information), complain)
  checkContent(objectsIn(body.content), complain)
  const ids = objectsIn(body.content).map(({ id }) => textIn(id))
  const recipients = objectsIn(body.recipients)
  if (recipients.length === 0) complain('recipients', 'At least one recipient is required.')
  recipients.forEach((recipient, index) =>
    errors.push(...recipientProblems(recipient, ids, now, `recipients[${index}].`)),
  )
  errors.push(...checkEmail(objectIn(body.contactDetails).email, 'contactDetails.email'))
  objectsIn(body.senders).forEach(({ email }, index) => errors.push(...checkEmail(email, `senders[${index}].email`)))
  return errors
}

/**
 * All problems of one recipient; `prefix` is put before the field names, `contentIds` are the ids of the share's
 * content.
 */
export function recipientProblems(
  recipient: JsonObject,
  contentIds: readonly string[],
  now: number,
  prefix: string,
): FieldError[] {
  const errors: FieldError[] = []
  const complain: Complain = (field, message) => void errors.push({ field: `${prefix}${field}`, message })
  checkPerson(recipient, complain)
  checkExpiry(textIn(recipient.expires), now, complain)
  checkAccess(recipient, new Set(contentIds), complain)
  checkAuthentication(recipient, complain)
  const setup = objectIn(recipient.notification).setup
  errors.push(...checkChannels(setup, (name) => `${prefix}notification.setup.${name}`))
  return errors
}

/** The ids of the content that a recipient may see, from `uploads` or `content`; undefined if neither is a list. */
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
  if (!isEmail(textIn(recipient.email))) complain('email', 'An e-mail address is required.')
  const { countryCode, number } = objectIn(recipient.mobile)
  if (!isCountryCode(textIn(countryCode))) complain('mobile.countryCode', 'A country calling code is required.')
  if (!isPhoneNumber(textIn(number))) complain('mobile.number', 'A phone number is required.')
}

function checkExpiry(expires: string, now: number, complain: Complain): void {
  const at = Date.parse(expires)
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(expires) || Number.isNaN(at)) {
    complain('expires', 'expires must be a date and time with offset, in ISO 8601.')
  } else if (at <= now) complain('expires', 'expires must be in the future.')
  else if (at > now + MAX_LIFETIME_MS) complain('expires', 'expires may be 90 days ahead at most.')
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
