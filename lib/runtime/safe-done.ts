/** Ends messages that Node-RED itself cannot end: those that hold what cannot be copied. */
import { inputError } from '../api/errors'
import type { Done, RuntimeNode } from './node-red'
import type { Translate } from './texts'

/**
 * A `done` that never throws. Node-RED copies the message for Catch and Complete nodes while `done` runs, and an error there, in the middle
 * of nowhere, would end the whole process. The error then reaches the Catch nodes without the message.
 */
export function safeDone(done: Done, node: RuntimeNode, translate: Translate): Done {
  return (error) => {
    try {
      done(error)
    } catch {
      node.error(error ?? unreadable(translate), {})
    }
  }
}

/** The error for a message that cannot be read or copied; nothing was sent (EID_INVALID_INPUT). */
export function unreadable(translate: Translate) {
  return inputError([{ path: 'msg', key: 'unreadable' }], translate)
}
