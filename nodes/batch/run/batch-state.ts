/** Holds the open batches of a node in memory, each with the journal that stores its progress. */
import { nextTurn } from '../../../lib/common/event-loop'
import { isPlainObject } from '../../../lib/common/plain-object'
import type { ActedRow } from '../../../lib/runtime/monitor/acted-rows'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Item, Store } from '../../../lib/store/store'
import { hasEnded, type Row } from '../rows/row'
import type { Rows } from '../rows/rows'
import { itemId, rowsPerItem, saveStates, type Content, type Head } from './storage'

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
  get all(): readonly Batch[] {
    return [...this.values()]
  }

  get inFlight(): number {
    let count = 0
    for (const { rows } of this.values()) count += rows.counts.inFlight
    return count
  }

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

  /** Stores what was done for a row in flight; resolves at once for one that has ended or belongs to an earlier run. */
  async keepActed({ batch: id, key, run }: ActedRow, calls: readonly RowCall[]): Promise<void> {
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

/** Writes an item once for all changes in a turn, and once more for all changes made during the write. */
function createJournal(store: Store, head: Pick<Head, 'id' | 'generation'>, rows: readonly Row[]): Journal {
  const running = new Map<number, Promise<void>>()
  /** Writes that begin later; changes until then are included. */
  const coming = new Map<number, Promise<void>>()
  let latest: { readonly part: number; readonly item: Promise<Item | undefined> } | undefined

  const write = async (part: number, before: Promise<void> | undefined) => {
    // Earlier callers already got their result.
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
      if (latest?.part !== part) latest = { part, item: store.get(itemId('rows', head, part)) }
      const { item } = latest
      const body = (await item.catch((error: unknown) => Promise.reject(forget(error))))?.body
      if (!isPlainObject(body) || !Array.isArray(body.contents)) return undefined
      return { content: (body.contents as unknown[])[index % rowsPerItem] }
    },
  }

  /** The next call reads again. */
  function forget(error: unknown): unknown {
    latest = undefined
    return error
  }
}
