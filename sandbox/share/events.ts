/** Reports to the event queue what happened to a share. */
import { textIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import type { Recipient, Share } from './state'

/** Events of shares have PascalCase names. */
export function emitShare(
  world: World,
  share: Share,
  type: string,
  recipient?: Recipient,
  more: JsonObject = {},
): void {
  const Id = share.id
  const ExternalId = textIn(share.information.externalId)
  const who = recipient && { RecipientId: recipient.id, RecipientExternalId: recipient.externalId }
  world.emit(type, { Id, ExternalId, ...who, ...more }, share.tags)
}
