/**
 * The control room's actions on a share in its sender's place: notify a recipient again, remove one, delete the share.
 */
import type { Call, Handler, Route } from '../server/call'
import { textIn } from '../server/json'
import { deleteShare } from './change'
import { notifyRecipients, removeRecipient } from './recipient-calls'

const at = (action: string, handle: Handler): Route => {
  return { method: 'POST', path: `/sandbox/shares/:id/${action}`, admin: true, handle }
}

/** With `recipientId` in the body if a recipient is meant. */
export const shareRoomRoutes: readonly Route[] = [
  at('notify', asIfNamed(notifyRecipients)),
  at('remove', asIfNamed(removeRecipient)),
  at('delete', deleteShare),
]

/** The service's own call has the recipient in its path. */
function asIfNamed(handle: Handler): Handler {
  return (call: Call, world) => {
    const recipientId = textIn(call.json().recipientId)
    return handle({ ...call, param: (name) => (name === 'recipientId' ? recipientId : call.param(name)) }, world)
  }
}
