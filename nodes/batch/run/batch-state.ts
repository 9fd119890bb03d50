/** Holds the open batches of a node in memory, each with the journal that stores its progress. */
import { nextTurn } from '../../../lib/common/event-loop'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { OwnedRow } from '../../../lib/runtime/monitor/row-owners'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Store } from '../../../lib/store/store'
import { hasEnded, type Row } from '../rows/row'
import type { Rows } from '../rows/rows'
import { loadContents, rowsPerItem, saveStates, type Content, type Generation, type Head } from './storage'

export interface Batch {
  head: Head
  readonly rows: Rows
  readonly journal: Journal
  /** The messages that brought its lists since the flow started. */
  readonly origins: Origin[]
  /** Whether an earlier run stopped while it was sending the report. */
  readonly wasReporting: boolean
  reported: boolean
  /** How many ended rows are not stored yet. The report waits until all are stored. */
  unwritten: number
  /** Whether a new list is replacing this one: none of its rows is sent meanwhile. */
  superseded: boolean
}

/** The message that brought a list, and its `done`. */
export interface Origin {
  readonly msg: FlowMessage
  done(): void
}

/** Whether a row was sent before the batch was reset. Such a row belongs to no current batch, even of the same name. */
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
  get all(): readonly Batch[] {
    return [...this.values()]
  }

  get inFlight(): number {
    let count = 0
    for (const { rows } of this.values()) count += rows.counts.inFlight
    return count
  }

  /** The batch to which a row belongs now: a new list may have replaced the one from which the row was sent. */
  holderOf(id: string, row: Row): Batch | undefined {
    const batch = this.get(id)
    return batch && batch.rows.indexOf(row) >= 0 ? batch : undefined
  }

  /** Resolves when the progress of the row is stored; at once if the row no longer belongs to the batch. */
  async save(id: string, row: Row): Promise<void> {
    const batch = this.holderOf(id, row)
    await batch?.journal.save(batch.rows.indexOf(row))
  }

  /** The row, if it belongs to this run of its list; undefined if the list has ended. */
  rowFor({ batch: id, key, run }: OwnedRow): { readonly batch: Batch; readonly row: Row | undefined } | undefined {
    const batch = this.get(id)
    return batch && { batch, row: isOfAnother(batch.head, run) ? undefined : batch.rows.find(key) }
  }

  /** Stores the calls made for a row; does nothing if the row has ended or was sent before a reset. */
  async keepActed({ batch: id, key, run }: OwnedRow, calls: readonly RowCall[]): Promise<void> {
    const batch = this.get(id)
    const row = batch?.rows.find(key)
    if (!batch || !row || hasEnded(row) || isOfAnother(batch.head, run)) return
    row.calls = calls
    await this.save(id, row)
  }
}

interface Journal {
  /** Resolves when the current progress of the row at this index is stored. Rejects as the store does. */
  save(index: number): Promise<void>
  /** The content of the row at this index; undefined if it can't be read. */
  content(index: number): Promise<Content | undefined>
}

/** Stores all changes of one turn in one write. Changes made during that write are stored by the next one. */
function createJournal(store: Store, head: Generation, rows: readonly Row[]): Journal {
  const running = new Map<number, Promise<void>>()
  /** Writes that have not begun: they will include all changes made until then. */
  const coming = new Map<number, Promise<void>>()
  let latest: { readonly part: number; readonly contents: ReturnType<typeof loadContents> } | undefined

  const write = async (part: number, before: Promise<void> | undefined) => {
    // Whether the earlier write succeeded only concerns its own callers.
    await Promise.allSettled([before])
    await nextTurn()
    const writing = coming.get(part)
    coming.delete(part)
    if (writing) running.set(part, writing)
    try {
      await saveStates(store, head, rows, part)
    } finally {
      if (running.get(part) === writing) running.delete(part)
    }
  }
  return {
    save(index) {
      const part = Math.floor(index / rowsPerItem)
      const writing = coming.get(part) ?? write(part, running.get(part))
      coming.set(part, writing)
      return writing
    },
    async content(index) {
      const part = Math.floor(index / rowsPerItem)
      if (latest?.part !== part) latest = { part, contents: loadContents(store, head, part) }
      const contents = await latest.contents.catch((error: unknown) => Promise.reject(forget(error)))
      return contents?.[index % rowsPerItem]
    },
  }

  /** Makes the next call read the item again. */
  function forget(error: unknown): unknown {
    latest = undefined
    return error
  }
}
