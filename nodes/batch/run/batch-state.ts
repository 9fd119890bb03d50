/**
 * One list in progress, and all batches of a node. A batch moves from one stage to the next: each stage is stored before
 * its work is done.
 */
import type { Translate } from '../../../lib/api/errors/texts'
import { nextTurn } from '../../../lib/common/event-loop'
import { isPlainObject } from '../../../lib/common/plain-object'
import type { ActedRow } from '../../../lib/runtime/monitor/acted-rows'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Item, Store } from '../../../lib/store/store'
import {
  findHead,
  insist,
  itemId,
  keepEnds,
  loadStates,
  readKept,
  rowsPerItem,
  saveHead,
  saveStates,
  type Content,
  type Head,
  type Insistence,
} from './storage'
import { hasEnded, type Row } from '../rows/row'
import { Rows, type Counts, type RowPlace } from '../rows/rows'
import type { RateLimit } from './rate-limit'
import type { ListRow } from '../../../lib/runtime/monitor/pending'
import type { LiveStatus } from '../../../lib/runtime/node/status'
import { delivered } from '../../../lib/runtime/node-red/next-turn'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { systemClock, type Clock } from '../../../lib/store/clock'

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

/** The parts that the queue of a node works with, and its reports to the node. */
export interface QueueOptions {
  readonly store: Store
  readonly nodeId: string
  readonly clock: Clock
  readonly rateLimit: RateLimit
  /** How many rows may be in flight. */
  readonly parallel: number
  /** How often a row is sent in total if it has no effect. */
  readonly attempts: number
  /** Milliseconds in which rows that were in flight at a deploy of other nodes may still come back. */
  readonly graceMs?: number
  readonly translate: Translate
  readonly status: LiveStatus
  /** Sends a row. */
  emit(msg: FlowMessage): void
  /** All rows of a batch have ended: sends its report. */
  report(batch: Batch, msg: FlowMessage): Promise<void> | void
  /** Sends how many rows of a batch have ended so far. */
  emitProgress(msg: FlowMessage): void
  failed(error: unknown): void
  /** A row came back with an error after its list was reported as done. */
  failedLate(row: RowPlace, problem: string): void
  /** Whether a wire, or anything else in the flow file, leads the rows back to the node. */
  mayComeBack(): boolean
  /** The rows of this batch do not come back, because nothing leads them back: so many of `total` are in flight. */
  noWayBack(id: string, inFlight: number, total: number): void
  /** Nothing has come back for `minutes`; `row` is the one in flight longest. */
  stuck(row: RowPlace, minutes: number): void
  /** This many rows of a list are sent again because they were only done in the sandbox. */
  rehearsed(id: string, count: number): void
  /** A batch was reset; `counts` is given if it was still open. */
  forgotten(id: string, counts: Counts | undefined): void
  /**
   * The rows of this batch that one of our nodes holds and will send back; rejects if that is unknown at the moment.
   */
  waitingRows?(id: string): Promise<readonly Pick<ListRow, 'mark'>[]>
  /** Whether this node is running and uses the sandbox now. */
  asksSandbox(nodeId: string): boolean
  /** Whether wires lead the rows to a node that uses the live service. */
  leadsToLive(): boolean
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

/** A batch as an earlier run left it. */
export async function openBatch(store: Store, head: Head, translate: Translate): Promise<Batch> {
  return createBatch(store, head, new Rows(await loadStates(store, head, translate('rows.lostState'))), [])
}

/** The open batches, by id. At a start it is filled with those that an earlier run left. */
export class BatchSet extends Map<string, Batch> {
  #isFilled = false
  #failure: unknown
  /** Resolves when all have been read, or are no longer needed; at once before that has begun. */
  filled: Promise<void> = Promise.resolve()

  get isFilled(): boolean {
    return this.#isFilled
  }

  get all(): readonly Batch[] {
    return [...this.values()]
  }

  /** Throws the reason why they could not be read: a list that is not known must not be replaced. */
  assertFilled(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** `read` is tried until it succeeds. */
  fill(read: () => Promise<void>, { failed, signal }: Insistence): Promise<void> {
    const attempt = async () => {
      if (signal.aborted) return
      try {
        await read()
        this.#isFilled = true
        this.#failure = undefined
      } catch (error) {
        this.#failure = error
        throw error
      }
    }
    return (this.filled = insist(attempt, { failed, signal }))
  }

  /** The batch that a row now belongs to: a new list may have replaced the one it was sent from. */
  holderOf(id: string, row: Row): Batch | undefined {
    const batch = this.get(id)
    return batch && batch.rows.indexOf(row) >= 0 ? batch : undefined
  }

  /** The open batch of this id, or the ended one that is still stored. */
  async find(id: string, store: Store, translate: Translate): Promise<Batch | undefined> {
    const head = this.has(id) ? undefined : await findHead(store, id)
    return head ? openBatch(store, head, translate) : this.get(id)
  }

  /** Resolves when the progress of the row is stored; at once if no batch has it any more. */
  async save(id: string, row: Row): Promise<void> {
    const batch = this.holderOf(id, row)
    await batch?.journal.save(batch.rows.indexOf(row))
  }

  /** Without an id: all batches. */
  async pause(store: Store, id: string | undefined, paused: boolean): Promise<void> {
    for (const batch of this.values()) {
      const isMeant = id === undefined || batch.head.id === id
      if (isMeant && batch.head.paused !== paused) await setHead(store, batch, { paused })
    }
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
async function setHead(store: Store, batch: Batch, changes: Partial<Head>, progress = {}): Promise<void> {
  const head = { ...batch.head, ...changes }
  await saveHead(store, head, progress)
  batch.head = head
}

/**
 * When all rows have ended, sends the report and stores how they ended. If this rejects, it may be repeated; `signal`
 * stops it.
 */
export async function conclude(
  store: Store,
  batch: Batch,
  report: (msg: FlowMessage) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await setHead(store, batch, { stage: 'reporting' })
  if (!batch.reported) {
    const msg = batch.origins.at(-1)?.msg ?? deserializeMessage(batch.head.msg)
    if (batch.wasReporting) msg.redelivered = true
    await report(msg)
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
