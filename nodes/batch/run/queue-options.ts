/** The options of a batch node's queue: what it works with, and what it notifies. */
import type { ListRow } from '../../../lib/runtime/monitor/pending'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Clock } from '../../../lib/store/clock'
import type { Store } from '../../../lib/store/store'
import type { Counts } from '../rows/rows'
import type { Batch } from './batch-state'
import type { DispatcherOptions } from './dispatcher'
import type { LateOptions, EndedSummary } from './ended-lists'

export interface QueueOptions extends Omit<DispatcherOptions, 'batches' | 'signal'>, LateOptions {
  readonly store: Store
  readonly clock: Clock
  /** Milliseconds in which rows that were in flight at a deploy of other nodes may still come back. */
  readonly graceMs?: number
  changed(): void
  /** A list is in progress from now on, whatever happened to the previous one. */
  taken?(id: string): void
  /** The lists that ended before this start. */
  endedBefore?(lists: readonly EndedSummary[]): void
  /**
   * The rows of this batch that one of our nodes holds and will send back; rejects if that is unknown at the moment.
   */
  waitingRows?(id: string): Promise<readonly Pick<ListRow, 'mark'>[]>
  /** Whether this node is running and uses the sandbox now. */
  asksSandbox(nodeId: string): boolean
  /** Whether wires lead the rows to a node that uses the live service. */
  leadsToLive(): boolean
  /** This many rows of a list are sent again because they were only done in the sandbox. */
  rehearsed(id: string, count: number): void
  /** A batch was reset; `counts` is given if it was still open. */
  forgotten(id: string, counts: Counts | undefined): void
  /** All rows of a batch have ended. `msg` is the message that brought the list. */
  report(batch: Batch, msg: FlowMessage): Promise<void>
}
