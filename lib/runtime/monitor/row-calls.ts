/**
 * Records what our nodes have done for each row of a list while the row's message is in the flow. A failed row is sent
 * again only if nothing was done for it. This process keeps the calls under every name by which a message can be
 * recognized. The message carries them as well, so that they survive a restart while the message waits.
 */
import type { Outcome } from '../../api/errors/errors'
import { isPlainObject } from '../../common/plain-object'
import type { FlowMessage } from '../node-red/node-red'
import { hosted, type HostOwner } from '../node-red/host'

/** The ids that the service gives to objects created by a node. */
export const madeIdNames = ['documentId', 'shareId', 'depositId', 'sessionId'] as const
export type MadeIdName = (typeof madeIdNames)[number]

/** A call that a node has made for a row, and that changes something at the service. */
export interface RowCall {
  /** The call, such as `POST /share/`. */
  readonly call: string
  /** The ids in the path of the call, or the key of the document that the call creates. */
  readonly subject: string
  /** True if the call creates a document with the row's own key. If the row is sent again, this document is found. */
  readonly isOwn: boolean
  /** Is `unknown` while there is no response yet. */
  outcome: 'done' | Outcome
  /** The service that the call went to, as in `listServiceOf`. */
  readonly service?: string | undefined
  /** The ids of the objects that the node created with this call. */
  made?: Partial<Record<MadeIdName, string>>
}

/** Identifies the row that a message carries: the id of the batch node, the id of the batch, and the row's key. */
export interface RowName {
  readonly node: string
  readonly batch: string
  readonly key: string
}

/** The sending of a row that a message comes from. A property that the message does not contain is undefined. */
export interface Attempt {
  /** The number of this attempt, from 1. */
  readonly sent?: number | undefined
  /** The run of the list: a list that was reset and sent again has another one. */
  readonly run?: string | undefined
}

/** The attempt that a message says it comes from. */
export function attemptIn({ _batch }: FlowMessage): Attempt {
  const { sent, run } = isPlainObject(_batch) ? _batch : {}
  return { sent: typeof sent === 'number' ? sent : undefined, run: typeof run === 'string' ? run : undefined }
}

/**
 * The attempt that a message comes from, which carries `row`. If a Function node has replaced the message, so that it
 * has kept only its id, the attempt is known by this id.
 */
export function attemptOf(RED: HostOwner, msg: FlowMessage, row: RowName): Attempt {
  const { sent, run } = attemptIn(msg)
  const known = hosted(RED, createInFlight).get(rowName(row))?.attempts.get(String(msg._msgid))
  return { sent: sent ?? known?.sent, run: run ?? known?.run }
}

interface InFlightRow {
  readonly row: RowName
  /** The key by which the service recognizes a document of this row. */
  readonly externalId: string
  readonly names: Set<string>
  /** The attempts that this process has sent, by the id of their message. */
  readonly attempts: Map<string, Attempt>
  readonly calls: RowCall[]
  /** True if the row has been tracked since it was first sent, so that everything done for it is noted. */
  readonly isComplete: boolean
}

const createInFlight = () => new Map<string, InFlightRow>()
/** The maximum number of calls, or of nodes, that a message carries, so that the message stays small. */
const maxCarried = 20

const rowName = ({ node, batch, key }: RowName) => `row ${JSON.stringify([node, batch, key])}`
const messageName = (id: string) => `message ${id}`

/** The properties by which the message of a row is recognized, even if a node has dropped all others. */
export interface SentMessage {
  /** The key of the row's own document. */
  readonly externalId: string
  readonly _msgid: string
}

/**
 * Called when a batch node is about to send a row. The earlier calls of the row are kept. `wasLost` is true if the row
 * was sent before and its message never returned to the batch node.
 */
export function trackRow(RED: HostOwner, row: RowName, msg: FlowMessage & SentMessage, wasLost: boolean): void {
  const { externalId, _msgid } = msg
  const tracked = track(RED, row, externalId, !wasLost, [messageName(_msgid)])
  tracked.attempts.set(_msgid, attemptIn(msg))
}

/** Restores the calls for a row that were recorded before this process started, or by another process. */
export function recallRow(RED: HostOwner, row: RowName, externalId: string, calls: readonly RowCall[]): void {
  const tracked = track(RED, row, externalId, false)
  const known = new Set(tracked.calls.map((one) => JSON.stringify(one)))
  tracked.calls.push(...calls.filter((one) => !known.has(JSON.stringify(one))))
}

function track(
  RED: HostOwner,
  row: RowName,
  externalId: string,
  isComplete: boolean,
  names: readonly string[] = [],
): InFlightRow {
  const inFlight = hosted(RED, createInFlight)
  const name = rowName(row)
  const empty = { names: new Set<string>(), attempts: new Map<string, Attempt>(), calls: [] }
  const tracked = inFlight.get(name) ?? { row, externalId, ...empty, isComplete }
  for (const one of [name, externalId, ...names]) {
    tracked.names.add(one)
    inFlight.set(one, tracked)
  }
  return tracked
}

/**
 * Notes on the message of a row that it failed in this node: it may go another way from there. A copy of the message in
 * another branch of the flow does not get the note.
 */
export function noteFailed(msg: FlowMessage, node: string): void {
  const { _batch } = msg
  if (isPlainObject(_batch))
    msg._batch = { ..._batch, failedIn: [...new Set([...(failedIn(msg) ?? []), node])].slice(-maxCarried) }
}

