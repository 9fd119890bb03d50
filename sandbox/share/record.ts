/** A share in the service's format. */
import type { World } from '../world'
import type { Recipient, Share } from './state'

export function shareRecord(share: Share, world: World): Record<string, unknown> {
  const { id, created, information, content, recipients, contactDetails, senders, tags } = share
  return {
    id,
    information,
    content: content.map(({ id, name, type }) => ({ id, name, type })),
    recipients: recipients.map((recipient) => recipientRecord(recipient, share, world)),
    uploadedDocuments: content.filter(({ file }) => file).length,
    created,
    done: share.announced && recipients.every((one) => isDone(one, world)),
    deleted: share.deleted,
    contactDetails,
    senders,
    advanced: { tags },
  }
}

/** Whether a recipient has opened everything, or can no longer do so because the access has ended. */
function isDone({ content, opened, expires }: Recipient, world: World): boolean {
  return expires <= world.clock.now() || content.every(({ id }) => opened.has(id))
}

/** The record of a recipient, returned by the calls for recipients and as part of the share's record. */
export function recipientRecord(recipient: Recipient, share: Share, world: World): Record<string, unknown> {
  const { id, firstName, lastName, email, mobile, externalId, opened, oneTimeLogin } = recipient
  return {
    id,
    firstName,
    lastName,
    email,
    expires: recipient.expiresText,
    mobile,
    externalId: externalId || undefined,
    url: share.announced ? pageUrl(recipient, world) : undefined,
    content: recipient.content.map((one) => ({
      id: one.id,
      name: one.name,
      opened: opened.has(one.id),
      openedDate: opened.get(one.id),
    })),
    authentication: recipient.authentication,
    notification: recipient.notification,
    oneTimeLogin,
  }
}

/** The recipient's link. */
export function pageUrl({ token }: Recipient, world: World): string {
  return `${world.url}/shared/${token}`
}

export function nameOf({ firstName, lastName }: Recipient): string {
  return `${firstName} ${lastName}`
}
