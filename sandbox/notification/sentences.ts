/** Events as sentences for people: what happened to what, and who did it. */
import { tenantName } from '../deposit/record'
import { objectIn, textIn, type JsonObject } from '../server/json'
import { nameOf as nameOfRecipient } from '../share/record'
import { nameOf } from '../signature/signers'
import type { World } from '../world'
import type { ServiceEvent } from './state'

/** `{what}` is the object's name, `{who}` the person's. */
const sentences: Readonly<Record<string, readonly [string, string]>> = {
  document_created: ['{what} was created.', '{what} ble opprettet.'],
  document_link_opened: ['{who} opened {what}.', '{who} åpnet {what}.'],
  document_read: ['{who} has read {what}.', '{who} har lest {what}.'],
  document_partially_signed: [
    '{who} signed {what}; others still have to sign.',
    '{who} signerte {what}. Flere må signere.',
  ],
  document_signed: ['{what} is signed by everyone.', '{what} er signert av alle.'],
  document_packaged: ['The signed file of {what} is ready.', 'Den signerte filen for {what} er klar.'],
  document_canceled: ['{what} was canceled.', '{what} ble trukket tilbake.'],
  document_before_deleted: ['{what} is about to be deleted.', '{what} blir snart slettet.'],
  document_deleted: ['{what} was deleted.', '{what} ble slettet.'],
  document_email_opened: ['{who} opened the e-mail about {what}.', '{who} åpnet e-posten om {what}.'],
  document_form_partially_signed: [
    '{who} signed the form {what}; others still have to sign.',
    '{who} signerte skjemaet {what}. Flere må signere.',
  ],
  document_form_signed: ['The form {what} is signed by everyone.', 'Skjemaet {what} er signert av alle.'],
  document_expired: ['The deadline of {what} has passed.', 'Fristen for {what} er ute.'],
  resource_created: ['The look-up for {what} is done.', 'Oppslaget for {what} er ferdig.'],
  share_created: ['{what} was registered.', '{what} ble registrert.'],
  share_recipients_authenticated: [
    '{who} proved their identity for {what}.',
    '{who} identifiserte seg for å åpne {what}.',
  ],
  share_recipient_downloaded: ['{who} downloaded from {what}.', '{who} lastet ned fra {what}.'],
  share_downloaded: ['Everyone has downloaded {what}.', 'Alle har lastet ned {what}.'],
  share_expired: ['The access to {what} has ended.', 'Tilgangen til {what} er utløpt.'],
  share_deleted: ['{what} was deleted.', '{what} ble slettet.'],
  deposit_created: ['The deposit of {what} was created.', 'Depositumet til {what} ble opprettet.'],
  deposit_bank_account_created: [
    'The account for the deposit of {what} is open.',
    'Kontoen for depositumet til {what} er åpnet.',
  ],
  deposit_partially_funded: ['The deposit of {what} is partly paid in.', 'Depositumet til {what} er delvis innbetalt.'],
  deposit_fully_funded: ['The deposit of {what} is fully paid in.', 'Depositumet til {what} er fullt innbetalt.'],
  deposit_terminated: ['The deposit of {what} has ended.', 'Depositumet til {what} er avsluttet.'],
}

/** The event in words, or its type if there is no sentence for it. Plain text, not yet escaped. */
export function sentenceOf({ type, payload, tags }: ServiceEvent, world: World, language: 'en' | 'nb'): string {
  const [english, norwegian] = sentences[type] ?? [type, type]
  const isNorwegian = language === 'nb'
  const quote = (title: string) => (isNorwegian ? `«${title}»` : `“${title}”`)
  const { what, who } = namesIn(payload, world, quote)
  const sentence = isNorwegian ? norwegian : english
  const somebody = isNorwegian ? 'Noen' : 'Someone'
  const filled = sentence.replace('{what}', () => what).replace('{who}', () => who || somebody)
  return tags?.includes('mock') ? `${filled} (mock)` : filled
}

interface Names {
  readonly what: string
  /** Empty if the event is about no particular person. */
  readonly who: string
}

function namesIn(payload: JsonObject, world: World, quote: (title: string) => string): Names {
  const document = world.signature.documents.get(textIn(payload.documentId))
  if (document) {
    const signer = document.signers.find(({ id }) => id === objectIn(payload.signer).id)
    return { what: quote(document.title), who: signer ? nameOf(signer) : '' }
  }
  const share = world.share.shares.get(textIn(payload.Id))
  if (share) {
    const recipient = share.recipients.find(({ id }) => id === payload.RecipientId)
    return { what: quote(textIn(share.information.title)), who: recipient ? nameOfRecipient(recipient) : '' }
  }
  const deposit = world.deposit.deposits.get(textIn(payload.depositId))
  if (deposit) return { what: deposit.tenants.map(tenantName).join(', '), who: '' }
  return { what: textIn(payload.depositId ?? payload.documentId ?? payload.Id), who: '' }
}
