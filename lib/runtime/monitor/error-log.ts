/**
 * The latest errors of our nodes, as sentences that people can read later: what failed, in which node, and whether
 * anything was done. Contains no messages and no personal data.
 */
import { randomUUID } from 'node:crypto'
import { mayHaveActed, type EidError, type ErrorCode, type Outcome } from '../../api/errors/errors'
import { redact } from '../../api/errors/redact'
import { isPlainObject, propertyOf } from '../../common/plain-object'
import { defaultLimits, type Store } from '../../store/store'
import { systemClock } from '../../store/clock'
import type { Asked } from '../node-red/client-node'
import type { FlowMessage, RuntimeNode } from '../node-red/node-red'
import { reportOccurrence, type Ended, type ErrorSubject, type FailedItem } from './occurrences'
import { saidOf, type Found, type Said } from './error-sentence'
import { nodeOf, type FailedNode } from './failed-node'
import { addSubjects, afterStep, amongRows, listOf, outlastsRows, rowMarksOf, rowOf, withoutRows } from './error-rows'
import type { RowStep, Subjects } from './error-rows'
import { keepMessage, takeMessage } from './kept-messages'
import { currentSalt, markOf, useSalt } from './key-marks'
import { addOpen, openMessage, withoutOpen, type OpenMessage } from './open-messages'
import { noteFailed } from './row-calls'
import { afterMade, isDoubtfulCreation, isForeign, isRemade, withoutEarlyLook } from './second-document'
import { rowStopped } from './stopped-rows'
import { whenCaughtIsKnown } from './uncaught'
import { isSameFile, unsavedFile } from './unsaved-files'

/**
 * One error. If the same node reports the same sentence again, the error is counted, not listed twice. Times:
 * milliseconds since 1970.
 */
export interface ErrorEntry extends Subjects {
  readonly id: string
  /** When the error last occurred. */
  readonly at: number
  readonly since: number
  readonly count: number
  readonly code: ErrorCode
  /** In Node-RED's own language. */
  readonly text: string
  /** The key and parameters of the sentence, for readers in another language. */
  readonly said?: Said
  /** Whether something may have been done; `not-done` for a call that only reads. */
  readonly outcome: Outcome
  /** The call, such as `POST /signature/documents/4711/cancel`. */
  readonly call?: string
  readonly status?: number
  readonly requestId?: string
  /** The ids of the waits that ended with this error, most recent first; at most `maxWaits` of them. */
  readonly waits?: readonly string[]
  /** The client and the service with which to look for the document. Set only if a document may have been created. */
  readonly asked?: Asked
  /** The answer of the service when a person looked the document up; undefined once the error has occurred again. */
  readonly found?: Found | undefined
  readonly foundAt?: number
  /** True if the flow has created the document since, with another generated key. */
  readonly remade?: boolean
  /** A hash of the document's key, by which documents are told apart. Keys may be personal, so they are not stored. */
  readonly mark?: string
  /** The messages that have not passed the node since they failed there. */
  readonly open?: readonly OpenMessage[] | undefined
  readonly node: FailedNode
}

export const maxEntries = 100
const maxWaits = 100
/** Milliseconds between two writes of the list. */
const writePaceMs = 1000
const itemId = 'latest'

/** Newest first. */
let entries: readonly ErrorEntry[] = []
let store: Store | undefined
let pause: NodeJS.Timeout | undefined
let changed = false
/** The errors recorded so far: an error that is reported in two places is recorded once. */
const recorded = new WeakSet<object>()

/** Additional facts about an error that a node reports. The rows are needed only if the message itself carries none. */
interface Reported extends Pick<Subjects, 'rows' | 'rowMarks'> {
  /** Id of the node's client. */
  readonly client?: unknown
  readonly asked?: Asked | undefined
  readonly item?: FailedItem | undefined
  /** True if the node reports the error as a warning, which Catch nodes do not receive. */
  readonly isWarning?: boolean
  /** Id of the wait that ended with the error. */
  readonly wait?: string | undefined
  /** How the wait ended. Set only if the list of ended waits contains this wait too. */
  readonly ended?: Ended | undefined
}

