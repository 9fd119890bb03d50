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

const hour = 3_600_000

async function get(call: SessionCall): Promise<Patch> {
  const { sessionId: id, apiVersion } = call.values
  const { data } =
    apiVersion === 'v1'
      ? await call.api.send('v1GetSession', { query: { requestId: id } })
      : await call.api.send('getSession', { id })
  const status = statusIn(data)
  if (status) call.say('state', { state: status })
  const deleted = status === 'success' && at(data, 'identity') === undefined && age(data) > hour
  if (deleted) call.warn('deleted')
  return { payload: data, sessionId: id, status, ...(deleted && { sensitiveDataDeleted: true }) }
}

/** Milliseconds since the session was created, by this machine's clock. */
const age = (data: unknown) => Date.now() - Date.parse(String(at(data, 'created')))

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
