/** The errors of the Node-RED in which the tests of flows run, and their messages as the base of the nodes emits them. */
import type { EidError } from '../../lib/api/errors/errors'
import { errorsOf } from '../../lib/runtime/journal/errors'
import { startJournal } from '../../lib/runtime/journal/journal'
import { messageEvents, type HandledMessage } from '../../lib/runtime/node-red/message-events'
import type { FlowMessage, Runtime, RuntimeNode } from '../../lib/runtime/node-red/node-red'
import type { Translate } from '../../lib/runtime/node-red/texts'

const { events } = require('@node-red/util') as { events: Runtime['events'] }

/** As much of Node-RED as the list of errors needs: the same list as that of the flows. */
export const RED = { events } as unknown as Runtime
startJournal(RED)

export const listErrors = () => errorsOf(RED).list()
export const dismissError = (id?: string) => errorsOf(RED).dismiss(id)

/** A message in a node. */
export function handled(node: RuntimeNode, msg: FlowMessage, more: Partial<HandledMessage> = {}): HandledMessage {
  const translate = ((key: string) => key) as Translate
  return { RED, node, config: { id: node.id, type: node.type }, translate, msg, taken: msg, calls: [], ...more }
}

/** The message fails in this node, as the base reports it. */
export function failIn(node: RuntimeNode, error: EidError, msg: FlowMessage = {}, more: Partial<HandledMessage> = {}) {
  messageEvents(RED).ended(handled(node, msg, more), { error, thrown: error })
}

/** The message passes this node. */
export function passIn(node: RuntimeNode, msg: FlowMessage, more: Partial<HandledMessage> = {}) {
  messageEvents(RED).ended(handled(node, msg, more), {})
}
