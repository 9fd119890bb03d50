/**
 * What happens to messages in our nodes. The bases of the nodes emit it; the list of errors, the log and the lists of
 * rows listen, and no node knows them.
 */
import type { CallOptions } from '../../api/call/call'
import type { EidError, Outcome } from '../../api/errors/errors'
import type { Operation } from '../../api/operations/operations'
import type { Fields } from '../../settings/fields'
import { hosted, type HostOwner } from './host'
import type { Asked } from './client-node'
import type { FlowMessage, NodeConfig, Runtime, RuntimeNode } from './node-red'
import type { Translate } from './texts'

/** One call to the service. */
export interface CallMade {
  readonly operation: Pick<Operation, 'method' | 'path'>
  readonly options: CallOptions
  /** True if the service creates only one object for each key. */
  readonly isKeyed: boolean
  /** Is `unknown` until there is a response. */
  outcome: 'done' | Outcome
}

/** A message in a node. */
export interface HandledMessage {
  readonly RED: Runtime
  readonly node: RuntimeNode
  readonly config: NodeConfig
  readonly translate: Translate
  /** The message itself; absent for work that no message has started. */
  readonly msg?: FlowMessage | undefined
  /** The message as it came in. */
  readonly taken?: FlowMessage | undefined
  readonly calls: readonly CallMade[]
  /** The client and the service that the message was for. */
  readonly asked?: Asked | undefined
  /** The settings of the node as a table, their values as read for this message, and the request, once known. */
  readonly fields?: Fields | undefined
  readonly values?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** How a message has ended in a node. */
export interface MessageEnd {
  /** The error with which it ended; absent if it has passed the node. */
  readonly error?: EidError
  /** The exception behind the error: an exception that is reported twice is one error. */
  readonly thrown?: unknown
  /** True if the node reports the error as a warning, which Catch nodes do not receive. */
  readonly isWarning?: boolean
  /** What the error was about, where the message does not show it. */
  readonly about?: FailedAbout | undefined
}

/** What an error is about, if the message does not show it. */
export interface FailedAbout {
  /** The documentId, sessionId, shareId or depositId; empty if unknown. */
  readonly id: string
  /** Id of the wait that ended with this error. */
  readonly wait?: string
  /** How that wait ended, if the list of ended waits contains it. */
  readonly ended?: { readonly kind: 'document' | 'session' | 'share' | 'deposit'; readonly outcome: string } | undefined
}

export interface MessageListener {
  /** A call is about to be sent. It waits for the promise; if this rejects, it is not sent. */
  called?(message: HandledMessage, call: CallMade): Promise<void> | undefined
  /**
   * The node has done its work; without a `patch`, it has failed. The message waits for the promise, which must not reject.
   */
  acted?(message: HandledMessage, patch?: Readonly<Record<string, unknown>>): Promise<void> | undefined
  /** The message is about to leave the node, or to end with an error, in this turn. */
  ended?(message: HandledMessage, end: MessageEnd): void
  /** The message has ended in a node that a deploy had stopped meanwhile. */
  stopped?(message: HandledMessage, end: MessageEnd): void
  /** A node is being closed that the same deploy will create again. */
  closing?(nodeId: string): void
  /** A call has failed. Returns the error with what it is about. */
  named?(error: unknown, call: CallMade, taken: FlowMessage): unknown
}

const createListeners = () => new Map<string, MessageListener>()

/** Makes `listener` hear of all messages from now on, in place of an earlier one of this name. */
export function listenToMessages(RED: HostOwner, name: string, listener: MessageListener): void {
  hosted(RED, createListeners).set(name, listener)
}

/** Everything that listens, as one listener. */
export function messageEvents(RED: HostOwner): Required<MessageListener> {
  const listeners = hosted(RED, createListeners)
  const all = () => [...listeners.values()]
  return {
    called: (...event) => together(all().map((one) => one.called?.(...event))),
    acted: (...event) => together(all().map((one) => one.acted?.(...event))),
    ended: (...event) => all().forEach((one) => one.ended?.(...event)),
    stopped: (...event) => all().forEach((one) => one.stopped?.(...event)),
    closing: (nodeId) => all().forEach((one) => one.closing?.(nodeId)),
    named: (error, ...about) => all().reduce((known, one) => one.named?.(known, ...about) ?? known, error),
  }
}

function together(promises: readonly (Promise<void> | undefined)[]): Promise<void> | undefined {
  const some = promises.filter((one) => one !== undefined)
  return some.length === 0 ? undefined : Promise.all(some).then(() => undefined)
}
