/** The e-mails and SMS around shares: to recipients, and to the owner. */
import { chooseLanguage, type PageLanguage } from '../pages/languages'
import { objectIn, objectsIn, textIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { nameOf, pageUrl } from './record'
import type { Recipient, Share } from './state'

interface Wording {
  readonly subject: string
  readonly request: string
  readonly reminder: string
}

const texts: Readonly<Record<PageLanguage, Wording>> = {
  en: { subject: 'Something has been shared with you', request: 'has been shared with you', reminder: 'awaits you' },
  no: { subject: 'Noen har delt noe med deg', request: 'er delt med deg', reminder: 'venter på deg' },
}

/** Notifies every recipient of the share, as `notification.setup.request` says. */
export function announce(world: World, share: Share): void {
  for (const recipient of share.recipients) invite(world, share, recipient)
}

/** Notifies one recipient of the share, as `notification.setup.request` says. */
export function invite(world: World, share: Share, recipient: Recipient): void {
  tell(world, share, recipient, 'request')
}

/** Reminds a recipient who has not opened everything, as `notification.setup.reminder` says. */
export function remind(world: World, share: Share, recipient: Recipient): void {
  const opened = recipient.content.every(({ id }) => recipient.opened.has(id))
  if (share.announced && !opened) tell(world, share, recipient, 'reminder')
}

/**
 * Notifies the owner of the share that a recipient has identified. The owner is each of the `senders` who want such
 * notices or, if there are no such senders, the share's contact.
 */
export function tellOwner(world: World, share: Share, recipient: Recipient): void {
  const subject = 'A recipient has identified'
  const text = `${nameOf(recipient)} has proved their identity for “${textIn(share.information.title)}”.`
  const senders = share.senders.filter(({ notificationType }) => channelsOf(notificationType).length > 0)
  const owners = senders.length > 0 ? senders : ownersByContact(share.contactDetails)
  for (const owner of owners) {
    for (const channel of channelsOf(owner.notificationType)) {
      const to = channel === 'email' ? textIn(owner.email) : phoneOf(owner.mobile)
      if (to) world.send({ channel, to, subject, text })
    }
  }
}

function ownersByContact(contact: JsonObject | undefined): readonly JsonObject[] {
  return objectsIn(contact?.email ? [{ email: contact.email, notificationType: 'SendEmail' }] : [])
}

function tell(world: World, share: Share, recipient: Recipient, occasion: 'request' | 'reminder'): void {
  const { setup, language } = recipient.notification ?? {}
  // The default language is Norwegian, as in the service.
  const words = texts[chooseLanguage({}, textIn(language) || 'NO')]
  const text = `“${textIn(share.information.title)}” ${words[occasion]}. ${textIn(share.information.description)}`
  const link = pageUrl(recipient, world)
  for (const channel of channelsOf(objectIn(setup)[occasion])) {
    const to = channel === 'email' ? recipient.email : phoneOf(recipient.mobile)
    world.send({ channel, to, name: nameOf(recipient), subject: words.subject, text, link })
  }
}

function phoneOf(mobile: unknown): string {
  if (typeof mobile === 'string') return mobile
  const { countryCode, number } = objectIn(mobile)
  return `+${textIn(countryCode).replace('+', '')}${textIn(number).replace(/ /g, '')}`
}

function channelsOf(setting: unknown): ('email' | 'sms')[] {
  const channel = textIn(setting).toLowerCase()
  if (channel === 'sendboth') return ['email', 'sms']
  return channel === 'sendemail' ? ['email'] : channel === 'sendsms' ? ['sms'] : []
}
