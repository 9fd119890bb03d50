/** Makes any call to the service, with the same token, retries and error handling as the other nodes. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { findOperation } from '../../lib/api/operations/find-operation'
import { operations, type Operation } from '../../lib/api/operations/operations'
import { callPath } from '../../lib/settings/rules'
import { buildPath, type Query } from '../../lib/api/operations/paths'
import { apiNode, payloadOf } from '../../lib/runtime/node/api-node'
import type { FlowMessage } from '../../lib/runtime/node-red/node-red'
import { fields } from './request.fields'

const as = { object: 'json', text: 'text', buffer: 'buffer' } as const

export = apiNode('eid-request', fields, async ({ values, msg, api, check }) => {
  const ids = idsIn(values.path ?? '', msg)
  check(ids.filter(({ value }) => value === undefined).map(({ name }) => missing(name)))
  const path = buildPath(values.path ?? '', Object.fromEntries(ids.map(({ name, value = '' }) => [name, value])))
  const method = values.method as Operation['method']
  const key = callPath(path)
  check(key ? [{ path: 'path', key }] : [])
  const operation = operationOf(method, path)
  const body = method === 'GET' ? undefined : values.body
  const options = { query: values.query as Query, body, as: as[values.response] }
  // A successful response may contain a record that mentions an error, so the response of a read is not checked for
  // errors.
  const answer = await api.request(operation, options, operation.repeat === 'safe' ? 'nothing' : 'noError')
  return { payload: payloadOf(answer, { id: path, operation: `${method} ${path}` }) }
})

/**
 * Returns the call from the table. A call that is not in the table is never retried after it was sent, unless it only
 * reads.
 */
function operationOf(method: Operation['method'], path: string): Operation {
  const known = findOperation(method, path)
  if (known) return { ...operations[known], path }
  return { method, path, repeat: method === 'GET' ? 'safe' : 'never' }
}

/** Returns the names in braces with their values. Each name is the name of a message property. */
function idsIn(path: string, msg: FlowMessage): { name: string; value: string | undefined }[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const value = Object.hasOwn(msg, name) ? msg[name] : undefined
    const isId = (typeof value === 'string' && value !== '') || typeof value === 'number'
    return { name, value: isId ? String(value) : undefined }
  })
}

function missing(name: string): ProblemKey {
  return { path: name, key: 'missingFrom', params: { source: `msg.${name}` } }
}
