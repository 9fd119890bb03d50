/** The recipients of a share: adding, changing, removing, and sending the notice again. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { payloadOf } from '../../lib/runtime/node/api-node'
import type { Patch } from '../../lib/runtime/node/message-call'
import { layForm } from '../../lib/runtime/values/body'
import type { PlainObject } from '../../lib/common/plain-object'
import { refuseEmptyChange } from '../../lib/runtime/service/empty-change'
import { getPath } from '../../lib/runtime/values/read-text'
import {
  accessLists,
  blankIds,
  contradictions,
  hasAccessList,
  isLong,
  recipientProblems,
  valueProblems,
} from '../../lib/runtime/service/recipient-checks'
import { describedOf, recipientOf } from '../../lib/runtime/service/recipients'
import type { ShareCall } from './share-call'
import { hasFetched } from './standing'

export async function listRecipients(call: ShareCall): Promise<Patch> {
  const { shareId } = call.values
  const { data } = await call.api.send('listRecipients', { id: shareId })
  call.setStatus('found', { count: Array.isArray(data) ? data.length : 0 })
  return { payload: data, shareId }
}

export async function getRecipient(call: ShareCall): Promise<Patch> {
  const { data } = await call.api.send('getRecipient', { params: paramsOf(call) })
  call.setStatus(hasFetched(data) ? 'hasFetched' : 'hasNotFetched')
  return { payload: data, ...idsOf(call), ...linkIn(data) }
}

/**
 * Adds a recipient. The recipient is notified at once if all files have been uploaded, otherwise as soon as they have.
 */
export async function addRecipient(call: ShareCall): Promise<Patch> {
  const { values, client } = call
  const isInForm = Object.keys(describedOf(values, client)).length > 0
  const body = layForm(call.body({}), values.more, isInForm ? recipientOf(values, client) : {})
  const now = Date.now()
  call.check([...contradictions(values, ''), ...recipientProblems(body, '', now), ...accessProblems(call, body, true)])
  if (isLong(body, now)) call.warn('longExpiry')
  const { shareId } = values
  const answer = await call.api.send('addRecipient', { id: shareId, body })
  call.setStatus('recipientAdded')
  const payload = payloadOf(answer, { id: shareId, operation: 'addRecipient' })
  return { payload, shareId, recipientId: getPath(answer.data, 'id'), ...linkIn(answer.data) }
}

/** Changes a recipient. Values whose fields are empty in the form stay unchanged. */
export async function changeRecipient(call: ShareCall): Promise<Patch> {
  const { values, client } = call
  const body = layForm(call.body({}), values.more, describedOf(values, client))
  const now = Date.now()
  const wrong = [...contradictions(values, ''), ...valueProblems(body, '', now), ...accessProblems(call, body, false)]
  call.check(wrong)
  refuseEmptyChange(call, body)
  if (isLong(body, now)) call.warn('longExpiry')
  const answer = await call.api.send('changeRecipient', { params: paramsOf(call), body })
  call.setStatus('recipientChanged')
  const payload = payloadOf(answer, { id: values.recipientId, operation: 'changeRecipient' })
  return { payload, ...idsOf(call) }
}

/** Removes a recipient, whose link then stops working. */
export async function removeRecipient(call: ShareCall): Promise<Patch> {
  await call.api.send('removeRecipient', { params: paramsOf(call) })
  call.setStatus('recipientRemoved')
  return { payload: { id: call.values.recipientId, operation: 'removeRecipient' }, ...idsOf(call) }
}

export async function notify(call: ShareCall): Promise<Patch> {
  const answer = await call.api.send('notifyRecipients', { params: paramsOf(call) })
  call.setStatus('notified')
  const payload = payloadOf(answer, { id: call.values.recipientId, operation: 'notifyRecipients' })
  return { payload, ...idsOf(call) }
}

function paramsOf({ values: { shareId = '', recipientId = '' } }: ShareCall) {
  return { id: shareId, recipientId }
}

function idsOf({ values: { shareId, recipientId } }: ShareCall): Patch {
  return { shareId, recipientId }
}

/** Returns the recipient's link, if the service returns it. */
function linkIn(recipient: unknown): Patch {
  const url = getPath(recipient, 'url')
  return typeof url === 'string' ? { url } : {}
}

/**
 * Finds faults in the access list. An empty list lets the recipient see everything, so it is refused unless the form
 * allows it: the content of the share is not known here.
 */
function accessProblems({ values }: ShareCall, body: PlainObject, isNew: boolean): ProblemKey[] {
  if (isNew && !hasAccessList(body)) return [{ path: 'uploads', key: 'missing' }]
  return accessLists(body, '').flatMap(({ path, list }) => {
    if (!Array.isArray(list)) return [{ path, key: 'array' }]
    return list.length === 0 && !values.seeEverything ? [{ path, key: 'everything' }] : blankIds(list, path)
  })
}
