/** The base of every node that stays active between messages: it waits, listens or polls. */
import type { ApiClient } from '../../api/client'
import type { Answer, CallOptions } from '../../api/call/call'
import { EidError } from '../../api/errors/errors'
import { operations, type OperationName } from '../../api/operations/operations'
import type { Fields } from '../../settings/fields'
import { findClient, isSandbox, timeoutFor, type ClientNode } from '../node-red/client-node'
import { statusTextOf, toEidError, toInputError } from '../node-red/errors'
import { isDeleted } from '../node-red/flow-places'
import { onFlowsStarted, type StoppedNodes } from '../node-red/flows-started'
import { copyMessage } from '../node-red/copy-message'
import { messageEvents, type CallMade, type FailedAbout } from '../node-red/message-events'
import type { Done, FlowMessage, NodeConfig, Runtime, RuntimeNode } from '../node-red/node-red'
import type { TakenMessage } from './message-call'
import { closeLeftRunning, noteRunning } from './left-running'
import { sendWithoutOwnError } from './own-error'
import { safeDone } from './safe-done'
import { createLiveStatus, errorStatus, type LiveStatus } from './status'
import { createTranslate, type Translate } from '../node-red/texts'
import { inherit, onKeptMoved, sharedOf } from '../monitor/kept-nodes'
import { noteMoment } from '../values/message-moment'
import { createReader, type ReadValues } from '../values/values'

/** The functions that the base provides to a node. */
export interface LiveNode<F extends Fields> {
  readonly RED: Runtime
  readonly node: RuntimeNode
  readonly config: NodeConfig
  readonly translate: Translate
  readonly status: LiveStatus
  readonly read: ReadValues<F>
  /** Aborted when the node is closed. */
  readonly closing: AbortSignal
  /**
   * This node's client node and its HTTP client. Rejects with EID_CONFIG if the client node is missing or its settings
   * are incomplete.
   */
  connect(): Promise<{ client: ClientNode; connection: ApiClient }>
  /**
   * Calls the service. The call is aborted when the node closes, unless the options contain another signal. Rejects
   * with an EidError.
   */
  send(operation: OperationName, options?: CallOptions, requestTimeout?: unknown): Promise<Answer>
  /**
   * Returns the error in Node-RED's language and shows it in the status. `msg` is the message that ends with the error.
   */
  fail(thrown: unknown, msg?: FlowMessage, about?: FailedAbout): EidError
  /** Called when this message has been taken well or, without a message, when a fault of the node itself is over. */
  passed(msg?: FlowMessage): void
}

/** A message that has arrived, and how it ends. */
export interface Arrival extends TakenMessage {
  readonly done: Done
  readonly bare: Done
}

/** The behavior of one node. */
export interface LiveBehaviour {
  /**
   * Called when a message has arrived; ends it with `done`, now or later. If it rejects, the message ends with that
   * error. `bare` is Node-RED's own `done`. A node that holds a hundred thousand messages stores only `bare`, which
   * takes less memory, and calls `safeDone` when it ends a message.
   */
  receive(arrival: Arrival): Promise<void>
  /** Called when all nodes of the deploy have started. If it rejects, the error goes to the Catch nodes. */
  start?(stopped: StoppedNodes): Promise<void> | void
  /**
   * Called when the node is closed. What is stored stays, whatever the reason. `isDeleted` is true if the node is no
   * longer in the flows, not even disabled. Must not reject, and must finish within a second.
   */
  close?(isDeleted: boolean): Promise<void> | void
  /** Called when items of a node that has left the flows were moved into this node's store. */
  moved?(): Promise<void> | void
}

/**
 * Creates the behavior of one node. If it rejects, the error is reported when the flow starts and for every message.
 */
type OpenNode<F extends Fields> = (live: LiveNode<F>) => Promise<LiveBehaviour>

/**
 * Registers the type when Node-RED loads the node. `settingsOf` may fill in settings that depend on other settings
 * before they are read.
 */
export function registerLiveNode<const F extends Fields>(
  RED: Runtime,
  type: string,
  fields: F,
  open: OpenNode<F>,
  options: { credentials?: object; settings?: object; settingsOf?: (config: NodeConfig) => NodeConfig } = {},
): void {
  const { settingsOf = (config) => config, ...registered } = options
  const construct = function (this: RuntimeNode, config: NodeConfig) {
    RED.nodes.createNode(this, config)
    const closing = new AbortController()
    const read = createReader({ RED, node: this }, fields, settingsOf(config))
    run(liveNodeOf(RED, this, config, fields, read, closing.signal), open, closing)
  }
  RED.nodes.registerType(type, construct, registered)
}

