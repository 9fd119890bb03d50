/** What the service refuses in a request for a document, with its own field names. */
import type { FieldError } from '../server/answers'
import { objectIn, objectsIn, textIn, type JsonObject } from '../server/json'

/** Milliseconds a document may wait for its signatures at most, and does unless told otherwise. */
export const LONGEST_LIFE = 45 * 24 * 3600 * 1000

const MOST_SIGNERS = 20
const extensions = ['.pdf', '.xml', '.txt', '.doc', '.docx', '.rtf', '.ott', '.odt']

/** Redirect modes, and what each needs to be of use. */
const redirectModes: Readonly<Record<string, readonly string[]>> = {
  donot_redirect: [],
  redirect: ['success', 'cancel', 'error'],
  iframe_with_webmessaging: ['domain'],
  iframe_with_redirect: ['success', 'cancel', 'error'],
  iframe_with_redirect_and_webmessaging: ['domain', 'success', 'cancel', 'error'],
}

/** Every field that is wrong; empty for a good request. `now` is in milliseconds. */
export function checkDocument(body: JsonObject, now: number): FieldError[] {
  const contact = objectIn(body.contactDetails)
  const signers = objectsIn(body.signers)
  return [
    ...length('Title', body.title, 0, 300),
    ...length('ExternalId', body.externalId, 4, 255),
    ...length('ContactDetails.Email', contact.email, 3, 320),
    ...checkFile(body),
    ...checkDeadline(objectIn(objectIn(body.advanced).timeToLive).deadline, now),
    ...(signers.length < 1 || signers.length > MOST_SIGNERS
      ? [{ field: 'Signers', message: `There must be 1 to ${MOST_SIGNERS} signers.` }]
      : []),
    ...signers.flatMap((signer, index) => checkSigner(signer, `Signers[${index}]`)),
  ]
}

/** How many attachments the document waits for. */
export function attachmentsOf(body: JsonObject): number {
  const count = Number(objectIn(body.advanced).attachments ?? 0)
  return count > 0 ? count : 0
}

function length(field: string, value: unknown, least: number, most: number): FieldError[] {
  if (value === undefined || value === null) return [{ field, message: `The ${field} field is required.` }]
  const ok = typeof value === 'string' && value.length >= least && value.length <= most
  return ok ? [] : [{ field, message: `The ${field} field must be a text of ${least} to ${most} characters.` }]
}

function checkFile(body: JsonObject): FieldError[] {
  if (body.dataToSign === undefined && attachmentsOf(body) > 0) return []
  const file = objectIn(body.dataToSign)
  const { base64Content: content, fileName } = file
  const good = typeof content === 'string' && content !== '' && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(content)
  const named = length('DataToSign.FileName', fileName, 3, 100)
  const accepted = extensions.some((extension) => textIn(fileName).toLowerCase().endsWith(extension))
  return [
    ...(good ? [] : [{ field: 'DataToSign.Base64Content', message: 'The content must be base64 and not empty.' }]),
    ...named,
    ...(named.length > 0 || accepted
      ? []
      : [{ field: 'DataToSign.FileName', message: `The file name must end in one of ${extensions.join(' ')}` }]),
  ]
}

function checkDeadline(deadline: unknown, now: number): FieldError[] {
  if (deadline === undefined || deadline === null) return []
  const time = Date.parse(textIn(deadline))
  if (time > now && time <= now + LONGEST_LIFE) return []
  return [{ field: 'Advanced.TimeToLive.Deadline', message: 'The deadline must be a time within the next 45 days.' }]
}

function checkSigner(signer: JsonObject, field: string): FieldError[] {
  const redirect = objectIn(signer.redirectSettings)
  const mode = textIn(redirect.redirectMode)
  const needs = Object.hasOwn(redirectModes, mode) ? redirectModes[mode] : undefined
  return [
    ...length(`${field}.ExternalSignerId`, signer.externalSignerId, 4, 255),
    ...length(`${field}.SignatureType.Mechanism`, objectIn(signer.signatureType).mechanism, 1, 100),
    ...(needs
      ? needs.flatMap((need) => checkRedirect(redirect[need], need, field))
      : [{ field: `${field}.RedirectSettings.RedirectMode`, message: 'The redirect mode is missing or unknown.' }]),
  ]
}

function checkRedirect(value: unknown, name: string, signer: string): FieldError[] {
  const field = `${signer}.RedirectSettings.${name.charAt(0).toUpperCase()}${name.slice(1)}`
  if (textIn(value) === '') return [{ field, message: `The ${field} field is required for this redirect mode.` }]
  if (name === 'domain' || /^https?:\/\/\S+$/i.test(textIn(value))) return []
  return [{ field, message: `The ${field} field must be a URL.` }]
}
