/** Takes a batch from one stage to the next: each is written down before what belongs to it is done. */
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Store } from '../../../lib/store/store'
import type { Batch } from './batch-state'
import { keepEnds, saveHead, type Head } from './storage'

export async function setHead(store: Store, batch: Batch, changes: Partial<Head>): Promise<void> {
  const head = { ...batch.head, ...changes }
  await saveHead(store, head)
  batch.head = head
}

/** All rows have ended: reports, and keeps how they ended. May be repeated when it rejects. */
export async function conclude(
  store: Store,
  batch: Batch,
  report: (batch: Batch, msg: FlowMessage) => Promise<void>,
): Promise<void> {
  await setHead(store, batch, { stage: 'reporting' })
  if (!batch.reported) {
    const msg = batch.origins.at(-1)?.msg ?? deserializeMessage(batch.head.msg)
    if (batch.wasReporting) msg.redelivered = true
    await report(batch, msg)
    batch.reported = true
    for (const origin of batch.origins.splice(0)) origin.done()
  }
  await keepEnds(store, batch.head, batch.rows.all)
  await setHead(store, batch, { stage: 'ended' })
}
