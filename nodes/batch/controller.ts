/** Where lists, rows that come back, and what the person tells are taken: by this Node-RED alone, or by several. */
import type { BatchProgress } from '../../lib/runtime/monitor/batches'
import type { LiveNode } from '../../lib/runtime/node/live-node'
import { openNodeStore, orClose } from '../../lib/runtime/node/node-store'
import type { Origin } from './run/batch-state'
import type { Batches } from './run/queue'
import type { fields } from './batch.fields'
import type { ReadList } from './rows/read-message'
import { openBatches } from './run/open-queue'
import type { ReturningRow } from './rows/returning-row'
import type { RowEnd } from './rows/row'
import { forgetFlow } from './run/dispatcher'

export type Control = 'pause' | 'resume' | 'reset'

export interface Desk {
  /** `flowGoesOn`: what has left this node before it was stopped is still in the flow. */
  start(flowGoesOn: boolean): Promise<void>
  /** Rejects with an EidError when the list can't be taken. */
  take(list: ReadList, origin: Origin): Promise<void>
  /** False when there is no such row. */
  end(row: ReturningRow, end: RowEnd): Promise<boolean>
  /** Without an id: all. */
  control(what: Control, id: string | undefined): Promise<void>
  /** The batches as lists show them, without their node. */
  list(): Promise<Omit<BatchProgress, 'node'>[]>
  close(removed: boolean): Promise<void>
}

export type Live = LiveNode<typeof fields>

/** Throws EID_CONFIG when its store cannot be used. */
export async function openAlone(live: Live): Promise<Desk> {
  const store = openNodeStore(live, { kind: 'batches' })
  const { batches, progress } = await orClose(store, () => openBatches(live, store))
  return {
    start: (flowGoesOn) => batches.start(flowGoesOn),
    take: ({ id, list, msg }, origin) => batches.take(id, list, msg, origin),
    end: ({ id, key, sent }, end) => batches.end(id, key, sent, end),
    control: (what, id) => controlBatches(batches, what, id),
    list: () => Promise.resolve(progress.list()),
    async close(removed) {
      progress.stop()
      await batches.stop()
      await store.close(removed)
      if (removed) forgetFlow(live.node.id)
    },
  }
}

export function controlBatches(batches: Batches, what: Control, id: string | undefined): Promise<void> {
  return what === 'reset' ? batches.reset(id) : batches.pause(id, what === 'pause')
}
