/** The calls for an existing share: list, change, delete. */
import { invalid } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { checkEmail } from '../server/check'
import { objectIn, textIn } from '../server/json'
import type { World } from '../world'
import { emitShare } from './events'
import { removeFiles, unplan } from './expiry'
import { shareRecord } from './record'
import { findShare, refuseOver } from './upload'

/** `GET /share/buckets`: a plain array, oldest first. */
export function listShares(_call: Call, world: World): Answer {
  return { json: [...world.share.shares.values()].map((share) => shareRecord(share, world)) }
}

/** `PATCH /share/buckets/{id}` {title, description, contactDetails}: returns the record. */
export function changeShare(call: Call, world: World): Answer {
  const share = findShare(call, world)
  const { title, description, contactDetails } = call.json()
  const texts = { title, description }
  const empty = Object.entries(texts).filter(([, text]) => text !== undefined && textIn(text) === '')
  const errors = [
    ...empty.map(([field]) => ({ field, message: `The field ${field} must be a text.` })),
    ...checkEmail(objectIn(contactDetails).email, 'contactDetails.email'),
  ]
  if (errors.length > 0) throw invalid(errors)
  refuseOver(share)
  const changed = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined))
  share.information = { ...share.information, ...changed }
  if (contactDetails !== undefined) share.contactDetails = { ...share.contactDetails, ...objectIn(contactDetails) }
  return { json: shareRecord(share, world) }
}

/**
 * `DELETE /share/buckets/{id}`: the share can no longer be opened, and its files are removed. The record stays, marked
 * as deleted.
 */
export async function deleteShare(call: Call, world: World): Promise<Answer> {
  const share = findShare(call, world)
  refuseOver(share)
  share.deleted = true
  unplan(share)
  emitShare(world, share, 'share_deleted')
  await removeFiles(world, share)
  return { json: {} }
}
