/** Everything a node's code needs for one message: its settings, the service, and the node's status and texts. */
import type { ApiClient } from '../../api/client'
import type { Answer, CallOptions } from '../../api/call/call'
import { EidError, type ProblemKey } from '../../api/errors/errors'
import { operations, type Operation } from '../../api/operations/operations'
import type { TextParams } from '../../api/errors/texts'
import type { Fields, Values } from '../../settings/fields'
import { chooseBody } from '../values/body'
import type { PlainObject } from '../../common/plain-object'
import { findClient, timeoutFor, type ClientSettings } from '../node-red/client-node'
import type { CallMade, HandledMessage, MessageListener } from '../node-red/message-events'
import type { FlowMessage, NodeConfig, Runtime, RuntimeNode, Send } from '../node-red/node-red'
import type { Status } from './status'
import type { Translate } from '../node-red/texts'
import type { BuiltIn } from '../values/template'
import { refuseProblems } from './refuse-problems'
import type { Columns } from '../values/columns'
import type { Origin } from '../values/origins'
import { unsendable } from '../values/unsendable'
import type { ReadValues } from '../values/values'

/**
 * The service as used for one message: timeouts, abort on close and response metadata are handled here. Rejects with an
 * EidError.
 */
type MessageApi = Pick<ApiClient, 'send' | 'request'>

/** Everything a node's code needs for one message. */
export interface Call<F extends Fields> {
  /** For what lives as long as this Node-RED. */
  readonly RED: Runtime
  readonly values: Values<F>
  /** The message as it came in. Other nodes may have changed the objects of the real message since then. */
  readonly msg: Readonly<FlowMessage>
  /** Sets a property of the real message at once, so that a Catch node gets it even if the message fails. */
  leave(name: string, value: unknown): void
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
  /**
   * The text of the final status; `done` by default. It is green, or `grey` for a message that needed no call to the
   * service, `blue` for something that the service has begun and that people have to complete, `yellow` for a result
   * that a person should check.
   */
  setStatus(key: string, params?: TextParams, fill?: 'grey' | 'blue' | 'yellow'): void
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
  /**
   * Fills in a text setting with `template: 'later'` from values that are known by now. A missing value becomes a
   * problem in the next `check`.
   */
  laterText(name: keyof F & string, builtIn: BuiltIn): string | undefined
  /** How the form provides the value of a setting. */
  origin(name: keyof F & string): Origin
  /** The columns of a list from which settings take their values, keyed by path, such as `fields[0].value`. */
  readonly columns: Columns
}

/** Properties added to the message when everything succeeded. */
export type Patch = Readonly<Record<string, unknown>>
/** What is the same for all messages of a node. */
export interface Host<F extends Fields> {
  readonly RED: Runtime
  readonly node: RuntimeNode
  readonly config: NodeConfig
  readonly fields: F
  readonly columns: Columns
  readonly read: ReadValues<F>
  readonly touched: boolean
  readonly origin: Call<F>['origin']
  readonly translate: Translate
  readonly status: Status
  readonly events: Required<MessageListener>
}

/** One message in a node: what it carries, and what the node has done for it so far. */
export interface Handling<F extends Fields> extends Omit<HandledMessage, keyof TakenMessage>, TakenMessage {
  readonly host: Host<F>
  /** Aborted when the node is closed. */
  readonly signal: AbortSignal
  readonly calls: CallMade[]
  values?: Readonly<Record<string, unknown>>
  body?: PlainObject
  words?: string
  fill?: 'grey' | 'blue' | 'yellow'
  responseMeta: { statusCode?: number; requestId?: string }
}

/** A message, and how it leaves. */
export interface TakenMessage {
  readonly msg: FlowMessage
  /** The message as it came in: other nodes may change the objects of `msg`. Settings are read from this copy. */
  readonly taken: FlowMessage
  readonly send: Send
}

/** Reads the settings for a message. Rejects if the node has no usable client. */
export async function prepareCall<F extends Fields>(handling: Handling<F>): Promise<Call<F>> {
  const { host, signal, msg, taken, send } = handling
  const { RED, node, config, translate, status } = host
  // The settings are read first: an error about the client needs them too, to show what the message was about.
  const { values, problems, later } = await host.read(taken)
  handling.values = values
  const client = findClient(RED, config.client)
  const connection = await client.connect()
  const timeout = timeoutFor(RED, client, taken.requestTimeout)
  const check = (more: readonly ProblemKey[]) => {
    if (problems.length + more.length > 0) refuseProblems(host, problems, more)
  }
  const onRepeat = (count: number, max: number) => status.progress(translate('status.repeating', { count, max }))
  return {
    RED,
    values,
    msg: taken,
    leave(name, value) {
      msg[name] = value
      taken[name] = value
    },
    api: messageApi(connection, { signal, timeout, onRepeat }, handling, check),
    client: client.settings,
    signal,
    check,
    body(form) {
      const { bodyType = 'auto' } = config
      const body = (values as Record<string, unknown>).body
      const chosen = chooseBody(form, {
        touched: host.touched,
        bodyType: String(bodyType),
        body,
        payload: taken.payload,
      })
      if (!chosen) check([{ path: 'body', key: 'object' }])
      return (handling.body = chosen ?? {})
    },
    warn: (key, params) => node.warn(translate(`warnings.${key}`, params), msg),
    setStatus: (key, params, fill) => void Object.assign(handling, { words: translate(`status.${key}`, params), fill }),
    translate,
    progress: (key, params) => status.progress(translate(`status.${key}`, params)),
    emit: (output, extra) => send([...Array<null>(output).fill(null), extra]),
    workingDirectory: RED.settings.fileWorkingDirectory,
    userFolder: RED.settings.userDir,
    nodeId: node.id,
    laterText: later,
    origin: host.origin,
    columns: host.columns,
  }
}

/** The service for one message. Every call is emitted, and an error names the subject of its call. */
function messageApi<F extends Fields>(
  connection: MessageApi,
  own: CallOptions,
  handling: Handling<F>,
  check: (problems: readonly ProblemKey[]) => void,
): MessageApi {
  const track = async (operation: Operation, options: CallOptions, send: () => Promise<Answer>, isKeyed = false) => {
    // A value that could not be read or can't be written is refused before anything is sent, even if the node checks
    // nothing else.
    check(unsendable(options.body))
    const call: CallMade = { operation, options, isKeyed, outcome: 'unknown' }
    handling.calls.push(call)
    try {
      await handling.host.events.called(handling, call)
      const answer = await send()
      call.outcome = 'done'
      handling.responseMeta = { statusCode: answer.status, requestId: answer.requestId }
      return answer
    } catch (error) {
      if (error instanceof EidError) call.outcome = error.cause.outcome
      throw handling.host.events.named(error, call, handling.taken)
    }
  }
  return {
    send: (name, options = {}) =>
      track(operations[name], options, () => connection.send(name, { ...own, ...options }), name === 'createDocument'),
    request: (operation, options = {}, expected = 'nothing') =>
      track(operation, options, () => connection.request(operation, { ...own, ...options }, expected)),
  }
}
