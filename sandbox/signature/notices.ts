/** Notices to signers by e-mail and SMS, according to their `notifications.setup`. */
import { objectIn, objectsIn, textIn } from '../server/json'
import type { World } from '../world'
import { chooseLanguage } from '../pages/languages'
import { noticeTexts, type Occasion, type Wording } from './notice-texts'
import { ownWording, sectionOf } from './own-texts'
import { isTurn, nameOf } from './signers'
import type { Notice } from '../state/outbox'
import type { SentNotice, SignatureDocument, Signer } from './state'

/** Maximum messages in the log of a document. */
const MAX_LOGGED = 200

/** Notifies every signer whose turn it is, unless the signer was notified before. */
export function askSigners(document: SignatureDocument, world: World): void {
  if (document.status !== 'unsigned' && document.status !== 'partialsigned') return
  for (const signer of document.signers) {
    if (signer.asked || signer.signature || !isTurn(signer, document)) continue
    signer.asked = true
    tellSigner('request', signer, document, world)
  }
}

/** Notifies one signer by the channel in the signer's settings, or by `channel` if it is given. */
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
  const link = occasion === 'request' || occasion === 'reminder' ? signer.url : ''
  const channels = [
    ...(/^send(email|both)$/i.test(channel) && email ? [{ channel: 'email', to: email } as const] : []),
    ...(/^send(sms|both)$/i.test(channel) && mobile ? [{ channel: 'sms', to: mobile } as const] : []),
  ]
  const language = textIn(objectIn(signer.requested.ui).language)
  for (const one of channels) {
    const wording = wordingOf(one.channel, occasion, document, language, signer)
    if (one.channel === 'email' && link) signer.mail = 'sent'
    send({ ...one, name: nameOf(signer), link }, wording, document, world)
  }
}

/** Sends the signed file to the people who get a copy but do not sign. */
export function tellOthers(document: SignatureDocument, world: World): void {
  for (const { email, language } of objectsIn(sectionOf(document, 'finalReceipt').additionalRecipients)) {
    const wording = wordingOf('email', 'finalReceipt', document, textIn(language))
    send({ channel: 'email', to: textIn(email), name: '', link: '' }, wording, document, world)
  }
}

interface Words extends Wording {
  readonly from: string
}

/**
 * The wording of a notice: the sender's own text if there is one, otherwise the service's text. If a file is attached,
 * the text ends with the file's name.
 */
function wordingOf(
  channel: Notice['channel'],
  occasion: Occasion,
  document: SignatureDocument,
  language: string,
  signer?: Signer,
): Words {
  const { subject, text } = noticeTexts[chooseLanguage({}, language)][occasion]
  const own = ownWording(channel, occasion, document, language || 'EN', signer)
  const { includeOriginalFile, includeSignedFile } = sectionOf(document, occasion)
  const attached = channel === 'email' && (includeOriginalFile === true || includeSignedFile === true)
  const said = own?.text ?? `${text} ${document.title}`
  return {
    subject: own?.subject ?? `${subject}: ${document.title}`,
    text: attached ? `${said} [${document.fileName}]` : said,
    from: own?.from || (channel === 'email' ? 'noreply@sandbox.example' : 'Sandbox'),
  }
}

function send(
  to: Pick<Notice, 'channel' | 'to' | 'name' | 'link'>,
  { from, ...wording }: Words,
  document: SignatureDocument,
  world: World,
): void {
  world.send({ ...to, ...wording })
  document.sentNotices = [...document.sentNotices, logged(to, { from, ...wording }, world)].slice(-MAX_LOGGED)
}

function logged({ channel, to }: Pick<Notice, 'channel' | 'to'>, draft: Words, world: World): SentNotice {
  return {
    sentTimeStamp: world.clock.iso(),
    title: draft.subject,
    text: draft.text,
    messageType: channel === 'email' ? 'EMAIL' : 'SMS',
    status: 'SENT',
    fromAddress: draft.from,
    receiver: to,
  }
}
