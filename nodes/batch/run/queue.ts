/**
 * All batches of one node: takes lists, has their rows sent, reports, and resumes after a restart.
 *
 * A batch: running -> reporting (all rows have ended) -> ended (kept for a while, because a list sent again must know
 * which rows are done).
 */
import { setMaxListeners } from 'node:events'
import { sleep } from '../../../lib/api/call/retry'
import type { ActedRow } from '../../../lib/runtime/monitor/acted-rows'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Control } from '../controller'
import type { ReadList } from '../rows/read-list'
import type { Row, RowEnd } from '../rows/row'
import type { SentRow } from '../rows/row-message'
import type { LostBy } from '../rows/rows'
import { BatchSet, conclude, isOfAnother, openBatch, type Batch, type Origin, type QueueOptions } from './batch-state'
import { Dispatcher, type Step } from './dispatcher'
import { endedListsOf, endedSummaries, endLate, noteEnded, type EndedLists } from './ended-lists'
import { takeOver } from './lists'
import { Progress } from './progress'
import { reportOf } from './report'
import * as storage from './storage'

const defaultGraceMs = 15_000
const longestTimerMs = 60_000
/** Milliseconds after a start before the nodes are asked which rows they hold. */
const settleMs = 500

export class BatchQueue {
  readonly #options: QueueOptions
  readonly #batches = new BatchSet()
  readonly #dispatcher: Dispatcher
  readonly #progress: Progress
  readonly #ended: EndedLists
  readonly #stop = new AbortController()
  readonly #working = new Set<Promise<unknown>>()
  readonly #headless = new storage.Headless()
  #changes: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(options: QueueOptions) {
    this.#options = options
    const { signal } = this.#stop
    // While nothing can be stored, every row in flight listens to this signal.
    setMaxListeners(0, signal)
    this.#dispatcher = new Dispatcher({ ...options, batches: this.#batches, signal })
    this.#progress = new Progress(options, this.#batches, this.#dispatcher)
    this.#ended = endedListsOf(options.nodeId)
  }

  /** The open batches. */
  all(): readonly Batch[] {
    return this.#batches.all
  }

  /** The open batches as lists show them, without their node. */
  list(): ReturnType<Progress['list']> {
    return this.#progress.list()
  }

  /** Resumes the batches that an earlier run left. `flowGoesOn` means that the rows in flight are still in the flow. */
  async start(flowGoesOn = false): Promise<void> {
    const { failed } = this.#options
    const read = () => this.#inTurn(() => this.#readKept(flowGoesOn))
    await this.#batches.fill(read, { failed, signal: this.#stop.signal })
    this.#pump()
  }

  async #readKept(flowGoesOn: boolean): Promise<void> {
    const { store, translate, failed } = this.#options
    const { heads, headless } = await storage.readKept(store)
    for (const head of heads.filter(({ id, stage }) => stage !== 'ended' && !this.#batches.has(id))) {
      if (this.#stop.signal.aborted) break
      this.#begin(await openBatch(store, head, translate), flowGoesOn ? 'flow' : 'process')
    }
    this.#ended.restore(await endedSummaries(store))
    const error = this.#headless.note(headless)
    if (error) failed(error)
  }

  /**
   * Takes a list. Rejects with an EidError if the list can't be taken; then the call has no effect. A list from a
   * `command` is taken only once, even if the command is read again: a kill may prevent the removal of the command
   * after its list is taken.
   */
  take(list: ReadList, origin?: Origin, command?: string): Promise<void> {
    return this.#inTurn(() => this.#take(list, origin, command))
  }

  /** Takes a row back; false if there is no such row. Resolves when the row's end is stored. */
  async end(sending: SentRow, end: RowEnd): Promise<boolean> {
    const { id, key, sent, run } = sending
    await this.#batches.filled
    // A new list may be replacing the previous one at this moment.
    await this.#changes
    const batch = this.#batches.get(id)
    const row = batch?.rows.find(key)
    if (!batch) return this.#inTurn(() => endLate(this.#options, sending, end))
    if (isOfAnother(batch.head, run)) return false
    if (row) await this.#follow(this.#dispatcher.end(batch, row, sent, end))
    return row !== undefined
  }

  /** Called when something is about to be done for a row, or was done; resolves when the calls are stored. */
  async acted(row: ActedRow, calls: readonly RowCall[]): Promise<void> {
    await this.#batches.filled
    await this.#changes
    // If this node is stopped, nothing is stored: when the node is opened again, it finds the calls in the memory of
    // the process.
    if (!this.#stop.signal.aborted) await this.#batches.keepActed(row, calls)
  }

  /**
   * Handles a row whose node was stopped while holding it. The row may come back if that node was sending it on;
   * otherwise it is lost.
   */
  stopped(id: string, key: string): void {
    const row = this.#batches.get(id)?.rows.find(key)
    if (row?.phase !== 'in flight') return
    const { sent } = row
    this.#dispatcher.possiblyLost(id, row)
    const again = () => void (row.sent === sent && this.#sendAgain(id, [row], 'deploy'))
    this.#later(this.#options.graceMs ?? defaultGraceMs, again)
  }

  /**
   * Carries out a command for one batch or, without an id, for all batches. A reset drops only what existed at `since`.
   */
  control(what: Control, id: string | undefined, since?: number): Promise<void> {
    return this.#inTurn(async () => {
      if (what === 'reset') await this.#reset(id, since)
      else await this.#batches.pause(this.#options.store, id, what === 'pause')
      this.#progress.changed()
      this.#pump()
    })
  }

  /** Drops batches together with their rows in flight. */
  async #reset(id: string | undefined, since = Infinity): Promise<void> {
    const { store } = this.#options
    for (const head of await this.#batches.heads(store, id))
      if (await storage.wasThere(store, head, since)) await this.#forget(head)
    await this.#headless.forget(store, id)
  }

  /** Stores the progress of running batches for other instances. */
  async note(): Promise<void> {
    const progress = new Map(this.list().map((one) => [one.id, one]))
    const save = async (batch: Batch) => {
      const { head } = batch
      const runs = this.#batches.get(head.id) === batch && head.stage === 'running' && !this.#stop.signal.aborted
      if (runs) await storage.saveHead(this.#options.store, head, progress.get(head.id))
    }
    // The writes run in turn with the other operations; otherwise they could undo a write of the head that is in
    // progress.
    for (const batch of this.all()) await this.#inTurn(() => save(batch))
  }

  /** Stops sending; resolves when no write is in progress. */
  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    this.#progress.stop()
    await this.#changes
    while (this.#working.size > 0) await Promise.all(this.#working)
  }

  /** Runs operations that change the set of rows one after another. */
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
    if (!this.#batches.isFilled || signal.aborted) return
    clearTimeout(this.#timer)
    const { taken, waitMs } = this.#dispatcher.take()
    if (waitMs > 0) this.#timer = setTimeout(() => this.#pump(), Math.min(waitMs, longestTimerMs))
    if (taken.length > 0) void this.#follow(this.#dispatcher.send(taken))
  }

  /** Handles the result of a dispatcher's step: ended batches and retries. Never rejects. */
  #follow(step: Promise<Step>): Promise<void> {
    // The next row is sent already now, so that it is stored together with the row that came back.
    this.#progress.changed()
    this.#pump()
    const followed = step
      .then(({ ended, againMs = 0 }) => {
        this.#progress.changed()
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
      await conclude(this.#options.store, batch, (msg) => this.#report(batch, msg), this.#stop.signal)
      this.#batches.delete(id)
      this.#progress.changed()
    } catch (error) {
      this.#options.failed(error)
      this.#later(storage.retryMs, () => this.#finishSoon(batch))
    }
  }

  async #report(batch: Batch, msg: FlowMessage): Promise<void> {
    const { nodeId, translate, clock, report } = this.#options
    const { report: payload, csv } = await reportOf(batch, nodeId, translate)
    this.#progress.ended(batch.rows.counts)
    await noteEnded(this.#ended, batch, clock.epochNow())
    await report(batch, Object.assign(msg, { payload, csv, status: 'ended', batchId: batch.head.id }))
  }

  /** Starts work on a batch. Without `after`, the batch continues to wait for its rows in flight. */
  #begin(batch: Batch, after: 'flow' | 'process' | undefined): void {
    this.#batches.set(batch.head.id, batch)
    if (after) this.#recover(batch, after === 'flow')
    this.#progress.changed()
    if (batch.rows.haveEnded) this.#finishSoon(batch)
  }

  /**
   * Handles rows that were in flight when this node was stopped. Rows sent by this process are waited for: without
   * limit if the flow kept running, otherwise for a limited time. All other rows never come back.
   */
  #recover(batch: Batch, flowGoesOn: boolean): void {
    const { id } = batch.head
    const { lost, possiblyLost } = this.#dispatcher.recover(batch, flowGoesOn)
    const { graceMs = defaultGraceMs, waitingRows } = this.#options
    // The nodes that hold such rows are still opening their stores, so they are asked after a short time.
    if (lost.length > 0) this.#later(waitingRows ? settleMs : 0, () => this.#sendAgain(id, lost, 'process'))
    if (possiblyLost.length > 0) this.#later(graceMs, () => this.#sendAgain(id, possiblyLost, 'deploy'))
  }

  /** Sends lost rows again, unless a node stores them where a deploy or a restart can't affect them. */
  #sendAgain(id: string, rows: readonly Row[], lostBy: LostBy): void {
    const retried = this.#dispatcher.sendAgain(id, rows, lostBy).catch((error: unknown): Step => {
      this.#options.failed(error)
      this.#later(storage.retryMs, () => this.#sendAgain(id, rows, lostBy))
      return { ended: [] }
    })
    void this.#follow(retried)
  }

  async #take(list: ReadList, origin: Origin | undefined, command: string | undefined): Promise<void> {
    const { id } = list
    this.#batches.assertFilled()
    this.#headless.check(id)
    const isNew = !this.#batches.has(id)
    const { store, translate, failed } = this.#options
    const before = await this.#batches.find(id, store, translate)
    if (command !== undefined && before?.head.commands?.includes(command)) return
    if (before) before.superseded = true
    try {
      const batch = await takeOver(this.#options, { ...list, origin, before, command })
      this.#ended.forget(id)
      this.#begin(batch, isNew ? 'process' : undefined)
    } catch (error) {
      if (before) before.superseded = false
      throw error
    } finally {
      // Rows are also sent if the list was not taken, because the previous batch was paused meanwhile.
      this.#pump()
    }
    if (before) await storage.forgetRows(store, before.head).catch(failed)
  }

  async #forget(head: storage.Head): Promise<void> {
    const batch = this.#batches.get(head.id)
    this.#batches.delete(head.id)
    if (batch) this.#dispatcher.forget(batch)
    await storage.forgetBatch(this.#options.store, head)
    this.#ended.forget(head.id)
    this.#options.forgotten(head.id, batch?.rows.counts)
    for (const origin of batch?.origins.splice(0) ?? []) origin.done()
  }
}
