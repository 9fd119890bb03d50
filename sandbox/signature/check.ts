/** The reasons why the service refuses a document request, with the service's own field names. */
import type { FieldError } from '../server/answers'
import { checkChannels, checkEmail, checkMobile } from '../server/check'
import { objectIn, objectsIn, textIn, textsIn, type JsonObject } from '../server/json'

/** Maximum and default milliseconds that a document may wait for its signatures. */
export const MAX_LIFETIME_MS = 45 * 24 * 3600 * 1000

/** The maximum hours that files can be kept after the end of a document: the greater of two documented values. */
const MAX_KEPT_HOURS = 744

export const MAX_SIGNERS = 20
const MAX_ATTACHMENTS = 20
const extensions = ['.pdf', '.xml', '.txt', '.doc', '.docx', '.rtf', '.ott', '.odt']
const attachmentTypes = ['show_accept', 'read_accept', 'sign']

/** Redirect modes, and the settings that each requires. */
const redirectModes: Readonly<Record<string, readonly string[]>> = {
  donot_redirect: [],
  redirect: ['success', 'cancel', 'error'],
  iframe_with_webmessaging: ['domain'],
  iframe_with_redirect: ['success', 'cancel', 'error'],
  iframe_with_redirect_and_webmessaging: ['domain', 'success', 'cancel', 'error'],
}

/** Every wrong field of a new document; empty for a valid request. `now` is in milliseconds. */
export function checkDocument(body: JsonObject, now: number): FieldError[] {
  const signers = objectsIn(body.signers)
  return [
    ...checkLength('Title', body.title, 1, 300),
    ...checkLength('ExternalId', body.externalId, 4, 255),
    ...checkContact(body.contactDetails),
    ...checkFile(body),
    ...checkAdvanced(objectIn(body.advanced), now),
    ...checkReminder(body),
    ...checkCopies(body),
    ...(signers.length < 1 || signers.length > MAX_SIGNERS
      ? [{ field: 'Signers', message: `There must be 1 to ${MAX_SIGNERS} signers.` }]
      : []),
    ...signers.flatMap((signer, index) => checkSigner(signer, `Signers[${index}].`)),
  ]
}

/** Every wrong field of a change to a document; absent fields stay unchanged. `now` is in milliseconds. */
export function checkUpdate(body: JsonObject, now: number): FieldError[] {
  const email = objectIn(body.contactDetails).email
  return [
    ...(body.title === undefined ? [] : checkLength('Title', body.title, 1, 300)),
    ...(email === undefined ? [] : checkContact({ email })),
    ...checkAdvanced(objectIn(body.advanced), now),
    ...checkReminder(body),
    ...checkCopies(body),
  ]
}

/** Every wrong field of a signer; `prefix` is put before the names of the fields. */
export function checkSigner(signer: JsonObject, prefix: string): FieldError[] {
  const redirect = objectIn(signer.redirectSettings)
  const info = objectIn(signer.signerInfo)
  const mode = textIn(redirect.redirectMode)
  const needs = Object.hasOwn(redirectModes, mode) ? redirectModes[mode] : undefined
  const mobile = ['CountryCode', 'Number'].map((part) => `${prefix}SignerInfo.Mobile.${part}`) as [string, string]
  return [
    ...checkLength(`${prefix}ExternalSignerId`, signer.externalSignerId, 4, 255),
    ...checkLength(`${prefix}SignatureType.Mechanism`, objectIn(signer.signatureType).mechanism, 1, 100),
    ...checkEmail(info.email, `${prefix}SignerInfo.Email`),
    ...checkMobile(info.mobile, mobile),
    ...(/sms/i.test(textIn(objectIn(signer.authentication).mechanism)) && textIn(objectIn(info.mobile).number) === ''
      ? [{ field: mobile[1], message: 'The code that comes before reading needs a number to go to.' }]
      : []),
    ...checkChannels(objectIn(signer.notifications).setup, (name) => `${prefix}Notifications.Setup.${pascal(name)}`),
    ...(needs
      ? needs.flatMap((need) => checkRedirect(redirect[need], need, prefix))
      : [{ field: `${prefix}RedirectSettings.RedirectMode`, message: 'The redirect mode is missing or unknown.' }]),
  ]
}

/** Every wrong field of an attachment; `signerIds` are the ids of the document's signers. */
export function checkAttachment(body: JsonObject, signerIds: readonly string[]): FieldError[] {
  const { fileName, title, data, signers, type } = body
  const isPdf = /\.pdf$/i.test(textIn(fileName))
  const unknown = textsIn(signers).filter((id) => !signerIds.includes(id))
  return [
    ...checkLength('Title', title, 1, 300),
    ...checkLength('FileName', fileName, 3, 100),
    ...(isBase64(data) ? [] : [{ field: 'Data', message: 'The data must be base64 and not empty.' }]),
    ...(isPdf || body.convertToPdf === true || !fileName
      ? []
      : [{ field: 'FileName', message: 'Attachments are PDFs, unless convertToPdf is set.' }]),
    ...(type === undefined || attachmentTypes.includes(textIn(type))
      ? []
      : [{ field: 'Type', message: `The type must be one of ${attachmentTypes.join(', ')}.` }]),
    ...unknown.map((id) => ({ field: 'Signers', message: `The document has no signer ${id}.` })),
  ]
}

