/** The message with which a row leaves its node. */
import { randomBytes } from 'node:crypto'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { externalIdOf, idsIn, type Row } from '../rows/row'
import type { Batch } from './batch-state'

export function messageFor(nodeId: string, { head, rows }: Batch, row: Row, content: unknown) {
  const msg = deserializeMessage(head.msg)
  const externalId = externalIdOf(nodeId, head.id, row.key)
  return {
    ...msg,
    // Set here, not by Node-RED: most nodes pass it on, whatever else they drop.
    _msgid: randomBytes(8).toString('hex'),
    payload: deserializeMessage({ row: content }).row,
    batch: { id: head.id, key: row.key, row: rows.indexOf(row) + 1, of: rows.all.length },
    externalId,
    _batch: { node: nodeId, run: head.run, sent: row.sent, externalId, ids: idsIn(msg) },
    ...(row.lost > 0 && { redelivered: true }),
  }
}