/** Notes an error that a node is about to report. `thrown` is the original error, `msg` the message it concerns. */
export function recordError(
  node: RuntimeNode,
  error: EidError,
  thrown: unknown = error,
  msg: FlowMessage = {},
  { client, asked: askedOf, item, wait, ended, isWarning = false, ...said }: Reported = {},
): void {
  if (typeof thrown === 'object' && thrown !== null) {
    if (recorded.has(thrown)) return
    recorded.add(thrown)
  }
  noteFailed(msg, node.id)
  const now = systemClock.epochNow()
  const { rows = rowOf(msg), rowMarks = rowMarksOf(msg) } = said
  const asked = isDoubtfulCreation(error) ? askedOf : undefined
  // Errors about different documents that may have been created are not counted as one: each needs attention.
  const key = markOf(propertyOf(msg, 'externalId'))
  const mark = asked && key
  const list = listOf(msg)
  const file = unsavedFile({ said: saidOf(error) })
  const isSame = (one: ErrorEntry) =>
    one.node.id === node.id &&
    one.code === error.code &&
    one.text === error.message &&
    one.mark === mark &&
    unsavedFile(one) === file &&
    ((mark ?? file) !== undefined || one.list === list) &&
    !isForeign(one, asked)
  const before = entries.find(isSame)
  const latest = before
    ? { ...before, at: now, count: before.count + 1, found: undefined, ...detailsOf(error) }
    : { id: randomUUID(), at: now, since: now, count: 1, node: nodeOf(node), ...detailsOf(error) }
  const about = errorSubject(error, msg, item)
  const known = before?.waits ?? []
  const waits = wait === undefined ? known : [...new Set([wait, ...known])].slice(0, maxWaits)
  const lists = {
    ...addSubjects(before, rows, about.title, rowMarks),
    ...(list !== undefined && { list }),
    ...(waits.length > 0 && { waits }),
  }
  const more = {
    ...lists,
    ...addOpen(before, openMessage(msg, about.title)),
    ...(asked && { asked }),
    ...(mark !== undefined && { mark }),
    ...(entries.some((one) => one.node.id === node.id && isRemade(one, mark, asked)) && { remade: true }),
  }
  const entry: ErrorEntry = { ...latest, ...more }
  const carried = { row: rows.length > 0, message: Object.keys(msg).length > 0 }
  // The message of a row is not kept, because the report of the list shows what to do with the row.
  if (asked && !carried.row && !entry.remade) keepMessage(entry.id, msg)
  set([entry, ...entries.filter((one) => one !== before)])
  whenCaughtIsKnown(node.id, (isCaught) => {
    const caught = isCaught && !isWarning
    const more = { client: typeof client === 'string' ? client : undefined, item: item?.mark, ended }
    reportOccurrence({ what: 'error', entry, about, caught, ...carried, ...more })
    if (carried.row && !isWarning) rowStopped(msg, { error, isCaught })
  })
}

/** Takes only the document's id from the message, as a title may be a person's name, and only if that is the subject. */
function errorSubject({ cause }: EidError, msg: FlowMessage, item: Partial<FailedItem> = {}): ErrorSubject {
  const { mark: _mark, ...named } = item
  const { title = item.title, externalId = item.externalId } = cause
  const isOther = (item.shareId ?? item.depositId ?? item.sessionId) !== undefined
  const id = cause.documentId ?? item.documentId ?? (isOther ? undefined : propertyOf(msg, 'documentId'))
  return {
    ...named,
    ...(title !== undefined && { title }),
    ...(externalId !== undefined && { externalId }),
    ...(typeof id === 'string' && id !== '' && { documentId: redact(id) }),
  }
}

/**
 * Called when a batch of `node` has ended. Settles the errors of rows that its list no longer has and the errors about
 * lists that the node refused. `left` contains the rows of the list, as messages carry them in `batch`; only those are
 * needed that are in `rowMarks` of an error. An error stays if its rows can't be recognized. It also stays if it is not
 * answered by this (`outlastsRows`): the batch may be another one of the same name.
 */
export function settleList(node: string, name: string, left: readonly unknown[]): void {
  const isLeft = amongRows(left)
  const isGone = (row: string, mark: string | undefined) => mark !== undefined && !isLeft(row, mark)
  const isRefusal = (one: ErrorEntry) => one.node.id === node && one.code === 'EID_INVALID_INPUT' && !one.list
  const settled = (one: ErrorEntry): ErrorEntry[] => {
    if (isRefusal(one)) return []
    if (one.list !== `${node}/${name}`) return [one]
    // The node's own error about the list is dropped, because the node reports the end of the list again.
    if (one.node.id === node) return []
    const rest = outlastsRows(one) ? one : withoutRows(one, isGone)
    return rest ? [rest] : []
  }
  setChanged(entries.flatMap(settled))
}

/**
 * Called when this has happened to rows of a batch of `node`. Settles what other nodes reported about these rows before.
 * `rows` as messages carry them in `batch`.
 */