/** The number of attachments that a document waits for. */
export function expectedAttachments(body: JsonObject): number {
  const count = Number(objectIn(body.advanced).attachments ?? 0)
  return count > 0 ? count : 0
}

function checkLength(field: string, value: unknown, min: number, max: number): FieldError[] {
  if (value === undefined || value === null) return [{ field, message: `The ${field} field is required.` }]
  const ok = typeof value === 'string' && value.length >= min && value.length <= max
  return ok ? [] : [{ field, message: `The ${field} field must be a text of ${min} to ${max} characters.` }]
}

function checkContact(contact: unknown): FieldError[] {
  const { email } = objectIn(contact)
  const field = 'ContactDetails.Email'
  return textIn(email) === '' ? [{ field, message: `The ${field} field is required.` }] : checkEmail(email, field)
}

/** Reports reminders without a schedule. The field's name is spelled the way the service spells it. */
function checkReminder({ notification }: JsonObject): FieldError[] {
  const { reminder } = objectIn(notification)
  const field = 'Notification.Reminder.ChronSchedule'
  if (reminder === undefined || reminder === null || textIn(objectIn(reminder).chronSchedule) !== '') return []
  return [{ field, message: `The ${field} field is required.` }]
}

/** Checks the people besides the signers who get a copy of the signed file. */
function checkCopies({ notification }: JsonObject): FieldError[] {
  const field = 'Notification.FinalReceipt.AdditionalRecipients'
  return objectsIn(objectIn(objectIn(notification).finalReceipt).additionalRecipients).flatMap(({ email }, index) =>
    textIn(email) === ''
      ? [{ field: `${field}[${index}].Email`, message: 'An e-mail address is required.' }]
      : checkEmail(email, `${field}[${index}].Email`),
  )
}

function checkFile(body: JsonObject): FieldError[] {
  if (body.dataToSign === undefined && expectedAttachments(body) > 0) return []
  const { base64Content, fileName } = objectIn(body.dataToSign)
  const named = checkLength('DataToSign.FileName', fileName, 3, 100)
  const accepted = extensions.some((extension) => textIn(fileName).toLowerCase().endsWith(extension))
  return [
    ...(isBase64(base64Content)
      ? []
      : [{ field: 'DataToSign.Base64Content', message: 'The content must be base64 and not empty.' }]),
    ...named,
    ...(named.length > 0 || accepted
      ? []
      : [{ field: 'DataToSign.FileName', message: `The file name must end in one of ${extensions.join(' ')}` }]),
  ]
}

function isBase64(value: unknown): boolean {
  // White space is removed first, because a single pattern for both steps takes minutes on a long invalid text.
  return typeof value === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(value.replace(/\s+/g, ''))
}

function checkAdvanced({ attachments, requiredSignatures, timeToLive }: JsonObject, now: number): FieldError[] {
  const isCount = (value: unknown, max: number) =>
    value === undefined || value === null || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max)
  return [
    ...checkDeadline(objectIn(timeToLive).deadline, now),
    ...(isCount(objectIn(timeToLive).deleteAfterHours, MAX_KEPT_HOURS)
      ? []
      : [{ field: 'Advanced.TimeToLive.DeleteAfterHours', message: `It must be 0 to ${MAX_KEPT_HOURS} hours.` }]),
    ...(isCount(attachments, MAX_ATTACHMENTS)
      ? []
      : [{ field: 'Advanced.Attachments', message: `The number of attachments must be 0 to ${MAX_ATTACHMENTS}.` }]),
    ...(isCount(requiredSignatures, MAX_SIGNERS)
      ? []
      : [{ field: 'Advanced.RequiredSignatures', message: `The number of signatures must be 0 to ${MAX_SIGNERS}.` }]),
  ]
}

function checkDeadline(deadline: unknown, now: number): FieldError[] {
  if (deadline === undefined || deadline === null) return []
  const time = Date.parse(textIn(deadline))
  if (time > now && time <= now + MAX_LIFETIME_MS) return []
  return [{ field: 'Advanced.TimeToLive.Deadline', message: 'The deadline must be a time within the next 45 days.' }]
}

function checkRedirect(value: unknown, name: string, prefix: string): FieldError[] {
  const field = `${prefix}RedirectSettings.${pascal(name)}`
  if (textIn(value) === '') return [{ field, message: `The ${field} field is required for this redirect mode.` }]
  if (name === 'domain' || /^https?:\/\/\S+$/i.test(textIn(value))) return []
  return [{ field, message: `The ${field} field must be a URL.` }]
}

function pascal(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
