/** The changed rows of an ended list, as a list of their own: sent, they become new contracts. */
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Batch } from './batch-state'
import { fingerprintOf, type ListedRow } from '../rows/parse-list'
import type { ReadList } from '../rows/read-message'
import { digest } from '../rows/row'

/**
 * Each row's key consists of its key and its current content, so that the same change, sent a second time, finds what
 * was created the first time. Undefined if no row has changed. Rejects as the store does.
 */
export async function changedRows({ head, rows, journal }: Batch): Promise<ReadList | undefined> {
  const listed: ListedRow[] = []
  for (const [index, { key, phase, changed }] of rows.all.entries()) {
    const said = phase === 'done' && changed ? await journal.content(index) : undefined
    if (!said) continue
    const fingerprint = fingerprintOf(said.content)
    listed.push({ key: `${key} (${fingerprint.slice(0, 8)})`, fingerprint, content: said.content })
  }
  if (listed.length === 0) return undefined
  const fingerprint = digest(listed.map(({ fingerprint }) => fingerprint).join())
  return { id: `${head.id} (changed)`, list: { rows: listed, fingerprint }, msg: deserializeMessage(head.msg) }
}
