/** What signers are told by e-mail and SMS, as their `notifications.setup` says. */
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import { chooseLanguage } from '../pages/languages'
import { noticeTexts, type Occasion, type Wording } from './notice-texts'
import { isTurn, nameOf } from './signers'
import type { Notice } from '../state/outbox'
import type { SentNotice, SignatureDocument, Signer } from './state'

/** Messages that the log of a document keeps. */
const MAX_LOGGED = 200

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

/** In the language of the signer's page; English when it is none of the service's. */
function wordingFor({ requested }: Signer): Readonly<Record<Occasion, Wording>> {
  return noticeTexts[chooseLanguage({}, textIn(objectIn(requested.ui).language))]
}
