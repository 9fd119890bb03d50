/**
 * Writes the log line for a message whose call was in flight when its node was closed. The log is used, because
 * Node-RED has closed the Catch nodes by then.
 */
import { maskKey } from '../../api/errors/mask'
import type { CallMade, HandledMessage, MessageEnd } from '../node-red/message-events'
import type { FlowMessage } from '../node-red/node-red'
import { keysIn } from './subject'

/**
 * Logs a warning about the last of the calls that changes something or, if none does, about the last call. The line
 * contains the node, the call, its id or key, and the outcome, but nothing else of the message.
 */
export function logStopped({ node, translate, calls, taken }: HandledMessage, { error }: MessageEnd): void {
  // A call still waiting in the queue has not been sent.
  if (error && error.cause.attempts === 0 && calls.length < 2) return
  // Calls that only read are left out if there is a call that changes something.
  const changes = calls.filter(({ operation }) => operation.method !== 'GET')
  const last = changes.at(-1) ?? calls.at(-1)
  if (!last) return
  const subject = keyOrIds(last, taken) || translate('stopped.noSubject')
  const outcome = error?.cause.outcome ?? 'done'
  node.warn(translate('stopped.line', { call: lineOf(last), node: node.name || node.id, subject, outcome }))
}

/** The call without its query, such as `POST /deposit/personal/{id}/cancel`. */
export function lineOf({ operation: { method, path } }: CallMade): string {
  return `${method} ${path.split('?', 1)[0] ?? ''}`
}

/** The ids in the path of a call, or the key of the object that it creates. */
export function keyOrIds({ options: { id, params, body } }: CallMade, msg: FlowMessage = {}): string {
  const ids = [id, ...Object.values(params ?? {})].filter((one) => one !== undefined)
  if (ids.length > 0) return ids.join(' ')
  return maskKey(keysIn(body)[0] ?? String(msg.externalId ?? ''))
}
