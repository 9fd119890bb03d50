/** The message with which a row leaves its node. */
import { randomBytes } from 'node:crypto'
import { isPlainObject } from '../../../lib/common/plain-object'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { externalIdOf, idsIn, type Row } from '../rows/row'
import type { Batch } from './batch-state'

export function messageFor(nodeId: string, { head, rows }: Batch, row: Row, content: unknown) {
  const msg = deserializeMessage(head.msg)
  const externalId = externalIdOf(nodeId, head.id, row.key)
  const payload = deserializeMessage({ row: content }).row
  const columns = columnsOf(payload)
  return {
    ...msg,
    // Set here instead of by Node-RED, because most nodes keep it, whatever else they drop.
    _msgid: randomBytes(8).toString('hex'),
    payload,
    batch: { id: head.id, key: row.key, row: rows.indexOf(row) + 1, of: rows.all.length },
    externalId,
    _batch: { node: nodeId, run: head.run, sent: row.sent, externalId, ids: idsIn(msg), ...(columns && { columns }) },
    ...(row.lost > 0 && { redelivered: true }),
  }
}

/** Maximum characters of a row's texts that a message carries along; it may wait for months. */
const maxColumns = 8_000

/** The texts and numbers of a row, for fields in braces of later nodes; undefined for a row without columns. */
function columnsOf(payload: unknown): Record<string, string | number> | undefined {
  if (!isPlainObject(payload)) return undefined
  const cells = Object.entries(payload).filter(
    (cell): cell is [string, string | number] => typeof cell[1] === 'string' || typeof cell[1] === 'number',
  )
  const length = cells.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0)
  return cells.length > 0 && length <= maxColumns ? Object.fromEntries(cells) : undefined
}
