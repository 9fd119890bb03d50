/**
 * Writes the log line for a message whose call was in flight when its node was closed. The log is used, because
 * Node-RED has closed the Catch nodes by then.
 */
import { maskKey } from '../../api/errors/mask-key'
import type { CallOptions } from '../../api/call/call'
import type { Outcome } from '../../api/errors/errors'
import type { FlowMessage, RuntimeNode } from '../node-red/node-red'
import type { Translate } from '../node-red/texts'
import { ownKey } from './subject'

/** One call of a message, such as `POST /deposit/personal/{id}/cancel`, and the id or key that the call was for. */
export interface CallMade {
  readonly call: string
  /** Computed only when needed, because few calls are stopped. */
  readonly subject: () => string
}

interface StoppedNode {
  readonly node: RuntimeNode
  readonly translate: Translate
}

/**
 * Logs a warning about the last of `calls` that changes something or, if none does, about the last call. The line
 * contains the node, the call, its id or key, and the outcome, but nothing else of the message.
 */
export function logStopped(
  { node, translate }: StoppedNode,
  calls: readonly CallMade[],
  outcome: Outcome | 'done',
): void {
  // Calls that only read are left out if there is a call that changes something.
  const changes = calls.filter(({ call }) => !call.startsWith('GET'))
  const last = changes.at(-1) ?? calls.at(-1)
  if (!last) return
  const subject = last.subject() || translate('stopped.noSubject')
  node.warn(translate('stopped.line', { call: last.call, node: node.name || node.id, subject, outcome }))
}

/** The ids in the path of a call, or the key of the object that it creates. */
export function keyOrIds(path: string, { id, params, body }: CallOptions, msg: FlowMessage): string {
  const ids = [id, ...Object.values(params ?? {})].filter((one) => one !== undefined)
  if (ids.length > 0) return ids.join(' ')
  return maskKey(ownKey(path, body, msg))
}
