/**
 * Handles lists, returning rows and commands, either in this process (run/) or in the instance that leads (cluster/).
 */
import type { ActedRow } from '../../lib/runtime/monitor/acted-rows'
import type { BatchProgress } from '../../lib/runtime/monitor/batches'
import type { RowCall } from '../../lib/runtime/monitor/row-calls'
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
  /** Rejects with an EidError if the list can't be taken. */
  take(list: ReadList, origin: Origin): Promise<void>
  /** Takes a row back; false if there is no such row. */
  end(row: ReturningRow, end: RowEnd): Promise<boolean>
  /** Resolves when the calls made for a row have been stored; rejects if storing them fails. */
  acted(row: ActedRow, calls: readonly RowCall[]): Promise<void>
  /**
   * Handles a row whose node was stopped while holding it. The row may come back if that node was sending it on;
   * otherwise it is lost.
   */
  stopped(id: string, key: string): void
  /** Carries out a command for one batch or, without an id, for all batches. */
  control(what: Control, id: string | undefined): Promise<void>
  /** The progress of the open batches, without the place of their node. */
  list(): Promise<Omit<BatchProgress, 'node'>[]>
  close(removed: boolean): Promise<void>
}

export type Live = LiveNode<typeof fields>
