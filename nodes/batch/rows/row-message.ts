/** Builds the message of a row when the row leaves its node, and reads the message when the row comes back. */
import { randomBytes } from 'node:crypto'
import { operations } from '../../../lib/api/operations/operations'
import { isPlainObject, type PlainObject } from '../../../lib/common/plain-object'
import { attemptOf, failedIn, type Attempt, type RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { HostOwner } from '../../../lib/runtime/node-red/host'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { externalIdOf, idNames, maxProblem, servicesIn, type Ids, type Result, type Row, type RowEnd } from './row'
import { rowPlaceOf, type Listed, type Rows } from './rows'

/** The part of a batch that goes into a row's message. */
interface FromBatch {
  readonly head: Listed['head'] & {
    readonly run?: string
    readonly takenBy?: string
    readonly started: number
    readonly msg: PlainObject
  }
  readonly rows: Rows
}

interface RowContent {
  readonly content: unknown
  /** Numbers and dates as their cells show them. */
  readonly shown?: Readonly<Record<string, string>>
}

/** The message with which a row leaves the node. */
export function messageFor(nodeId: string, from: FromBatch, row: Row, { content, shown }: RowContent) {
  const { head, rows } = from
  const msg = deserializeMessage(head.msg)
  const externalId = externalIdOf(head.takenBy ?? nodeId, head.id, row.key)
  const payload = deserializeMessage({ row: content }).row
  const columns = columnsOf(payload, shown)
  return {
    ...msg,
    // Set here and not by Node-RED, so that calls can be assigned to the row by this id: most nodes keep `_msgid` even
    // if they drop other properties.
    _msgid: randomBytes(8).toString('hex'),
    payload,
    batch: { ...rowPlaceOf(from, row), of: rows.counts.total, ...(columns && shown && { shown }) },
    externalId,
    // The texts of a row show when its list began, also if the row is sent again on another day.
    eidMoment: new Date(head.started).toISOString(),
    _batch: { node: nodeId, run: head.run, sent: row.sent, externalId, ids: idsIn(msg), ...(columns && { columns }) },
    ...(row.lost > 0 && { redelivered: true }),
  }
}

/**
 * Maximum length of a row's columns in characters. Longer ones are left out, because the message may be stored for
 * months.
 */
const maxColumns = 8_000

/**
 * The texts and numbers of a row, for later nodes whose fields name columns in braces; undefined if the row has none. If
 * they are too long, only those that their cells show in another way are returned.
 */
function columnsOf(payload: unknown, shown: RowContent['shown'] = {}): Record<string, string | number> | undefined {
  if (!isPlainObject(payload)) return undefined
  const cells = Object.entries(payload).filter(
    (cell): cell is [string, string | number] => typeof cell[1] === 'string' || typeof cell[1] === 'number',
  )
  const isShort = (some: typeof cells) =>
    some.length > 0 && some.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0) <= maxColumns
  const kept = [cells, cells.filter(([name]) => Object.hasOwn(shown, name))].find(isShort)
  return kept && Object.fromEntries(kept)
}

/** One attempt to send a row. */
export interface SentRow extends Attempt {
  readonly id: string
  readonly key: string
}

export interface ReturningRow extends SentRow {
  /** Whether the message names this node as its sender; if not, the row may belong to another node. */
  readonly isOurs: boolean
  /** The sender that the message names, if it is another node. Its list may have moved to this node since. */
  readonly sender?: string
}

/** Reads a row from a message; undefined if the message is not a row of a list. */
export function returningRow(RED: HostOwner, msg: FlowMessage, nodeId: string): ReturningRow | undefined {
  const { batch, _batch } = msg
  if (!isPlainObject(batch)) return undefined
  const { id, key } = batch
  if (typeof id !== 'string' || typeof key !== 'string') return undefined
  const { node } = isPlainObject(_batch) ? _batch : {}
  const attempt = attemptOf(RED, msg, { node: nodeId, batch: id, key })
  if (node === undefined || node === nodeId) return { id, key, ...attempt, isOurs: node === nodeId }
  return typeof node === 'string' ? { id, key, ...attempt, isOurs: false, sender: node } : undefined
}

/** The ids on a message. */
function idsIn(msg: Readonly<Record<string, unknown>>): Ids {
  return Object.fromEntries(
    idNames.flatMap((name) => (isText(msg[name]) && msg[name] !== '' ? [[name, String(msg[name])]] : [])),
  )
}

/**
 * Reads the result of a row from the message with which it came back: from the end of the flow or, if the message has
 * `msg.error`, from a Catch node.
 */
export function endFrom(msg: FlowMessage, calls: readonly RowCall[]): RowEnd {
  const before = isPlainObject(msg._batch) && isPlainObject(msg._batch.ids) ? msg._batch.ids : {}
  // Ids that the row already had came from the list and were not created for the row.
  const ids: Ids = Object.fromEntries(Object.entries(idsIn(msg)).filter(([name, id]) => before[name] !== id))
  const { error } = msg
  const services = servicesIn(calls)
  const isWell = error === undefined || error === null || error === false || error === ''
  if (isWell) return { failed: false, result: ids, services, failedIn: failedIn(msg) }
  const { code, message, cause } = isPlainObject(error) ? error : { message: error }
  // The outcome is unknown unless the error says that nothing was done, or that the call only reads.
  const isUndone = isPlainObject(cause) && (cause.outcome === 'not-done' || cause.method === 'GET')
  const outcome = isUndone ? 'not-done' : 'unknown'
  const problem = isText(message) ? String(message).slice(0, maxProblem) : ''
  const result: Result = { ...ids, ...(isText(code) && { code: String(code) }), outcome, problem }
  const doubtfulKey = outcome === 'unknown' ? createdKeyIn(cause) : undefined
  const isRefused = areValuesRefused(code, cause)
  return {
    failed: true,
    outcome,
    result,
    calls,
    services,
    isRefused,
    ...(doubtfulKey !== undefined && { doubtfulKey }),
  }
}

/**
 * Whether the same row would be refused again: by our own validation, or by the service because of single fields. A
 * missing file does not count, because it may exist the next time. Invalid input found after a call does not count
 * either, because the service's next answer may be different.
 */
function areValuesRefused(code: unknown, cause: unknown): boolean {
  if (!isPlainObject(cause)) return false
  const { attempts, problems, status, errors } = cause
  const isFile = (one: unknown) => isPlainObject(one) && /^files?$/.test(String(one.path))
  if (code === 'EID_INVALID_INPUT') return attempts === 0 && Array.isArray(problems) && !problems.some(isFile)
  const isField = (one: unknown) => isPlainObject(one) && typeof one.field === 'string' && one.field !== ''
  return code === 'EID_REFUSED' && (status === 400 || status === 422) && Array.isArray(errors) && errors.some(isField)
}

function createdKeyIn(cause: unknown): string | undefined {
  const { method, path } = operations.createDocument
  const isCreation = isPlainObject(cause) && cause.method === method && cause.path === path
  return isCreation && typeof cause.externalId === 'string' ? cause.externalId : undefined
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
