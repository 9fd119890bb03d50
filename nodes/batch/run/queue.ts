/**
 * All batches of one node: takes lists, has their rows sent, reports, and goes on after a restart.
 *
 * A batch: running -> reporting (all rows have ended) -> ended (kept for a while, to know what is done).
 */
import { setMaxListeners } from 'node:events'
import { sleep } from '../../../lib/api/call/retry'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Clock } from '../../../lib/store/clock'
import type { Store } from '../../../lib/store/store'
import type { List } from '../rows/parse-list'
import type { RowEnd } from '../rows/row'
import { Rows } from '../rows/rows'
import { BatchSet, createBatch, type Batch, type Origin } from './batch-state'
import { Dispatcher, retryMs, type DispatcherOptions, type Step } from './dispatcher'
import type { Standstill } from './in-flight'
import * as storage from './storage'
import type { Head } from './storage'
import { saveList } from './save-list'

export interface QueueOptions extends Omit<DispatcherOptions, 'batches' | 'signal'> {
  readonly store: Store
  readonly clock: Clock
  /** Milliseconds for which the rows that were out at a deploy of other nodes may still come back. */
  readonly graceMs?: number
  changed(): void
  /** All rows of a batch have ended. `msg` is the message that brought the list. */
  report(batch: Batch, msg: FlowMessage): Promise<void>
}

const defaultGraceMs = 15_000
const longestTimerMs = 60_000

