/** The base of every node that turns a message into calls of the service and returns the result on the message. */
import { setMaxListeners } from 'node:events'
import type { ApiClient } from '../../api/client'
import type { Answer, CallOptions } from '../../api/call/call'
import type { ProblemKey } from '../../api/errors/errors'
import { operations, type Operation } from '../../api/operations/operations'
import type { TextParams } from '../../api/errors/texts'
import type { Fields, Values } from '../../settings/fields'
import { chooseBody } from '../values/body'
import type { PlainObject } from '../../common/plain-object'
import { askedOf, findClient, isSandbox, timeoutFor, type ClientSettings } from '../node-red/client-node'
import { safeDone } from './safe-done'
import { briefly, toEidError, toInputError } from '../node-red/errors'
import { holdFor, watchDeploys } from '../node-red/held-messages'
import type { Done, FlowMessage, NodeConfig, Runtime, RuntimeNode, Send } from '../node-red/node-red'
import { createStatus, type Status } from './status'
import { logStopped, keyOrIds, type CallMade } from './stopped-log'
import { registerSandboxNode } from '../node-red/sandbox-nodes'
import { createTranslate, type Translate } from '../node-red/texts'
import { recordError, settleMessage } from '../monitor/error-log'
import { instanceName, replicaName } from '../monitor/replicas'
import { noteMade, type RowCall } from '../monitor/row-calls'
import { rowStopped } from '../monitor/stopped-rows'
import { failedItem } from './failed-item'
import { changesNothing, keepActedBy, noted } from './noted-calls'
import { withSubject } from './subject'
import type { BuiltIn } from '../values/template'
import { refuseProblems } from './refuse-problems'
import { isTouched } from '../../settings/validation'
import { columnsIn, type Columns } from '../values/columns'
import { misreadTexts } from '../values/misread-text'
import { originsIn, storedIn, type Origin } from '../values/origins'
import { createReader, type ReadResult, type ReadValues } from '../values/values'

/**
 * The service as used for one message: timeouts, abort on close and response metadata are handled here. Rejects with an
 * EidError.
 */
type MessageApi = Pick<ApiClient, 'send' | 'request'>

/** Everything a node's code needs for one message. */
export interface Call<F extends Fields> {
  readonly values: Values<F>
  /** Returns the values with other words for date and time; absent if no text contains the date or the time. */
  readonly valuesAt: ReadResult<F>['valuesAt']
  readonly msg: FlowMessage
  readonly api: MessageApi
  readonly client: ClientSettings
  /** Aborted when the node is closed. */
  readonly signal: AbortSignal
  /** If there are problems, refuses the message with EID_INVALID_INPUT. Call it before anything is sent. */
  check(problems: readonly ProblemKey[]): void
  /** The request to send: combines `form` with the message according to the `body` setting. */
  body(form: PlainObject): PlainObject
  /** Warns about something doubtful; the message continues. The key is in the node's catalog. */
  warn(key: string, params?: TextParams): void
  /** The text of the final green status; `done` by default. */
  setStatus(key: string, params?: TextParams): void
  /** The text of the final gray status, for a message that needed no call to the service. */
  setUnasked(key: string, params?: TextParams): void
  /** The text of the final yellow status, for a result that a person should check. */
  setDoubtful(key: string, params?: TextParams): void
  /** A text of the node's catalog, for words inside the message. */
  translate(key: string, params?: TextParams): string
  /** The text of the blue status while the message is being handled. */
  progress(key: string, params?: TextParams): void
  /** Sends a separate message to an output other than the first. */
  emit(output: number, msg: FlowMessage): void
  /** Node-RED's folder for relative file paths. */
  readonly workingDirectory: string | undefined
  /** Node-RED's own folder, for data that must survive a restart. */
  readonly userFolder: string | undefined
  readonly nodeId: string
  /** The name of this Node-RED among those sharing a store; undefined if it shares none. */
  readonly replica: string | undefined
  /** The name of this Node-RED among those of all machines, and the port of its editor. */
  readonly instance: { readonly name: string; readonly port: string }
  /**
   * Fills in a text setting with `template: 'later'` from values that are known by now. A missing value becomes a
   * problem in the next `check`.
   */
  laterText(name: keyof F & string, builtIn: BuiltIn): string | undefined
  /** How the form provides the value of a setting. */
  origin(name: keyof F & string): Origin
  /** The columns of a list from which settings take their values, keyed by place: `fields[0].value`. */
  readonly columns: Columns
}

