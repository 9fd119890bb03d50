/**
 * Takes the error of a node off a message with which that node succeeds after all. Otherwise a list that gets the
 * message back would count its row as failed.
 */
import { isPlainObject } from '../../common/plain-object'
import type { FlowMessage, RuntimeNode, Send } from '../node-red/node-red'

/** Deletes `msg.error` if it comes from this node. The error of any other node stays. */
export function takeOffOwnError({ id }: Pick<RuntimeNode, 'id'>, msg: FlowMessage): void {
  const { error } = msg
  if (error === undefined) return
  if (isPlainObject(error) && isPlainObject(error.source) && error.source.id === id) delete msg.error
}

/** A `send` whose messages no longer carry an error of this node. */
export function sendWithoutOwnError(node: Pick<RuntimeNode, 'id'>, send: Send): Send {
  return (messages) => {
    for (const msg of [messages].flat(2)) if (msg) takeOffOwnError(node, msg)
    send(messages)
  }
}
