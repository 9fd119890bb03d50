/**
 * Handles lists, returning rows, and commands. The work is done either in this process (`run/`) or in the instance that
 * leads (`cluster/`).
 */
import type { BatchProgress } from '../../lib/runtime/monitor/batches'
import type { Attempt, RowCall } from '../../lib/runtime/monitor/row-calls'
import type { OwnedRow, RowError } from '../../lib/runtime/monitor/row-owners'
import type { LiveNode } from '../../lib/runtime/node/live-node'
import type { Origin } from './run/batch-state'
import type { fields } from './batch.fields'
import type { ReadList } from './rows/read-list'
import type { ReturningRow } from './rows/row-message'
import type { RowEnd } from './rows/row'

export type Control = 'pause' | 'resume' | 'reset'

export interface Controller {
  /** `flowGoesOn` means that rows that left this node before it was stopped are still in the flow. */
  start(flowGoesOn: boolean): Promise<void>
  /** Reads the stored lists again, because some were moved to this node. */
  reread(): Promise<void>
  /** Rejects with an EidError if the list can't be taken. */
  take(list: ReadList, origin: Origin): Promise<void>
  /** Called when a row comes back; false if no open batch of this node has this row. */
  end(row: ReturningRow, end: RowEnd): Promise<boolean>
  /** Resolves when the calls made for a row have been stored; rejects if storing them fails. */
  acted(row: OwnedRow, calls: readonly RowCall[]): Promise<void>
  /**
   * Called when the node that held this row was stopped. The row may still come back if that node was already sending
   * it on; otherwise this attempt is lost. With `end`, the row has failed and no Catch node has received its error: it
   * may still come back from another branch of the flow.
   */
  stopped(id: string, key: string, attempt?: Attempt, end?: RowEnd): void
  /** Called when the message of a row has failed in another node. */
  failed(row: OwnedRow, error: RowError): Promise<void>
  /** Called when the message of a row has passed another node. */
  passed(row: OwnedRow, nodeId: string): Promise<void>
  /** Carries out a command for one batch or, without an id, for all batches. */
  control(what: Control, id: string | undefined): Promise<void>
  /** The report of an ended batch as CSV; undefined if this process does not have it. */
  report(id: string): Promise<string | Buffer | undefined>
  /** Takes the errors of an ended batch off the lists; its report stays. False if this process does not have it. */
  dismiss(id: string): Promise<boolean>
  /** Returns the progress of the open batches. The property `node` is left out, because the caller adds it. */
  list(): Promise<Omit<BatchProgress, 'node'>[]>
  close(): Promise<void>
}

export type Live = LiveNode<typeof fields>
