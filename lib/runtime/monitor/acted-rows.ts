/**
 * Reports to a list what was done for a row, before more is done. Calls that must not be repeated are stored, so that
 * they are known after a kill or a restart too. A document under the row's own key need not be stored: the row finds
 * it.
 */
import { EidError, withCause } from '../../api/errors/errors'
import { isPlainObject } from '../../common/plain-object'
import type { FlowMessage } from '../node-red/node-red'
import { callsFor, rowOf, type RowCall, type RowName } from './row-calls'

/** A row, and the list run it belongs to if the message says so. */
export interface ActedRow extends RowName {
  readonly run: string | undefined
}

/** Resolves when these calls, which replace the previous ones, have been stored. */
type Keep = (row: ActedRow, calls: readonly RowCall[]) => Promise<void>

const keepers = new Map<string, Keep>()

/** `keep` stores what was done for the rows of this node until the returned function is called. */
export function onActedRows(nodeId: string, keep: Keep): () => void {
  keepers.set(nodeId, keep)
  return () => {
    if (keepers.get(nodeId) === keep) keepers.delete(nodeId)
  }
}

/**
 * Resolves when everything done for the row of this message has been stored; at once if it carries no row. Rejects with
 * an EidError if that fails: then nothing more may be done for it.
 */
export async function keepActed(msg: FlowMessage): Promise<void> {
  const row = actedRow(msg)
  const keep = row && keepers.get(row.node)
  if (!keep) return
  await keep(row, callsFor(row, msg)).catch((error: unknown) => {
    throw error instanceof EidError ? withCause(error, { outcome: 'not-done' }) : error
  })
}

/** The list may belong to another process that shares it: the message says whose it is. */
function actedRow(msg: FlowMessage): ActedRow | undefined {
  const [batch, own] = [msg.batch, msg._batch].map((one) => (isPlainObject(one) ? one : {}))
  const row = rowOf(msg) ?? (typeof own?.node === 'string' && { node: own.node, batch: batch?.id, key: batch?.key })
  if (!row || typeof row.batch !== 'string' || typeof row.key !== 'string') return undefined
  return { node: row.node, batch: row.batch, key: row.key, run: typeof own?.run === 'string' ? own.run : undefined }
}