/** Properties added to the message when everything succeeded. */
export type Patch = Readonly<Record<string, unknown>>
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

interface Host<F extends Fields> {
  readonly RED: Runtime
  readonly node: RuntimeNode
  readonly config: NodeConfig
  readonly fields: F
  readonly columns: Columns
  readonly read: ReadValues<F>
  readonly touched: boolean
  readonly origin: Call<F>['origin']
  readonly instance: Call<F>['instance']
  readonly translate: Translate
  readonly status: Status
}

function start<F extends Fields>(RED: Runtime, node: RuntimeNode, config: NodeConfig, fields: F, run: Run<F>): void {
  const translate = createTranslate(RED, config.type.replace(/^eid-/, ''), fields)
  const isRehearsing = () => isSandbox(RED, config.client)
  const status = createStatus(node, translate, isRehearsing)
  const forget = registerSandboxNode(node.id, isRehearsing)
  const [read, columns] = [createReader({ RED, node }, fields, config), columnsIn(fields, config)]
  const touched = isTouched(fields, storedIn(config))
  const { uiPort } = RED.settings
  const instance = { name: instanceName(uiPort), port: String(uiPort ?? '') }
  const origin = originsIn(fields, config)
  const host: Host<F> = { RED, node, config, fields, columns, read, touched, origin, instance, translate, status }
  const running = new Set<Promise<void>>()
  let closing = newClosing()
  watchDeploys(RED)
  status.idle()
  node.on('input', (msg, send, done) => {
    const handled = handle(host, run, closing.signal, msg, send, safeDone(done, node, translate)).then(
      () => void running.delete(handled),
    )
    running.add(handled)
  })
  node.on('close', (removed, done) => {
    if (!removed) holdFor(RED, node.id)
    forget()
    closing.abort()
    // Node-RED may still deliver messages that were sent earlier; these get a new signal.
    closing = newClosing()
    void Promise.all(running).then(() => {
      status.clear()
      done()
    })
  })
}

/** Creates the signal that stops all messages of a node. A signal for each would take as long as a message's checks. */
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
  const { RED, config, status, translate } = host
  const result: Result = { calls: [], rowCalls: [], responseMeta: {} }
  status.begin()
  try {
    const call = await prepare(host, signal, msg, send, result)
    const patch = await run(call)
    // A node must not succeed with a value that could not be read, even if it has checked and sent nothing.
    call.check([])
    noteMade(msg, result.rowCalls, patch, result.seenIn)
    await keepActedBy(result.rowCalls, msg)
    Object.assign(msg, result.responseMeta, patch)
    if (signal.aborted) logStopped(host, result.calls, 'done')
    settleMessage(host.node, msg)
    status.succeed(result.words ?? translate('status.done'), result.fill)
    send(msg)
    done()
  } catch (thrown) {
    const { calls } = result
    await keepActedBy(result.rowCalls, msg)
    const error = calls.length > 0 ? toEidError(thrown, translate, calls.length) : toInputError(thrown, translate)
    // A call still waiting in the queue has not been sent.
    const left = error.cause.attempts > 0 || calls.length > 1
    if (signal.aborted && left) logStopped(host, calls, error.cause.outcome)
    status.fail(briefly(error, translate))
    // If the flow was stopped, logStopped has reported the calls that were sent.
    if (!signal.aborted) {
      const item = result.values && failedItem(result.values, msg, result.body)
      recordError(host.node, error, thrown, msg, { client: config.client, asked: askedOf(RED, config.client), item })
    }
    done(error)
    // The Catch nodes may have been stopped too, so the row of a failed message would not come back. A successful
    // message was passed on, or is held for the next node.
    if (signal.aborted) rowStopped(msg)
  }
}

