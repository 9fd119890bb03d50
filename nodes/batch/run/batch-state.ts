/** One list that is being worked off, and the batches of a node together. */
import type { ActedRow } from '../../../lib/runtime/monitor/acted-rows'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Store } from '../../../lib/store/store'
import { createJournal, findHead, readKept, type Head, type Journal } from './storage'
import { hasEnded, type Row } from '../rows/row'
import type { Rows } from '../rows/rows'

export interface Batch {
  head: Head
  readonly rows: Rows
  readonly journal: Journal
  /** The messages whose lists are part of it, from since the flow was started. */
  readonly origins: Origin[]
  /** Node-RED ended while the report was being sent. */
  readonly wasReporting: boolean
  reported: boolean
  /** How many rows have ended without that being written down yet: before it is, nothing is reported. */
  unwritten: number
  /** A new list is taking its place: nothing further is sent from this one. */
  superseded: boolean
}

/** The message that brought a list, and how it ends. */
export interface Origin {
  readonly msg: FlowMessage
  done(): void
}

/** True when a row was sent before the batch was reset: it says nothing about the batch that has this name now. */
export function isOfAnother({ run }: Pick<Head, 'run'>, sentIn: string | undefined): boolean {
  return run !== undefined && sentIn !== undefined && run !== sentIn
}

export function createBatch(store: Store, head: Head, rows: Rows, origins: Origin[]): Batch {
  const journal = createJournal(store, head, rows.all)
  return {
    head,
    rows,
    journal,
    origins,
    wasReporting: head.stage === 'reporting',
    reported: false,
    unwritten: 0,
    superseded: false,
  }
}

/** The batches that have not ended, by their ids. */
export class BatchSet extends Map<string, Batch> {
  /** The batch that a row belongs to by now: a new list may have taken the place of the one it was sent from. */
  holderOf(id: string, row: Row): Batch | undefined {
    const batch = this.get(id)
    return batch && batch.rows.indexOf(row) >= 0 ? batch : undefined
  }

  /** Resolves when the progress of the row is stored; at once when no run holds it any more. */
  async save(id: string, row: Row): Promise<void> {
    const batch = this.holderOf(id, row)
    await batch?.journal.save(batch.rows.indexOf(row))
  }

  /** All batches, finished ones too, or only this one. */
  async heads(store: Store, id: string | undefined): Promise<readonly Head[]> {
    if (id === undefined) return (await readKept(store)).heads
    const head = this.get(id)?.head ?? (await findHead(store, id))
    return head ? [head] : []
  }

  /** Writes down what was done for a row that is in the flow; at once for one that has ended or is of a list before. */
  async keepActed({ batch: id, key, run }: ActedRow, calls: readonly RowCall[]): Promise<void> {
    const batch = this.get(id)
    const row = batch?.rows.find(key)
    if (!batch || !row || hasEnded(row) || isOfAnother(batch.head, run)) return
    row.calls = calls
    await this.save(id, row)
  }

  get inFlight(): number {
    let count = 0
    for (const { rows } of this.values()) count += rows.counts.inFlight
    return count
  }
}
