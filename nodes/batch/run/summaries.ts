/** What the stored heads show of batches to those who only look: other Node-REDs, and a restarted Node-RED. */
import { isPlainObject } from '../../../lib/common/plain-object'
import type { BatchProgress, EndedBatch } from '../../../lib/runtime/monitor/batches'
import { listAll } from '../../../lib/store/list-all'
import type { Store } from '../../../lib/store/store'

export type EndedSummary = Omit<EndedBatch, 'node' | 'changed'>

/** The open batches, as instances other than the leader see them. */
export async function summaries(store: Store): Promise<Omit<BatchProgress, 'node'>[]> {
  const heads = (await listAll(store)).filter(({ id }) => id.startsWith('head/'))
  return heads.flatMap(({ summary }) => {
    if (!isPlainObject(summary) || typeof summary.id !== 'string' || summary.stage === 'ended') return []
    const { stage: _stage, ...listed } = summary
    return [listed as unknown as Omit<BatchProgress, 'node'>]
  })
}

/** The ended batches, in no particular order; those of an earlier version, which stored no end, are left out. */
export async function endedSummaries(store: Store): Promise<EndedSummary[]> {
  const heads = (await listAll(store)).filter(({ id }) => id.startsWith('head/'))
  return heads.flatMap(({ summary }) => {
    if (!isPlainObject(summary) || typeof summary.id !== 'string' || typeof summary.ended !== 'number') return []
    const { id, total, done, failed, started, ended } = summary as unknown as EndedSummary
    return [{ id, total, done, failed, started, ended }]
  })
}
