/** The sender's own e-mails and SMS (`notification` of a document), with their merge fields filled in. */
import { objectIn, objectsIn, textIn, type JsonObject } from '../server/json'
import type { Occasion, Wording } from './notice-texts'
import { nameOf } from './signers'
import type { SignatureDocument, Signer } from './state'

/** The name of each occasion in the settings. */
const sections: Readonly<Record<Occasion, string>> = {
  request: 'signRequest',
  reminder: 'reminder',
  signatureReceipt: 'signatureReceipt',
  finalReceipt: 'finalReceipt',
  canceled: 'canceledReceipt',
  expired: 'expiredReceipt',
}

/** The document's settings for an occasion; may be empty. */
export function sectionOf({ requested }: SignatureDocument, occasion: Occasion): JsonObject {
  return objectIn(objectIn(requested.notification)[sections[occasion]])
}

/**
 * The sender's own text in this language, or else the first of the sender's texts; undefined if the sender has no text.
 */
export function ownWording(
  channel: 'email' | 'sms',
  occasion: Occasion,
  document: SignatureDocument,
  language: string,
  signer?: Signer,
): (Partial<Wording> & { readonly from: string }) | undefined {
  const texts = objectsIn(sectionOf(document, occasion)[channel])
  const own = texts.find((one) => textIn(one.language).toLowerCase() === language.toLowerCase()) ?? texts[0]
  if (!own) return undefined
  const fields = mergeFields(document, signer)
  const fill = (value: unknown) => fillIn(textIn(value), fields) || undefined
  return { subject: fill(own.subject), text: fill(own.text), from: textIn(own.senderName ?? own.sender) }
}

function mergeFields(document: SignatureDocument, signer?: Signer): ReadonlyMap<string, string> {
  const { signedTime = '', signatureMethod = '', fullName = '' } = signer?.signature ?? {}
  const named = Object.entries(objectIn(objectIn(signer?.requested.notifications).mergeFields))
  return new Map<string, string>([
    ['document-title', document.title],
    ['document-description', document.description],
    ['signable-document-titles', document.title],
    ['readonly-document-titles', ''],
    ['deadline', document.deadline],
    ['signed-time', signedTime.slice(11, 19)],
    ['signed-date', signedTime.slice(0, 10).split('-').reverse().join('.')],
    ['signed-name', fullName || (signer ? nameOf(signer) : '')],
    ['signature-method', signatureMethod],
    ['url', signer?.url ?? ''],
    ...named.map(([name, value]) => [name.replace(/^\{|\}$/g, ''), textIn(value)] as const),
  ])
}

/** Fills in the merge fields of a text; an unknown field stays as it is. */
function fillIn(text: string, fields: ReadonlyMap<string, string>): string {
  return text.replace(/\{([\w-]+)\}/g, (whole, name: string) => fields.get(name) ?? whole)
}
