/** Finds texts that no signer gets: the document is created, but the text is never sent. */
import type { PlainObject } from '../../lib/common/plain-object'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import type { Occasion } from './lists.fields'
import { places } from './texts'

/** Why a signer does not get a text; these are keys of the texts `unreached`. */
type Reason = 'notNotified' | 'onlySms' | 'onlyEmail' | 'language'

interface Unreached {
  readonly occasion: Occasion
  /** For each signer, in order, the reason why the texts do not reach the signer. */
  readonly reasons: readonly { readonly key: Reason; readonly language: string }[]
}

/** Returns the occasions whose texts reach no signer. */
export function unreachedTexts(body: PlainObject): Unreached[] {
  if (body.notification === undefined) return []
  const signers = listAt(body, 'signers')
  return (Object.keys(places) as Occasion[]).flatMap((occasion) => {
    const section = getPath(body, `notification.${places[occasion].section}`)
    const texts = { email: languagesOf(section, 'email'), sms: languagesOf(section, 'sms') }
    if (texts.email.length + texts.sms.length === 0 || signers.length === 0) return []
    // On this occasion, the service also e-mails copies of the signed file. These e-mails contain the occasion's e-mail
    // text, so the text is used.
    if (texts.email.length > 0 && listAt(section, 'additionalRecipients').length > 0) return []
    const found = signers.map((signer) => reasonFor(signer, places[occasion].setup, texts))
    const reasons = found.flatMap((one) => one ?? [])
    return reasons.length === signers.length ? [{ occasion, reasons }] : []
  })
}

interface Texts {
  readonly email: readonly string[]
  readonly sms: readonly string[]
}

const languagesOf = (section: unknown, channel: string) =>
  listAt(section, channel).map((one) => textAt(one, 'language').toLowerCase())

function reasonFor(signer: unknown, setup: string, { email, sms }: Texts) {
  const channel = textAt(signer, `notifications.setup.${setup}`).toLowerCase()
  const language = textAt(signer, 'ui.language')
  const byEmail = /^send(email|both)$/.test(channel) && textAt(signer, 'signerInfo.email') !== ''
  const bySms = /^send(sms|both)$/.test(channel) && textAt(signer, 'signerInfo.mobile.number') !== ''
  const reason = (key: Reason) => ({ key, language })
  if (!byEmail && !bySms) return reason('notNotified')
  const languages = [...(byEmail ? email : []), ...(bySms ? sms : [])]
  if (languages.length === 0) return reason(byEmail ? 'onlySms' : 'onlyEmail')
  // The service falls back to English. It is not documented which language a signer without a language gets, so any
  // text counts.
  const isRead = language === '' || languages.some((one) => one === 'en' || one === language.toLowerCase())
  return isRead ? undefined : reason('language')
}
