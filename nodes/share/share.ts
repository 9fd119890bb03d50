/** The operations on a share and its recipients after it was created (`docs/interface.md` 2.3). */
import { getShare } from '../../lib/api/shares'
import { apiNode, payloadOf } from '../../lib/runtime/node/api-node'
import type { Patch } from '../../lib/runtime/node/message-call'
import { layForm } from '../../lib/runtime/values/body'
import { refuseEmptyChange } from '../../lib/runtime/service/empty-change'
import { addRecipient, changeRecipient, getRecipient, listRecipients, notify, removeRecipient } from './recipients'
import { fields } from './share.fields'
import type { ShareCall } from './share-call'
import { standingOf } from './standing'

export = apiNode('eid-share', fields, (call) => operations[call.values.operation](call))

const operations: Record<ShareCall['values']['operation'], (call: ShareCall) => Promise<Patch>> = {
  get,
  list,
  change,
  delete: remove,
  listRecipients,
  getRecipient,
  addRecipient,
  changeRecipient,
  removeRecipient,
  notify,
}

async function get(call: ShareCall): Promise<Patch> {
  const { shareId = '' } = call.values
  const { data } = await getShare(call.api, call.client, shareId)
  const { key, ...params } = standingOf(data)
  call.setStatus(key, params)
  return { payload: data, shareId }
}

async function list(call: ShareCall): Promise<Patch> {
  const { data } = await call.api.send('listShares')
  call.setStatus('listed', { count: Array.isArray(data) ? data.length : 0 })
  return { payload: data }
}

async function change(call: ShareCall): Promise<Patch> {
  const { shareId, title, description, contactName, contactEmail, contactPhone, more } = call.values
  const contactDetails = { name: contactName, email: contactEmail, phone: contactPhone }
  const body = layForm(call.body({}), more, { title, description, contactDetails })
  refuseEmptyChange(call, body)
  const answer = await call.api.send('changeShare', { id: shareId, body })
  call.setStatus('changed')
  return { payload: payloadOf(answer, { id: shareId, operation: 'changeShare' }), shareId }
}

/** Deletes a share: it can no longer be opened, and its files are deleted. */
async function remove(call: ShareCall): Promise<Patch> {
  const { shareId } = call.values
  await call.api.send('deleteShare', { id: shareId })
  call.setStatus('deleted')
  return { payload: { id: shareId, operation: 'deleteShare' }, shareId }
}