interface Result {
  /** The calls made so far. */
  readonly calls: CallMade[]
  /** The calls that change something for a row of a list. */
  readonly rowCalls: RowCall[]
  /** Set if this node uses the sandbox. */
  seenIn?: Pick<RowCall, 'sandboxVia'>
  /** The settings and the request, once they are known. */
  values?: Readonly<Record<string, unknown>>
  body?: PlainObject
  words?: string
  fill?: 'grey' | 'yellow'
  responseMeta: { statusCode?: number; requestId?: string }
}

async function prepare<F extends Fields>(
  host: Host<F>,
  signal: AbortSignal,
  msg: FlowMessage,
  send: Send,
  result: Result,
): Promise<Call<F>> {
  const { RED, node, config, translate, status } = host
  const client = findClient(RED, config.client)
  const { values, valuesAt, problems, later } = await host.read(msg)
  result.values = values
  const connection = await client.connect()
  const timeout = timeoutFor(RED, client, msg.requestTimeout)
  const check = (more: readonly ProblemKey[]) => refuseProblems(host, problems, more)
  const onRepeat = (count: number, max: number) => status.progress(translate('status.repeating', { count, max }))
  const own: CallOptions = { signal, timeout, onRepeat }
  // Work done in the sandbox for a row of a list counts only as long as this node uses the sandbox.
  const seenIn = client.settings.environment === 'sandbox' ? { sandboxVia: node.id } : {}
  result.seenIn = seenIn
  const track = async (operation: Operation, options: CallOptions, send: () => Promise<Answer>, isKeyed = false) => {
    // A value that could not be read is refused before anything is sent, even if the node checks nothing else.
    check(misreadTexts(options.body))
    const { method, path } = operation
    const made = { call: `${method} ${path.replace(/\?.*/, '')}`, subject: () => keyOrIds(options, msg) }
    result.calls.push(made)
    const sent = changesNothing(operation) ? send() : noted(msg, result.rowCalls, { ...made, ...seenIn, isKeyed }, send)
    const answer = await sent.catch((error: unknown) => {
      throw withSubject(error, options.body, msg)
    })
    result.responseMeta = { statusCode: answer.status, requestId: answer.requestId }
    return answer
  }
  return {
    ...{ values, valuesAt },
    msg,
    signal,
    check,
    client: client.settings,
    workingDirectory: RED.settings.fileWorkingDirectory,
    userFolder: RED.settings.userDir,
    nodeId: node.id,
    replica: replicaName(RED.settings.uiPort),
    instance: host.instance,
    ...{ origin: host.origin, columns: host.columns },
    laterText: later,
    api: {
      send: (name, options = {}) =>
        track(
          operations[name],
          options,
          () => connection.send(name, { ...own, ...options }),
          name === 'createDocument',
        ),
      request: (operation, options = {}, expected = 'nothing') =>
        track(operation, options, () => connection.request(operation, { ...own, ...options }, expected)),
    },
    body(form) {
      const { bodyType = 'auto' } = config
      const body = (values as Record<string, unknown>).body
      const chosen = chooseBody(form, { touched: host.touched, bodyType: String(bodyType), body, payload: msg.payload })
      if (!chosen) check([{ path: 'body', key: 'object' }])
      return (result.body = chosen ?? {})
    },
    warn: (key, params) => node.warn(translate(`warnings.${key}`, params), msg),
    translate,
    setStatus: (key, params) => (result.words = translate(`status.${key}`, params)),
    setUnasked: (key, params) =>
      void Object.assign(result, { words: translate(`status.${key}`, params), fill: 'grey' }),
    setDoubtful: (key, params) =>
      void Object.assign(result, { words: translate(`status.${key}`, params), fill: 'yellow' }),
    progress: (key, params) => status.progress(translate(`status.${key}`, params)),
    emit: (output, extra) => send([...Array<null>(output).fill(null), extra]),
  }
}

/** The service's response, or a summary of the action if the response is empty. */
export function payloadOf(answer: Answer, done: { id?: string; operation: string }): unknown {
  return answer.data === undefined || answer.data === null ? done : answer.data
}
