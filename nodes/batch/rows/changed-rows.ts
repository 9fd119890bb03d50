/** The changed rows of a list that has ended, as a list of their own: sent, they become new contracts. */
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Batch } from '../run/batch-state'
import { printOf, type ListedRow } from './parse-list'
import type { ReadList } from './read-message'
import { digest } from './row'

/**
 * Each row is called by its key and by what it now says, so that the same change, sent a second time, finds what was
 * made the first time. Undefined when no row has changed. Rejects as the store does.
 */
export async function changedRows({ head, rows, journal }: Batch): Promise<ReadList | undefined> {
  const listed: ListedRow[] = []
  for (const [index, { key, phase, changed }] of rows.all.entries()) {
    const said = phase === 'done' && changed ? await journal.content(index) : undefined
    if (!said) continue
    const fingerprint = printOf(said.content)
    listed.push({ key: `${key} (${fingerprint.slice(0, 8)})`, fingerprint, content: said.content })
  }
  if (listed.length === 0) return undefined
  const print = digest(listed.map(({ fingerprint }) => fingerprint).join())
  return { id: `${head.id} (changed)`, list: { rows: listed, print }, msg: deserializeMessage(head.msg) }
}
