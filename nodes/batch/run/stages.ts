/** Moves a batch from one stage to the next: each stage is stored before its work is done. */
import { delivered } from '../../../lib/runtime/node-red/next-turn'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { systemClock } from '../../../lib/store/clock'
import type { Store } from '../../../lib/store/store'
import type { Batch } from './batch-state'
import { keepEnds, saveHead, type Head } from './storage'

/** `progress` is for other instances to show. */
export async function setHead(store: Store, batch: Batch, changes: Partial<Head>, progress = {}): Promise<void> {
  const head = { ...batch.head, ...changes }
  await saveHead(store, head, progress)
  batch.head = head
}

/** All rows have ended: reports, and stores how they ended. May be repeated if it rejects; `signal` stops it. */
export async function conclude(
  store: Store,
  batch: Batch,
  report: (batch: Batch, msg: FlowMessage) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await setHead(store, batch, { stage: 'reporting' })
  if (!batch.reported) {
    const msg = batch.origins.at(-1)?.msg ?? deserializeMessage(batch.head.msg)
    if (batch.wasReporting) msg.redelivered = true
    await report(batch, msg)
    await delivered()
    // If stopped in that very turn, the next nodes may have been gone: it is sent again after the deploy.
    if (signal.aborted) return
    batch.reported = true
    for (const origin of batch.origins.splice(0)) origin.done()
  }
  await keepEnds(store, batch.head, batch.rows.all)
  const { done, failed } = batch.rows.counts
  await setHead(store, batch, { stage: 'ended' }, { done, failed, ended: systemClock.epochNow() })
}
