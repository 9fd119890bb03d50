/**
 * Connects the nodes that handle the message of a row with the batch node whose list has this row. What other nodes do
 * for a row, and their errors, belong to its list.
 */
import { EidError, withCause } from '../../api/errors/errors'
import { isPlainObject, propertyOf } from '../../common/plain-object'
import { hosted, type HostOwner } from '../node-red/host'
import type { FlowMessage } from '../node-red/node-red'
import type { ErrorSubject, OccurredError } from './occurrences'
import { attemptOf, callsFor, rowOf, type Attempt, type RowCall, type RowName } from './row-calls'

/** A row. `run` identifies the run of its list; undefined if the message does not contain the run. */
export interface OwnedRow extends RowName {
  readonly run: string | undefined
}

/** An error of a row in another node, while the row was in the flow. */
export interface RowError extends OccurredError {
  readonly at: number
  readonly about: ErrorSubject
  /** The sentence without its end, which says whether the last call did anything: for a row, all calls count. */
  readonly reason: string
  /** True if the error stays although the row is done: something may have been done, or a file is missing. */
  readonly isLasting: boolean
  /** Set if a file could not be saved. */
  readonly isUnsaved?: true | undefined
}

/** The error with which a message ended, and whether a Catch node received it. */
interface LostRow {
  readonly error: EidError
  readonly isCaught: boolean
}

/** The node whose lists have rows. */
interface RowOwner {
  /** Stores these calls in place of the previous calls of the row; resolves when they are stored. */
  acted(row: OwnedRow, calls: readonly RowCall[]): Promise<void>
  /**
   * The row will not come back from this attempt: a deploy has stopped the node that held the message or, with `lost`,
   * the message ended with an error that no Catch node leads back.
   */
  stopped(row: RowName, attempt: Attempt, lost?: LostRow): void
  /** The message of the row has failed in another node. */
  failed(row: OwnedRow, error: RowError): void
  /** The message of the row has passed this node. */
  passed(row: OwnedRow, nodeId: string): void
}

const createOwners = () => new Map<string, Partial<RowOwner>>()

/** Makes `owner` own the rows of this batch node, until the returned function is called. */
export function ownRows(RED: HostOwner, nodeId: string, owner: Partial<RowOwner>): () => void {
  const owners = hosted(RED, createOwners)
  owners.set(nodeId, owner)
  return () => {
    if (owners.get(nodeId) === owner) owners.delete(nodeId)
  }
}

/** The row that the message carries, with its owner in this process; undefined without a row or an owner. */
export function ownedRow(RED: HostOwner, msg: FlowMessage): { row: OwnedRow; owner: Partial<RowOwner> } | undefined {
  const row = rowIn(RED, msg)
  const owner = row && hosted(RED, createOwners).get(row.node)
  return owner && { row, owner }
}

/**
 * The row of the message, even if its list belongs to another process that shares the store: in this case, the message
 * itself contains the node of the list.
 */
function rowIn(RED: HostOwner, msg: FlowMessage): OwnedRow | undefined {
  // A property that can't be read carries nothing.
  const names = ['_msgid', 'batch', '_batch', 'externalId'] as const
  const carried: FlowMessage = Object.fromEntries(names.map((name) => [name, propertyOf(msg, name)]))
  const [batch, own] = [carried.batch, carried._batch].map((one) => (isPlainObject(one) ? one : {}))
  const row =
    rowOf(RED, carried) ?? (typeof own?.node === 'string' && { node: own.node, batch: batch?.id, key: batch?.key })
  if (!row || typeof row.batch !== 'string' || typeof row.key !== 'string') return undefined
  return { node: row.node, batch: row.batch, key: row.key, run: typeof own?.run === 'string' ? own.run : undefined }
}

/**
 * Resolves when everything done for the row of this message has been stored; at once if the message carries no row.
 * Rejects with an EidError if storing fails: then nothing more may be done for the row.
 */
export async function keepActed(RED: HostOwner, msg: FlowMessage): Promise<void> {
  const owned = ownedRow(RED, msg)
  await owned?.owner.acted?.(owned.row, callsFor(RED, owned.row, msg)).catch((error: unknown) => {
    throw error instanceof EidError ? withCause(error, { outcome: 'not-done' }) : error
  })
}

/** Called when the node that held this message has been stopped, or when the message has ended with an error. */
export function rowStopped(RED: HostOwner, msg: FlowMessage, lost?: LostRow): void {
  const row = rowOf(RED, msg)
  if (row)
    hosted(RED, createOwners)
      .get(row.node)
      ?.stopped?.(row, attemptOf(RED, msg, row), lost)
}
