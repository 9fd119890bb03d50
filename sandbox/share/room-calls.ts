/**
 * The control room's actions on a share, in the sender's place: notify a recipient again, remove a recipient, delete
 * the share.
 */
import type { Call, Handler, Route } from '../server/call'
import { textIn } from '../server/json'
import { deleteShare } from './change'
import { notifyRecipients, removeRecipient } from './recipient-calls'

const at = (action: string, handle: Handler): Route => {
  return { method: 'POST', path: `/sandbox/shares/:id/${action}`, admin: true, handle }
}

/**
 * The routes of the control room's actions on a share. The body contains `recipientId` for an action on a recipient.
 */
export const shareRoomRoutes: readonly Route[] = [
  at('notify', asIfNamed(notifyRecipients)),
  at('remove', asIfNamed(removeRecipient)),
  at('delete', deleteShare),
]

/** Passes `recipientId` on as a path parameter, because the service's own calls read the id from their path. */
function asIfNamed(handle: Handler): Handler {
  return (call: Call, world) => {
    const recipientId = textIn(call.json().recipientId)
    return handle({ ...call, param: (name) => (name === 'recipientId' ? recipientId : call.param(name)) }, world)
  }
}