function liveNodeOf<F extends Fields>(
  RED: Runtime,
  node: RuntimeNode,
  config: NodeConfig,
  fields: F,
  read: ReadValues<F>,
  closing: AbortSignal,
): LiveNode<F> {
  const translate = createTranslate(RED, config.type.replace(/^eid-/, ''), fields)
  const status = createLiveStatus(node, translate, () => isSandbox(RED, config.client))
  const events = messageEvents(RED)
  const own = { RED, node, config, translate }
  /** The calls that failed, by their errors. */
  const failedCalls = new WeakMap<object, CallMade>()
  const connect = async () => {
    const client = findClient(RED, config.client)
    return { client, connection: await client.connect() }
  }
  return {
    RED,
    node,
    config,
    translate,
    status,
    read,
    closing,
    connect,
    async send(operation, options = {}, requestTimeout = undefined) {
      const { client, connection } = await connect()
      const timeout = timeoutFor(RED, client, requestTimeout)
      const call: CallMade = { operation: operations[operation], options, isKeyed: false, outcome: 'done' }
      try {
        const answer = await connection.send(operation, { signal: closing, timeout, ...options })
        events.ended({ ...own, calls: [call] }, {})
        return answer
      } catch (error) {
        if (!(error instanceof EidError)) throw error
        call.outcome = error.cause.outcome
        failedCalls.set(error, call)
        // A stopped call that only reads needs no log line, because it is repeated after the next start.
        if (closing.aborted && call.operation.method !== 'GET') events.stopped({ ...own, calls: [call] }, { error })
        throw error
      }
    },
    fail(thrown, msg, about = { id: '' }) {
      const error = toEidError(thrown, translate)
      status.setResult(errorStatus(statusTextOf(error, translate)))
      if (closing.aborted) return error
      status.rest()
      const call = thrown instanceof EidError && failedCalls.get(thrown)
      events.ended({ ...own, msg, calls: call ? [call] : [] }, { error, thrown, about })
      return error
    },
    passed: (msg) => events.ended({ ...own, msg, calls: [] }, {}),
  }
}

/**
 * Milliseconds to wait for messages that arrived before a deploy; the time is short, because a deploy must not take
 * long.
 */
const takenMs = 500

/** Resolves when the work is done, or after this many milliseconds. */
async function soonest(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)))
  await Promise.race([work, late])
  clearTimeout(timer)
}

/** Opens the node, passes messages to it, and closes it; all failures are reported in one place. */
function run<F extends Fields>(live: LiveNode<F>, open: OpenNode<F>, closing: AbortController): void {
  const { RED, node, status, translate } = live
  const shared = sharedOf(live.config)
  const alone = closeLeftRunning(RED, node.id)
  const inherited = alone ? alone.then(() => inherit(RED, node.id, shared)) : inherit(RED, node.id, shared)
  const opening = inherited ? inherited.then(() => open(live)) : open(live)
  const report = (thrown: unknown) => {
    if (!closing.signal.aborted) node.error(live.fail(thrown), {})
  }
  // Called only when all nodes have started: before that, Catch nodes would miss errors, and sent messages would be
  // lost.
  const begin = (stopped: StoppedNodes) => {
    void opening.then((behaviour) => behaviour.start?.(stopped)).catch(report)
  }
  const received = new Set<Promise<void>>()

  status.rest()
  opening.catch(() => undefined)
  const notMoved = onKeptMoved(RED, node.id, () => void opening.then((behaviour) => behaviour.moved?.()).catch(report))
  const notBegun = onFlowsStarted(RED, begin)
  node.on('input', (msg, send, done) => {
    let hasFailed = false
    const end = safeDone(
      (error) => {
        hasFailed ||= error !== undefined
        done(error)
      },
      node,
      translate,
    )
    noteMoment(msg)
    const taken = copyMessage(msg)
    const handled = opening
      .then((behaviour) =>
        behaviour.receive({ msg, taken, send: sendWithoutOwnError(node, send), done: end, bare: done }),
      )
      .then(() => void (hasFailed || live.passed(taken)))
      .catch((thrown: unknown) => end(live.fail(toInputError(thrown, translate), msg)))
      .then(() => void received.delete(handled))
    received.add(handled)
  })
  let closed: Promise<void> | undefined
  const close = (removed: boolean) => {
    if (!removed) messageEvents(RED).closing(node.id)
    notBegun()
    notMoved()
    notRunning()
    closing.abort()
    const end = async () => {
      // The behavior closes its store below. Before that, messages that have just arrived get time to be stored.
      await soonest(Promise.all(received), takenMs)
      await opening.then((behaviour) => behaviour.close?.(isDeleted(RED, node, removed))).catch(() => undefined)
      // Until everything is closed, Node-RED keeps delivering messages that were sent earlier, so these are awaited
      // too.
      while (received.size > 0) await Promise.all(received)
      status.clear()
    }
    return (closed ??= end())
  }
  const notRunning = noteRunning(RED, node.id, () => close(true))
  node.on('close', (removed, done) => void close(removed).then(done))
}
