/**
 * One list in progress, and all batches of a node. A batch moves from one stage to the next: each stage is stored before
 * its work is done.
 */
import type { ActedRow } from '../../../lib/runtime/monitor/acted-rows'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Store } from '../../../lib/store/store'
import { createJournal, findHead, readKept, type Head, type Journal, keepEnds, saveHead } from './storage'
import { hasEnded, type Row } from '../rows/row'
import type { Rows } from '../rows/rows'
import { delivered } from '../../../lib/runtime/node-red/next-turn'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { systemClock } from '../../../lib/store/clock'

export interface Batch {
  head: Head
  readonly rows: Rows
  readonly journal: Journal
  /** The messages whose lists are part of it, since the flow started. */
  readonly origins: Origin[]
  /** Node-RED ended while the report was being sent. */
  readonly wasReporting: boolean
  reported: boolean
  /** How many ended rows have not been stored yet: nothing is reported before that. */
  unwritten: number
  /** A new list is taking its place: nothing further is sent from this one. */
  superseded: boolean
}

/** The message that brought a list, and its `done`. */
export interface Origin {
  readonly msg: FlowMessage
  done(): void
}

/** True if a row was sent before the batch was reset: it says nothing about the current batch of this name. */
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

/** The open batches, by id. */
export class BatchSet extends Map<string, Batch> {
  /** The batch that a row now belongs to: a new list may have replaced the one it was sent from. */
  holderOf(id: string, row: Row): Batch | undefined {
    const batch = this.get(id)
    return batch && batch.rows.indexOf(row) >= 0 ? batch : undefined
  }

  /** Resolves when the progress of the row is stored; at once if no batch has it any more. */
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

  /** Stores what was done for a row in flight; resolves at once for one that has ended or belongs to an earlier run. */
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
