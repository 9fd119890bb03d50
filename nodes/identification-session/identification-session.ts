/** Identification sessions: create, get, list, invalidate, in the current and the older version (`docs/interface.md` 4.7, 4.8). */
import { apiNode, payloadOf, type Patch } from '../../lib/runtime/api-node'
import { at } from '../../lib/runtime/words'
import type { SessionCall } from './call'
import { create, statusIn } from './create'
import { fields } from './identification-session.fields'
import { list } from './list'

export = apiNode('eid-identification-session', fields, (call) => operations[call.values.operation](call))

const operations: Record<SessionCall['values']['operation'], (call: SessionCall) => Promise<Patch>> = {
  create,
  get,
  list,
  invalidate,
}

async function get(call: SessionCall): Promise<Patch> {
  const { sessionId: id, apiVersion } = call.values
  const { data } =
    apiVersion === 'v1'
      ? await call.api.send('v1GetSession', { query: { requestId: id } })
      : await call.api.send('getSession', { id })
  const status = statusIn(data)
  if (status) call.say('state', { state: status })
  // A session that succeeded always has an identity, until the service deletes it an hour after it was created.
  const deleted = apiVersion === 'v2' && status === 'success' && at(data, 'identity') === undefined
  if (deleted) call.warn('deleted')
  return { payload: data, sessionId: id, status, ...(deleted && { sensitiveDataDeleted: true }) }
}

async function invalidate(call: SessionCall): Promise<Patch> {
  const { sessionId: id, apiVersion } = call.values
  // The misspelt name is the service's own.
  const answer =
    apiVersion === 'v1'
      ? await call.api.send('v1InvalidateSession', { query: { requetsId: id } })
      : await call.api.send('invalidateSession', { id })
  call.say('invalidated')
  const payload = payloadOf(answer, {
    id,
    operation: apiVersion === 'v1' ? 'v1InvalidateSession' : 'invalidateSession',
  })
  return { payload, sessionId: id, status: 'invalidated' }
}
