/**
 * Reports to a batch node which calls other nodes make for its rows. A call that must not be repeated is stored before
 * it is sent, so that it is known even after a kill or a restart. Creating a document with the row's own key need not
 * be stored, because the document can be found by this key.
 */
import { EidError, withCause } from '../../api/errors/errors'
import { isPlainObject } from '../../common/plain-object'
import type { FlowMessage } from '../node-red/node-red'
import { callsFor, rowOf, type RowCall, type RowName } from './row-calls'

/** A row. `run` identifies the run of its list; undefined if the message does not contain the run. */
export interface ActedRow extends RowName {
  readonly run: string | undefined
}

/** Stores these calls in place of the previous calls of the row; resolves when they are stored. */
type Keep = (row: ActedRow, calls: readonly RowCall[]) => Promise<void>

const keepers = new Map<string, Keep>()

/** Makes `keep` store what was done for the rows of this batch node, until the returned function is called. */
export function onActedRows(nodeId: string, keep: Keep): () => void {
  keepers.set(nodeId, keep)
  return () => {
    if (keepers.get(nodeId) === keep) keepers.delete(nodeId)
  }
}

/**
 * Resolves when everything done for the row of this message has been stored; at once if the message carries no row.
 * Rejects with an EidError if storing fails: then nothing more may be done for the row.
 */
export async function keepActed(msg: FlowMessage): Promise<void> {
  const row = actedRow(msg)
  const keep = row && keepers.get(row.node)
  if (!keep) return
  await keep(row, callsFor(row, msg)).catch((error: unknown) => {
    throw error instanceof EidError ? withCause(error, { outcome: 'not-done' }) : error
  })
}

/**
 * The row of the message, even if its list belongs to another process that shares the store: in this case, the message
 * itself contains the node of the list.
 */
function actedRow(msg: FlowMessage): ActedRow | undefined {
  const [batch, own] = [msg.batch, msg._batch].map((one) => (isPlainObject(one) ? one : {}))
  const row = rowOf(msg) ?? (typeof own?.node === 'string' && { node: own.node, batch: batch?.id, key: batch?.key })
  if (!row || typeof row.batch !== 'string' || typeof row.key !== 'string') return undefined
  return { node: row.node, batch: row.batch, key: row.key, run: typeof own?.run === 'string' ? own.run : undefined }
}
