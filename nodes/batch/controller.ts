/** Handles lists, returning rows and commands, for one instance or (cluster/) for several. */
import type { ActedRow } from '../../lib/runtime/monitor/acted-rows'
import type { BatchProgress } from '../../lib/runtime/monitor/batches'
import type { RowCall } from '../../lib/runtime/monitor/row-calls'
import type { LiveNode } from '../../lib/runtime/node/live-node'
import { openNodeStore, orClose } from '../../lib/runtime/node/node-store'
import type { Origin } from './run/batch-state'
import type { fields } from './batch.fields'
import type { ReadList } from './rows/read-list'
import type { ReturningRow } from './rows/row-message'
import { openQueue } from './run/open-queue'
import type { RowEnd } from './rows/row'
import { forgetNode } from './run/in-flight'
import type { EndedLists } from './run/ended-lists'
import type { BatchQueue } from './run/queue'

export type Control = 'pause' | 'resume' | 'reset'

export interface Controller {
  /** `flowGoesOn`: rows that left this node before it was stopped are still in the flow. */
  start(flowGoesOn: boolean): Promise<void>
  /** Rejects with an EidError if the list can't be taken. */
  take(list: ReadList, origin: Origin): Promise<void>
  /** False if there is no such row. */
  end(row: ReturningRow, end: RowEnd): Promise<boolean>
  /** Resolves when what was done for a row has been stored; rejects if that fails. */
  acted(row: ActedRow, calls: readonly RowCall[]): Promise<void>
  /** Without an id: all batches. */
  control(what: Control, id: string | undefined): Promise<void>
  /** The batches as lists show them, without their node. */
  list(): Promise<Omit<BatchProgress, 'node'>[]>
  close(removed: boolean): Promise<void>
}

export type Live = LiveNode<typeof fields>

/** Throws EID_CONFIG if its store can't be used. */
export async function openLocal(live: Live, ended: EndedLists): Promise<Controller> {
  const store = openNodeStore(live, { kind: 'batches' })
  const { queue, progress } = await orClose(store, () => openQueue(live, store, ended))
  return {
    start: (flowGoesOn) => queue.start(flowGoesOn),
    take: ({ id, list, msg }, origin) => queue.take(id, list, msg, origin),
    end: ({ id, key, sent, run }, end) => queue.end(id, key, sent, end, run),
    acted: (row, calls) => queue.acted(row, calls),
    control: (what, id) => controlQueue(queue, what, id),
    list: () => Promise.resolve(progress.list()),
    async close(removed) {
      progress.stop()
      await queue.stop()
      await store.close(removed)
      if (removed) forgetNode(live.node.id)
    },
  }
}

/** `since`: when it was requested, if that may have been a while ago; anything newer stays. */
export function controlQueue(queue: BatchQueue, what: Control, id: string | undefined, since?: number): Promise<void> {
  return what === 'reset' ? queue.reset(id, since) : queue.pause(id, what === 'pause')
}
