/**
 * The calls for the recipients of a share: an added recipient is notified and gets access, a removed recipient loses
 * access.
 */
import { invalid, notAllowed, notFound } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { overlay, type JsonObject } from '../server/json'
import type { World } from '../world'
import { recipientProblems } from './check'
import { readRecipient, recipientSettings } from './create'
import { planExpiry } from './expiry'
import { invite } from './notices'
import { recipientRecord } from './record'
import type { Recipient, Share } from './state'
import { findShare, refuseOver } from './upload'

/** `GET /share/buckets/{id}/recipients` */
export function listRecipients(call: Call, world: World): Answer {
  const share = findShare(call, world)
  return { json: share.recipients.map((recipient) => recipientRecord(recipient, share, world)) }
}

/** `GET …/recipients/{recipientId}` */
export function getRecipient(call: Call, world: World): Answer {
  const share = findShare(call, world)
  return { json: recipientRecord(findRecipient(call, share), share, world) }
}

/** `POST …/recipients` with a recipient, who is notified at once if the files are already uploaded. */
export function addRecipient(call: Call, world: World): Answer {
  const share = findShare(call, world)
  const requested = call.json()
  refuseWrong(requested, share, world)
  refuseOver(share)
  const recipient = readRecipient(requested, share.content)
  share.recipients = [...share.recipients, recipient]
  world.share.pages.set(recipient.token, { share, recipient })
  planExpiry(world, share)
  if (share.announced) invite(world, share, recipient)
  return { json: recipientRecord(recipient, share, world) }
}

/** `PATCH …/recipients/{recipientId}` with the changes. */
export function changeRecipient(call: Call, world: World): Answer {
  const share = findShare(call, world)
  const recipient = findRecipient(call, share)
  const requested = overlay(recipient.requested, sameSpelling(call.json(), recipient.requested))
  refuseWrong(requested, share, world)
  refuseOver(share)
  Object.assign(recipient, recipientSettings(requested, share.content))
  planExpiry(world, share)
  return { json: recipientRecord(recipient, share, world) }
}

/** `DELETE …/recipients/{recipientId}`: the link no longer works. */
export function removeRecipient(call: Call, world: World): Answer {
  const share = findShare(call, world)
  const recipient = findRecipient(call, share)
  refuseOver(share)
  if (share.recipients.length === 1) throw notAllowed('The last recipient cannot be removed; delete the share.')
  share.recipients = share.recipients.filter((one) => one !== recipient)
  world.share.pages.delete(recipient.token)
  planExpiry(world, share)
  return { json: {} }
}

/** `POST …/resendNotificationToRecipient/{recipientId}`: notifies the recipient again. */
export function notifyRecipients(call: Call, world: World): Answer {
  const share = findShare(call, world)
  const recipient = findRecipient(call, share)
  refuseOver(share)
  if (!share.announced) throw notAllowed('The files of this share are not all in yet.', 'SHARE_INCOMPLETE')
  invite(world, share, recipient)
  return { json: {} }
}

function findRecipient(call: Call, share: Share): Recipient {
  const recipient = share.recipients.find(({ id }) => id === call.param('recipientId'))
  if (!recipient) throw notFound('recipient')
  return recipient
}

function refuseWrong(requested: JsonObject, { content }: Share, world: World): void {
  const ids = content.map(({ id }) => id)
  const errors = recipientProblems(requested, ids, world.clock.now(), '')
  if (errors.length > 0) throw invalid(errors)
}

/**
 * Gives the fields of a change the same spelling as when the recipient was created. The fields for the first name, the
 * last name and the list of files each have two spellings.
 */
function sameSpelling(changes: JsonObject, before: JsonObject): JsonObject {
  const pairs = [
    ['firstName', 'firstname'],
    ['lastName', 'lastname'],
    ['uploads', 'content'],
  ] as const
  const renamed = pairs.flatMap(([one, other]) => {
    const value = changes[one] ?? changes[other]
    return value === undefined ? [] : [[one in before ? one : other, value] as const]
  })
  const rest = Object.entries(changes).filter(
    ([name]) => !pairs.some((pair) => (pair as readonly string[]).includes(name)),
  )
  return Object.fromEntries([...rest, ...renamed]) as JsonObject
}