export function settleRows(node: string, name: string, rows: readonly unknown[], step: RowStep = 'sent'): void {
  const isOther = (one: ErrorEntry) => one.list !== `${node}/${name}` || one.node.id === node
  if (entries.every(isOther)) return
  const isRow = amongRows(rows)
  setChanged(entries.flatMap((one) => (isOther(one) ? one : (afterStep(one, step, isRow) ?? []))))
}

/**
 * Called when a message has passed this node. Settles the earlier errors that this message, or another message with the
 * same key, had in this node. If it is unknown whether something was done, the error stays, because a later success
 * does not answer this. An error while creating a document is settled, because a second attempt finds the first
 * document, but only at the same service: `asked` is the one that has answered this message.
 */
export function settleMessage(node: RuntimeNode, msg: FlowMessage, asked?: Asked): void {
  if (!entries.some((one) => one.node.id === node.id)) return
  const passed = openMessage(msg)
  const settled = (one: ErrorEntry): ErrorEntry[] => {
    const isAnswered = one.outcome !== 'unknown' || one.asked !== undefined
    // The same message may pass with another file.
    const isAtNode = one.node.id === node.id && !isForeign(one, asked) && unsavedFile(one) === undefined
    const open = isAtNode && isAnswered ? withoutOpen(one, passed) : one
    const left = isAtNode && open ? afterMade(open, msg) : open
    if (!left) takeMessage(one.id)
    return left ? [left] : []
  }
  setChanged(entries.flatMap(settled))
}

/** Called when this node has saved a file (`file` from `fileKey`). Settles its errors that this file is not saved. */
export function settleSaved(node: string, file: string): void {
  setChanged(entries.filter((one) => one.node.id !== node || !isSameFile(unsavedFile(one), file)))
}

/** Notes whether the document exists, unless the error has occurred again since `entry` was read. */
export function noteFound({ id, count }: ErrorEntry, found: Found): void {
  const foundAt = systemClock.epochNow()
  set(entries.map((one) => (one.id === id && one.count === count ? { ...one, found, foundAt } : one)))
}

/** The latest errors, newest first. */
export function listErrors(): readonly ErrorEntry[] {
  return entries.map(withoutEarlyLook)
}

/** Removes the error with this id or, without an id, all errors. False if there was nothing to remove. */
export function dismissError(id?: string): boolean {
  const left = id === undefined ? [] : entries.filter((one) => one.id !== id)
  const isGone = left.length < entries.length
  takeMessage(id)
  if (isGone) set(left)
  return isGone
}

/**
 * Loads the errors stored by an earlier run, and stores new errors from now on: at once, or once a second if there are
 * many. Never rejects; errors that can't be stored are in memory only.
 */
export async function keepErrors(storage: Store): Promise<void> {
  const item = await storage.get(itemId).catch(() => undefined)
  const stored = isPlainObject(item?.body) ? item.body : {}
  const earlier = Array.isArray(stored.entries) ? stored.entries.filter(isErrorEntry) : []
  // The messages of stored errors are recognized by hashes that were made with this salt.
  useSalt(stored.salt)
  const known = new Set(entries.map(({ id }) => id))
  entries = [...entries, ...earlier.filter(({ id }) => !known.has(id))].slice(0, maxEntries)
  store = storage
}

/** The maximum size of the stored list. */
export const errorLogLimits = { maxItems: 1, maxBytes: defaultLimits.maxBytes }

function setChanged(next: readonly ErrorEntry[]): void {
  if (next.some((one, at) => one !== entries[at]) || next.length < entries.length) set(next)
}

function set(next: readonly ErrorEntry[]): void {
  entries = next.slice(0, maxEntries)
  changed = true
  if (!pause) write()
}

function write(): void {
  pause = undefined
  if (!changed || !store) return
  changed = false
  pause = setTimeout(write, writePaceMs).unref()
  // The store itself reports a failed write.
  store.put(itemId, { body: { salt: currentSalt(), entries } }).catch(() => undefined)
}

function detailsOf(error: EidError) {
  const { code, message, cause } = error
  const { method, path, status, requestId } = cause
  const outcome: Outcome = mayHaveActed(cause) ? 'unknown' : 'not-done'
  const call = method === undefined ? undefined : `${method} ${path ?? ''}`
  return { code, text: message, said: saidOf(error), outcome, call, status, requestId }
}

/** True for a valid entry. Entries that were stored, or that another Node-RED reports, may be from another version. */
export function isErrorEntry(value: unknown): value is ErrorEntry {
  const { id, at, text, node } = (value ?? {}) as Partial<ErrorEntry>
  return typeof id === 'string' && typeof at === 'number' && typeof text === 'string' && Array.isArray(node?.places)
}