export class BatchQueue {
  readonly #options: QueueOptions
  readonly #batches = new BatchSet()
  readonly #dispatcher: Dispatcher
  readonly #stop = new AbortController()
  readonly #working = new Set<Promise<unknown>>()
  #started = false
  #changes: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(options: QueueOptions) {
    this.#options = options
    const { signal } = this.#stop
    // While nothing can be written down, every row that is out waits for that.
    setMaxListeners(0, signal)
    this.#dispatcher = new Dispatcher({ ...options, batches: this.#batches, signal })
  }

  /** Those that have not ended. */
  all(): readonly Batch[] {
    return [...this.#batches.values()]
  }

  /** How many rows have ended since the node was started. */
  ended(): number {
    return this.#dispatcher.count
  }

  /** Undefined while rows come back, or none is out. */
  standstill(): Standstill | undefined {
    return this.#dispatcher.standstill
  }

  /** Goes on with what an earlier run has left. `flowGoesOn`: its rows that are out are still in the flow. */
  start(flowGoesOn = false): Promise<void> {
    return this.#inTurn(async () => {
      for (const head of await storage.unfinished(this.#options.store)) {
        const isNew = !this.#stop.signal.aborted && !this.#batches.has(head.id)
        if (isNew) this.#begin(await this.#open(head), flowGoesOn)
      }
      this.#started = true
      this.#pump()
    })
  }

  /**
   * Takes a list. Rejects with an EidError when it can't be taken; then it is not part of anything. What came with a
   * `command` is taken once: a command is removed only when its list is taken, and a kill may come in between.
   */
  take(id: string, list: List, msg: FlowMessage, origin: Origin | undefined, command?: string): Promise<void> {
    return this.#inTurn(() => this.#take(id, list, msg, origin, command))
  }

  /** Takes a row back: false when there is no such row. Resolves when that is written down. */
  async end(id: string, key: string, sent: number | undefined, end: RowEnd): Promise<boolean> {
    // A list may just be taking the place of the one before.
    await this.#changes
    const batch = this.#batches.get(id)
    const row = batch?.rows.find(key)
    if (batch && row) await this.#follow(this.#dispatcher.end(batch, row, sent, end))
    return row !== undefined
  }

  /** Without an id: all. */
  pause(id: string | undefined, paused: boolean): Promise<void> {
    return this.#inTurn(async () => {
      for (const batch of this.#batches.values()) {
        const isMeant = id === undefined || batch.head.id === id
        if (isMeant && batch.head.paused !== paused) await this.#setHead(batch, { paused })
      }
      this.#options.changed()
      this.#pump()
    })
  }

  /** Forgets batches, and with them their rows that are out. Without an id: all. */
  reset(id: string | undefined): Promise<void> {
    return this.#inTurn(async () => {
      const found = id === undefined ? this.all() : [await this.#find(id)]
      for (const batch of found) if (batch) await this.#forget(batch)
      this.#options.changed()
      this.#pump()
    })
  }

  /** Writes down what others are to see of those that run. */
  async note(progress: ReadonlyMap<string, object>): Promise<void> {
    for (const batch of this.all()) await this.#inTurn(() => this.#noteOne(batch, progress))
  }

  /** Sends nothing more; resolves when nothing is on its way to the store. */
  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#changes
    while (this.#working.size > 0) await Promise.all(this.#working)
  }

  /** What changes which rows there are happens one after the other. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#changes.then(work)
    this.#changes = result.then(
      () => undefined,
      () => undefined,
    )
    return result
  }

  #pump(): void {
    const { signal } = this.#stop
    if (!this.#started || signal.aborted) return
    clearTimeout(this.#timer)
    const { taken, waitMs } = this.#dispatcher.take()
    if (waitMs > 0) this.#timer = setTimeout(() => this.#pump(), Math.min(waitMs, longestTimerMs))
    if (taken.length > 0) void this.#follow(this.#dispatcher.send(taken))
  }

  /** Does what a step of the dispatcher has led to. Never rejects. */
  #follow(step: Promise<Step>): Promise<void> {
    // What is sent in the place of a row that came back is written down together with it.
    this.#options.changed()
    this.#pump()
    const followed = step
      .then(({ ended, againMs = 0 }) => {
        this.#options.changed()
        for (const batch of ended) this.#finishSoon(batch)
        if (againMs > 0) this.#later(againMs, () => this.#pump())
        else this.#pump()
      })
      .catch(this.#options.failed)
      .then(() => void this.#working.delete(followed))
    this.#working.add(followed)
    return followed
  }

  #later(milliseconds: number, act: () => void): void {
    const waiting = sleep(milliseconds, this.#stop.signal).then(act, () => undefined)
    waiting.catch(this.#options.failed)
  }

  #finishSoon(batch: Batch): void {
    this.#inTurn(() => this.#finish(batch)).catch(this.#options.failed)
  }

  async #finish(batch: Batch): Promise<void> {
    const { id } = batch.head
    if (this.#batches.get(id) !== batch || !batch.rows.haveEnded || this.#stop.signal.aborted) return
    try {
      await this.#setHead(batch, { stage: 'reporting' })
      if (!batch.reported) await this.#report(batch)
      await storage.keepEnds(this.#options.store, batch.head, batch.rows.all)
      await this.#setHead(batch, { stage: 'ended' })
      this.#batches.delete(id)
      this.#options.changed()
    } catch (error) {
      this.#options.failed(error)
      this.#later(retryMs, () => this.#finishSoon(batch))
    }
  }

  async #report(batch: Batch): Promise<void> {
    const msg = batch.origins.at(-1)?.msg ?? deserializeMessage(batch.head.msg)
    if (batch.wasReporting) msg.redelivered = true
    await this.#options.report(batch, msg)
    batch.reported = true
    for (const origin of batch.origins.splice(0)) origin.done()
  }

  async #setHead(batch: Batch, changes: Partial<Head>): Promise<void> {
    const head = { ...batch.head, ...changes }
    await storage.saveHead(this.#options.store, head)
    batch.head = head
  }

  /** In its turn: otherwise it would undo what is just being written down of the head. */
  async #noteOne(batch: Batch, progress: ReadonlyMap<string, object>): Promise<void> {
    const { head } = batch
    const runs = this.#batches.get(head.id) === batch && head.stage === 'running' && !this.#stop.signal.aborted
    if (runs) await storage.saveHead(this.#options.store, head, progress.get(head.id))
  }

  async #open(head: Head): Promise<Batch> {
    const { store } = this.#options
    return createBatch(store, head, new Rows(await storage.loadStates(store, head)), [])
  }

  async #find(id: string): Promise<Batch | undefined> {
    const head = this.#batches.has(id) ? undefined : await storage.findHead(this.#options.store, id)
    return head ? this.#open(head) : this.#batches.get(id)
  }

  /** From now on it is worked on; its rows are written down. */
  #begin(batch: Batch, flowGoesOn: boolean): void {
    this.#batches.set(batch.head.id, batch)
    this.#recover(batch, flowGoesOn)
    this.#options.changed()
    if (batch.rows.haveEnded) this.#finishSoon(batch)
  }

  /**
   * Takes back rows that were out when this node was stopped. Those that left this process are waited for: for as long
   * as it takes when the flow goes on, otherwise for a while; all others never come back.
   */
  #recover(batch: Batch, flowGoesOn: boolean): void {
    const { id } = batch.head
    const { lost, possiblyLost } = this.#dispatcher.recover(batch, flowGoesOn)
    if (lost.length > 0) void this.#follow(this.#dispatcher.sendAgain(id, lost))
    if (possiblyLost.length === 0) return
    const { graceMs = defaultGraceMs } = this.#options
    this.#later(graceMs, () => void this.#follow(this.#dispatcher.sendAgain(id, possiblyLost)))
  }

  async #take(id: string, list: List, msg: FlowMessage, origin: Origin | undefined, command?: string): Promise<void> {
    const isNew = !this.#batches.has(id)
    const { store, failed } = this.#options
    const before = await this.#find(id)
    if (command !== undefined && before?.head.commands?.includes(command)) return
    if (before) before.superseded = true
    try {
      const { head, rows } = await saveList(this.#options, { id, list, msg, before, command })
      const batch = createBatch(store, head, new Rows(rows), [...(before?.origins ?? []), ...(origin ? [origin] : [])])
      if (isNew) this.#begin(batch, false)
      else this.#supersede(batch)
    } catch (error) {
      if (before) before.superseded = false
      throw error
    } finally {
      // Also when it was not taken: meanwhile nothing was sent from the one before.
      this.#pump()
    }
    if (before) await storage.forgetRows(store, before.head).catch(failed)
  }

  /** Its rows that are out are those of the one before, and are waited for as they were. */
  #supersede(batch: Batch): void {
    this.#batches.set(batch.head.id, batch)
    this.#options.changed()
    if (batch.rows.haveEnded) this.#finishSoon(batch)
  }

  async #forget(batch: Batch): Promise<void> {
    this.#batches.delete(batch.head.id)
    this.#dispatcher.forget(batch)
    await storage.forgetHead(this.#options.store, batch.head.id)
    await storage.forgetRows(this.#options.store, batch.head)
    for (const origin of batch.origins.splice(0)) origin.done()
  }
}
