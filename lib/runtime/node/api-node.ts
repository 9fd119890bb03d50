/** The base of every node that turns a message into calls of the service and returns the result on the message. */
import { setMaxListeners } from 'node:events'
import type { Answer } from '../../api/call/call'
import type { Fields } from '../../settings/fields'
import { askedOf, isSandbox, listServiceOf, type ServiceNode } from '../node-red/client-node'
import { safeDone } from './safe-done'
import { statusTextOf, toEidError, toInputError } from '../node-red/errors'
import { copyMessage } from '../node-red/copy-message'
import { messageEvents } from '../node-red/message-events'
import type { Done, FlowMessage, NodeConfig, Runtime, RuntimeNode, Send } from '../node-red/node-red'
import { createStatus } from './status'
import { createTranslate } from '../node-red/texts'
import { prepareCall, type Call, type Handling, type Host, type Patch } from './message-call'
import { takeOffOwnError } from './own-error'
import { isTouched } from '../../settings/validation'
import { columnsIn } from '../values/columns'
import { originsIn, storedIn } from '../values/origins'
import { noteMoment } from '../values/message-moment'
import { createReader } from '../values/values'

type Run<F extends Fields> = (call: Call<F>) => Promise<Patch>
export type NodeModule = (RED: Runtime) => void

/**
 * Creates the module of a node. `run` is the node's whole behavior; if it throws, the message ends with `done(error)`.
 */
export function apiNode<const F extends Fields>(type: string, fields: F, run: Run<F>): NodeModule {
  return (RED) => {
    RED.nodes.registerType(type, function (config) {
      RED.nodes.createNode(this, config)
      start(RED, this, config, fields, run)
    })
  }
}

function start<F extends Fields>(RED: Runtime, node: RuntimeNode, config: NodeConfig, fields: F, run: Run<F>): void {
  const translate = createTranslate(RED, config.type.replace(/^eid-/, ''), fields)
  const isRehearsing = () => isSandbox(RED, config.client)
  const status = createStatus(node, translate, isRehearsing)
  const service: ServiceNode = { eidService: () => listServiceOf(RED, config.client) }
  Object.assign(node, service)
  const read = createReader({ RED, node }, fields, config)
  const columns = columnsIn(fields, config)
  const touched = isTouched(fields, storedIn(config))
  const origin = originsIn(fields, config)
  const events = messageEvents(RED)
  const host: Host<F> = {
    RED,
    node,
    config,
    fields,
    columns,
    read,
    touched,
    origin,
    translate,
    status,
    events,
  }
  const running = new Set<Promise<void>>()
  let closing = newClosing()
  status.idle()
  node.on('input', (msg, send, done) => {
    const handled = handle(host, run, closing.signal, msg, send, safeDone(done, node, translate)).then(
      () => void running.delete(handled),
    )
    running.add(handled)
  })
  node.on('close', (removed, done) => {
    if (!removed) events.closing(node.id)
    closing.abort()
    // Node-RED may still deliver messages that were sent earlier; these get a new signal.
    closing = newClosing()
    void Promise.all(running).then(() => {
      status.clear()
      done()
    })
  })
}

/** All messages of a node share this signal: creating a signal for each would take as long as checking the message. */
function newClosing(): AbortController {
  const closing = new AbortController()
  // The files and streams of every message in flight listen to this signal too.
  setMaxListeners(0, closing.signal)
  return closing
}

/** Handles one message, which ends exactly once. Never rejects. */
async function handle<F extends Fields>(
  host: Host<F>,
  run: Run<F>,
  signal: AbortSignal,
  msg: FlowMessage,
  send: Send,
  done: Done,
): Promise<void> {
  const { RED, node, config, status, translate, events } = host
  status.begin()
  noteMoment(msg)
  const handling: Handling<F> = {
    RED,
    node,
    config,
    translate,
    fields: host.fields,
    host,
    signal,
    msg,
    // What is checked and sent is read from this copy only. It has to be made before anything is waited for.
    taken: copyMessage(msg),
    send,
    // The service that this message is for; a deploy may change the client meanwhile.
    asked: askedOf(RED, config.client),
    calls: [],
    responseMeta: {},
  }
  const { calls } = handling
  try {
    const call = await prepareCall(handling)
    const patch = await run(call)
    // A node must not succeed with a value that could not be read, even if it has checked and sent nothing.
    call.check([])
    await events.acted(handling, patch)
    takeOffOwnError(node, msg)
    Object.assign(msg, handling.responseMeta, patch)
    events.ended(handling, {})
    status.succeed(handling.words ?? translate('status.done'), handling.fill)
    send(msg)
    done()
    if (signal.aborted) events.stopped(handling, {})
  } catch (thrown) {
    await events.acted(handling)
    const error = calls.length > 0 ? toEidError(thrown, translate, calls.length) : toInputError(thrown, translate)
    status.fail(statusTextOf(error, translate))
    // If the flow was stopped, the log reports the calls that were sent.
    if (!signal.aborted) events.ended(handling, { error, thrown })
    done(error)
    if (signal.aborted) events.stopped(handling, { error })
  }
}

/** The service's response, or a summary of the action if the response is empty. */
export function payloadOf(answer: Answer, done: { id?: string; operation: string }): unknown {
  return answer.data === undefined || answer.data === null ? done : answer.data
}