/**
 * The nodes in which this message of a row has failed; undefined if that is unknown, because a Function node has dropped
 * the note.
 */
export function failedIn({ _batch }: FlowMessage): readonly string[] | undefined {
  if (!isPlainObject(_batch)) return undefined
  const nodes: unknown = _batch.failedIn
  return Array.isArray(nodes) ? (nodes as unknown[]).filter((one) => typeof one === 'string') : []
}

/** Called when the row has succeeded or failed, so that its calls are no longer needed. */
export function forgetRow(RED: HostOwner, row: RowName): void {
  const inFlight = hosted(RED, createInFlight)
  for (const name of inFlight.get(rowName(row))?.names ?? []) inFlight.delete(name)
}

/** A call that is about to be sent for the row of a message. */
interface NewCall extends Pick<RowCall, 'call' | 'service'> {
  readonly subject: () => string
  /** True if the service creates only one object for each key. In this case, `subject` returns the key. */
  readonly isKeyed: boolean
}

/** Notes a call before it is sent. Returns undefined if the message carries no row. */
export function noteCall(RED: HostOwner, msg: FlowMessage, call: NewCall): RowCall | undefined {
  const ownKey = ownKeyOf(RED, msg)
  if (ownKey === undefined) return undefined
  const { isKeyed, ...made } = call
  const subject = made.subject()
  const noted: RowCall = { ...made, subject, isOwn: isKeyed && subject === ownKey, outcome: 'unknown' }
  add(RED, msg, noted)
  return noted
}

/**
 * Called when a node has succeeded. `calls` are the calls that the node made; `patch` contains the properties that the
 * node adds to the message, and `service` is the one that it has asked.
 */
export function noteMade(
  RED: HostOwner,
  msg: FlowMessage,
  calls: readonly RowCall[],
  patch: Readonly<Record<string, unknown>>,
  service?: string,
): void {
  const ownKey = ownKeyOf(RED, msg)
  if (ownKey === undefined && calls.length === 0) return
  const made = Object.fromEntries(
    madeIdNames.flatMap((name) => (isId(patch[name]) ? [[name, String(patch[name])]] : [])),
  )
  if (Object.keys(made).length === 0) return
  const last = calls.findLast(({ outcome }) => outcome !== 'not-done')
  if (last) last.made = made
  // No call created anything, because the row's document existed already.
  else if (ownKey !== undefined && patch.externalId === ownKey && made.documentId !== undefined)
    add(RED, msg, { call: 'GET', subject: ownKey, isOwn: true, outcome: 'done', made, service })
}

function add(RED: HostOwner, msg: FlowMessage, call: RowCall): void {
  trackedRow(RED, msg)?.calls.push(call)
  // The property gets a new object, because clones of the message share the old object.
  if (isPlainObject(msg._batch)) msg._batch = { ...msg._batch, calls: [...carriedCalls(msg), call].slice(-maxCarried) }
}

/** The key of the row's own document; undefined if the message carries no row. */
function ownKeyOf(RED: HostOwner, msg: FlowMessage): string | undefined {
  const carried = isPlainObject(msg._batch) ? msg._batch.externalId : undefined
  return trackedRow(RED, msg)?.externalId ?? (typeof carried === 'string' ? carried : undefined)
}

/** All calls that took effect for this row, or may have. Includes the calls that the message carries. */
export function callsFor(RED: HostOwner, row: RowName, msg: FlowMessage = {}): RowCall[] {
  const known = [...(hosted(RED, createInFlight).get(rowName(row))?.calls ?? []), ...carriedCalls(msg)]
  const seen = new Set<string>()
  return known.filter((one) => {
    const text = JSON.stringify(one)
    return one.outcome !== 'not-done' && !seen.has(text) && seen.add(text)
  })
}

/** True if this process knows everything that was done for this row. */
export function knowsAllOf(RED: HostOwner, row: RowName): boolean {
  return hosted(RED, createInFlight).get(rowName(row))?.isComplete ?? false
}

/** The row that a message carries; undefined if this process knows no such row in flight. */
export function rowOf(RED: HostOwner, msg: FlowMessage): RowName | undefined {
  return trackedRow(RED, msg)?.row
}

function trackedRow(RED: HostOwner, { _msgid, batch, _batch, externalId }: FlowMessage): InFlightRow | undefined {
  const inFlight = hosted(RED, createInFlight)
  if (inFlight.size === 0) return undefined
  const names: string[] = []
  if (isPlainObject(batch) && isPlainObject(_batch))
    names.push(rowName({ node: String(_batch.node), batch: String(batch.id), key: String(batch.key) }))
  if (typeof _msgid === 'string') names.push(messageName(_msgid))
  if (typeof externalId === 'string') names.push(externalId)
  for (const name of names) {
    const tracked = inFlight.get(name)
    if (tracked) return tracked
  }
  return undefined
}

/** The calls that the message carries. They are validated, because the message may have passed through any node. */
function carriedCalls({ _batch }: FlowMessage): RowCall[] {
  const calls: unknown = isPlainObject(_batch) ? _batch.calls : undefined
  return Array.isArray(calls) ? (calls as unknown[]).filter(isRowCall) : []
}

function isId(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

/** Whether a stored value is a call. */
export function isRowCall(value: unknown): value is RowCall {
  return isPlainObject(value) && typeof value.call === 'string' && typeof value.subject === 'string'
}
