/** What signers are told by e-mail and SMS, as their `notifications.setup` says. */
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import { isTurn, nameOf } from './signers'
import type { Notice } from '../state/outbox'
import type { SentNotice, SignatureDocument, Signer } from './state'

/** Messages that the log of a document keeps. */
const MAX_LOGGED = 200

type Occasion = 'request' | 'reminder' | 'signatureReceipt' | 'finalReceipt' | 'canceled' | 'expired'

interface Wording {
  readonly subject: string
  readonly text: string
}

const english: Readonly<Record<Occasion, Wording>> = {
  request: { subject: 'Please sign', text: 'You have a document to sign:' },
  reminder: { subject: 'Reminder: please sign', text: 'This document still waits for your signature:' },
  signatureReceipt: { subject: 'You have signed', text: 'Your signature was received on:' },
  finalReceipt: { subject: 'Signed by everyone', text: 'All signatures are in place on:' },
  canceled: { subject: 'Canceled', text: 'You need not sign this document any more:' },
  expired: { subject: 'Expired', text: 'The deadline has passed for:' },
}

const norwegian: Readonly<Record<Occasion, Wording>> = {
  request: { subject: 'Til signering', text: 'Du har et dokument å signere:' },
  reminder: { subject: 'Påminnelse om signering', text: 'Dette dokumentet venter fortsatt på signaturen din:' },
  signatureReceipt: { subject: 'Du har signert', text: 'Signaturen din er mottatt på:' },
  finalReceipt: { subject: 'Signert av alle', text: 'Alle signaturer er på plass på:' },
  canceled: { subject: 'Avbrutt', text: 'Du trenger ikke lenger å signere dette dokumentet:' },
  expired: { subject: 'Utløpt', text: 'Fristen er ute for:' },
}

/** Asks every signer whose turn it has become, once each. */
export function askSigners(document: SignatureDocument, world: World): void {
  if (document.status !== 'unsigned' && document.status !== 'partialsigned') return
  for (const signer of document.signers) {
    if (signer.asked || signer.signature || !isTurn(signer, document)) continue
    signer.asked = true
    tellSigner('request', signer, document, world)
  }
}

/** Tells one signer, by the channel of the signer's settings, or by `channel`. */
export function tellSigner(
  occasion: Occasion,
  signer: Signer,
  document: SignatureDocument,
  world: World,
  channel = textIn(objectIn(objectIn(signer.requested.notifications).setup)[occasion]),
  overrides: { readonly email?: string; readonly mobile?: string } = {},
): void {
  const info = objectIn(signer.requested.signerInfo)
  const { countryCode, number } = objectIn(info.mobile)
  const email = overrides.email || textIn(info.email)
  const prefix = textIn(countryCode).replace(/^\+?/, '+')
  const mobile = overrides.mobile || (number === undefined ? '' : `${prefix} ${textIn(number)}`)
  const { subject, text } = wordingFor(signer)[occasion]
  const link = occasion === 'request' || occasion === 'reminder' ? signer.url : ''
  const draft = {
    name: nameOf(signer),
    subject: `${subject}: ${document.title}`,
    text: `${text} ${document.title}`,
    link,
  }
  const channels = [
    ...(/^send(email|both)$/i.test(channel) && email ? [{ channel: 'email', to: email } as const] : []),
    ...(/^send(sms|both)$/i.test(channel) && mobile ? [{ channel: 'sms', to: mobile } as const] : []),
  ]
  for (const one of channels) {
    world.send({ ...one, ...draft })
    document.sentNotices = [...document.sentNotices, logged(one, draft, world)].slice(-MAX_LOGGED)
  }
}

function logged({ channel, to }: Pick<Notice, 'channel' | 'to'>, draft: Wording, world: World): SentNotice {
  return {
    sentTimeStamp: world.clock.iso(),
    title: draft.subject,
    text: draft.text,
    messageType: channel === 'email' ? 'EMAIL' : 'SMS',
    status: 'SENT',
    fromAddress: channel === 'email' ? 'noreply@sandbox.example' : 'Sandbox',
    receiver: to,
  }
}

function wordingFor(signer: Signer): Readonly<Record<Occasion, Wording>> {
  return /^no$/i.test(textIn(objectIn(signer.requested.ui).language)) ? norwegian : english
}
