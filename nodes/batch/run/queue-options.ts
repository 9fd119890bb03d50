/** What the queue of a batch node is given: what it works with, and whom it notifies. */
import type { ListRow } from '../../../lib/runtime/monitor/pending'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Clock } from '../../../lib/store/clock'
import type { Store } from '../../../lib/store/store'
import type { Counts } from '../rows/rows'
import type { Batch } from './batch-state'
import type { DispatcherOptions } from './dispatcher'
import type { LateOptions } from './late-end'
import type { EndedSummary } from './summaries'

export interface QueueOptions extends Omit<DispatcherOptions, 'batches' | 'signal'>, LateOptions {
  readonly store: Store
  readonly clock: Clock
  /** Milliseconds for which the rows that were in flight at a deploy of other nodes may still come back. */
  readonly graceMs?: number
  changed(): void
  /** A list is being worked on from now on, whatever became of the one before. */
  taken?(id: string): void
  /** The lists that ended before this start. */
  endedBefore?(lists: readonly EndedSummary[]): void
  /** The rows of this batch that a node of ours holds and will send back; rejects when that is unknown at the moment. */
  waitingRows?(id: string): Promise<readonly Pick<ListRow, 'mark'>[]>
  /** Whether this node runs, and asks the sandbox now. */
  asksSandbox(nodeId: string): boolean
  /** Whether wires lead the rows to a node that asks the live service. */
  leadsToLive(): boolean
  /** So many rows of a list are sent again because they were only done in the sandbox. */
  rehearsed(id: string, count: number): void
  /** A batch was reset; `counts` when it had not ended. */
  forgotten(id: string, counts: Counts | undefined): void
  /** All rows of a batch have ended. `msg` is the message that brought the list. */
  report(batch: Batch, msg: FlowMessage): Promise<void>
}
