/** What the kept heads say of batches to those who only look: other Node-REDs, and a Node-RED that has restarted. */
import { isPlainObject } from '../../../lib/common/plain-object'
import type { BatchProgress, EndedBatch } from '../../../lib/runtime/monitor/batches'
import { listAll } from '../../../lib/store/list-all'
import type { Store } from '../../../lib/store/store'

export type EndedSummary = Omit<EndedBatch, 'node' | 'changed'>

/** The batches that have not ended, as others than the one that leads see them. */
export async function summaries(store: Store): Promise<Omit<BatchProgress, 'node'>[]> {
  const heads = (await listAll(store)).filter(({ id }) => id.startsWith('head/'))
  return heads.flatMap(({ summary }) => {
    if (!isPlainObject(summary) || typeof summary.id !== 'string' || summary.stage === 'ended') return []
    const { stage: _stage, ...listed } = summary
    return [listed as unknown as Omit<BatchProgress, 'node'>]
  })
}

/** The batches that have ended, in no order; those of an earlier version, which wrote no end, are left out. */
export async function endedSummaries(store: Store): Promise<EndedSummary[]> {
  const heads = (await listAll(store)).filter(({ id }) => id.startsWith('head/'))
  return heads.flatMap(({ summary }) => {
    if (!isPlainObject(summary) || typeof summary.id !== 'string' || typeof summary.ended !== 'number') return []
    const { id, total, done, failed, started, ended } = summary as unknown as EndedSummary
    return [{ id, total, done, failed, started, ended }]
  })
}
