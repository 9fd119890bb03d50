/** Ends messages that Node-RED itself can't end, because they contain something that can't be copied. */
import { unreadable } from '../node-red/errors'
import type { Done, RuntimeNode } from '../node-red/node-red'
import type { Translate } from '../node-red/texts'

/**
 * A `done` that never throws. While `done` runs, Node-RED copies the message for Catch and Complete nodes, and an
 * exception there would end the whole process. If the copy fails, an error reaches the Catch nodes without the message.
 * For a message that succeeded, there is only a warning, because the node has done what was asked.
 */
export function safeDone(done: Done, node: RuntimeNode, translate: Translate): Done {
  return (error) => {
    try {
      done(error)
    } catch {
      if (error) node.error(error, {})
      else node.warn(unreadable(translate).cause.problems?.[0]?.problem)
    }
  }
}
