/** Identification sessions in both versions: create, get, list, invalidate (`docs/interface.md` 4.7, 4.8). */
import type { Answer } from '../../lib/api/call/call'
import { identityIn } from '../../lib/api/sessions'
import { isAbsent } from '../../lib/api/errors/errors'
import { apiNode, payloadOf } from '../../lib/runtime/node/api-node'
import type { Patch } from '../../lib/runtime/node/message-call'
import { getPath } from '../../lib/runtime/values/read-text'
import type { SessionCall } from './session-call'
import { create } from './create'
import { fields } from './identification-session.fields'
import { list } from './list'
import { statusesIn, statusesOf } from './versions'

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
  const statuses = statusesIn(data)
  const { status } = statuses
  const deleted = apiVersion === 'v2' && isDeleted(data, status)
  if (status) call.setStatus(deleted ? 'stateDeleted' : 'state', { state: stateParam(status) })
  if (deleted) call.warn('deleted')
  // Without an identity, that of an earlier session must not stay on the message.
  const identity = identityIn(data)
  return { payload: data, sessionId: id, identity, ...statuses, ...(deleted && { sensitiveDataDeleted: true }) }
}

const states = ['created', 'user_initiated', 'success', 'failed', 'user_aborted', 'timed_out', 'invalidated']

/** Returns the status as a parameter of a text: a key of the catalog, or the status itself if it is unknown. */
function stateParam(status: string): string {
  return states.includes(status) ? `@states.${status}` : status
}

const hour = 3_600_000
const running = ['created', 'user_initiated']

/**
 * Whether the session's data has been deleted. An hour after a session was created, only a few of its fields are left
 * (`docs/interface.md` 2.5). Until then, a successful session has an identity. Other sessions have no identity, so
 * their age decides.
 */
function isDeleted(data: unknown, status: string | undefined): boolean {
  if (status === undefined || running.includes(status) || getPath(data, 'identity') !== undefined) return false
  return status === 'success' || Date.now() - Date.parse(String(getPath(data, 'created'))) > hour
}

async function invalidate(call: SessionCall): Promise<Patch> {
  const { sessionId: id, apiVersion } = call.values
  const answer = apiVersion === 'v1' ? await invalidateV1(call, id) : await call.api.send('invalidateSession', { id })
  call.setStatus('invalidated')
  const payload = payloadOf(answer, {
    id,
    operation: apiVersion === 'v1' ? 'v1InvalidateSession' : 'invalidateSession',
  })
  return { payload, sessionId: id, ...statusesOf('invalidated') }
}

/**
 * The call has two addresses: one is in the specification, the other in the service's own documentation. If the first
 * does not exist, the second is used.
 */
async function invalidateV1({ api }: SessionCall, id = ''): Promise<Answer> {
  try {
    // The misspelling is the service's own.
    return await api.send('v1InvalidateSession', { query: { requetsId: id } })
  } catch (error) {
    if (!isAbsent(error)) throw error
    return api.send('v1InvalidateSessionByBody', { body: { RequestId: id } }).catch((other: unknown) => {
      throw isAbsent(other) ? error : other
    })
  }
}
