/**
 * Runs the batches of one node by deciding which part acts next.
 *
 * The parts don't know each other: `Lists` changes lists in the store, `Dispatcher` sends rows and takes them back,
 * `Progress` shows how far they are, `EndedLists` remembers what has ended.
 */
import { setMaxListeners } from 'node:events'
import { sleep } from '../../../lib/api/call/retry'
import { EidError } from '../../../lib/api/errors/errors'
import type { RowCall } from '../../../lib/runtime/monitor/row-calls'
import type { OwnedRow, RowError } from '../../../lib/runtime/monitor/row-owners'
import { delivered } from '../../../lib/runtime/node-red/next-turn'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Control, Controller } from '../controller'
import type { ReadList } from '../rows/read-list'
import { addError, nodePassed } from '../rows/failed-rows'
import type { Row, RowEnd } from '../rows/row'
import type { SentRow } from '../rows/row-message'
import type { Counts, RowPlace } from '../rows/rows'
import { BatchSet, isOfAnother, type Batch, type Origin } from './batch-state'
import { Dispatcher, type DispatcherOptions, type Step } from './dispatcher'
import { endedListsOf, type EndedLists } from './ended-lists'
import type { LostRows } from './in-flight'
import { Lists, type ListsOptions } from './lists'
import { Progress, type ProgressOptions } from './progress'
import { reportOf } from './report'
import { endedSummaries, insist, storageRetryMs, type Head } from './storage'

export interface QueueOptions extends DispatcherOptions, ProgressOptions, ListsOptions {
  /** Sends the report. */
  report(batch: Batch, msg: FlowMessage): void
  /** Reports a row that came back with an error after its list had been reported. */
  failedLate(row: RowPlace, problem: string): void
  /** Reports that this many rows of a list are sent again, because they only ran against another service. */
  otherService(id: string, count: number): void
  /** Reports that a batch was reset; `counts` is given if it was still open. */
  forgotten(id: string, counts: Counts | undefined): void
}

const longestTimerMs = 60_000

export class BatchQueue implements Controller {
  readonly #options: QueueOptions
  readonly #batches = new BatchSet()
  readonly #lists: Lists
  readonly #dispatcher: Dispatcher
  readonly #progress: Progress
  readonly #ended: EndedLists
  readonly #stop = new AbortController()
  readonly #working = new Set<Promise<unknown>>()
  #changes: Promise<void> = Promise.resolve()
  /** Resolves when the batches of an earlier run have been read; at once if reading has not begun. */
  #filled: Promise<void> = Promise.resolve()
  #isFilled = false
  /** Why the stored batches could not be read. */
  #unread: unknown
  #timer: NodeJS.Timeout | undefined

  constructor(options: QueueOptions) {
    this.#options = options
    const { signal } = this.#stop
    // While nothing can be stored, every row in flight listens to this signal.
    setMaxListeners(0, signal)
    this.#lists = new Lists(options, this.#batches)
    this.#dispatcher = new Dispatcher(options, this.#batches, signal)
    this.#progress = new Progress(options, this.#batches, this.#dispatcher)
    this.#ended = endedListsOf(options.RED, options.nodeId)
  }

  /** The open batches. */
  all(): readonly Batch[] {
    return this.#batches.all
  }

  list(): ReturnType<Controller['list']> {
    return Promise.resolve(this.#progress.list())
  }

  /** Resumes the batches that an earlier run left; reading them is tried until it succeeds. */
  async start(flowGoesOn = false): Promise<void> {
    const { failed } = this.#options
    const read = () => this.#inTurn(() => this.#readKept(flowGoesOn))
    await (this.#filled = insist(read, { failed, signal: this.#stop.signal }))
    this.#pump()
  }

  reread(): Promise<void> {
    return this.start()
  }

  async #readKept(flowGoesOn: boolean): Promise<void> {
    const { signal } = this.#stop
    if (signal.aborted) return
    try {
      const { heads, fault } = await this.#lists.readKept()
      for (const head of heads.filter(({ id }) => !this.#batches.has(id))) {
        if (signal.aborted) break
        this.#begin(await this.#lists.open(head), flowGoesOn ? 'flow' : 'process')
      }
      this.#ended.restore(await endedSummaries(this.#options.store))
      if (fault) this.#options.failed(fault)
      this.#isFilled = true
      this.#unread = undefined
    } catch (error) {
      this.#unread = error
      throw error
    }
  }

  /**
   * Takes a list. Rejects with an EidError if the list can't be taken; then the call has no effect. A list from a
   * `command` is taken only once, even if the command is read again: a kill may prevent the removal of the command
   * after its list is taken.
   */
  take(list: ReadList, origin?: Origin, command?: string): Promise<void> {
    return this.#inTurn(() => this.#take(list, origin, command))
  }

  async #take(list: ReadList, origin: Origin | undefined, command: string | undefined): Promise<void> {
    const { id } = list
    // An earlier list may be stored under the same id, so no list is taken while reading the stored ones fails.
    if (this.#unread !== undefined) throw this.#unread
    const isNew = !this.#batches.has(id)
    // Rows are also sent if the list was not taken, because the previous batch was paused meanwhile.
    const taken = await this.#lists
      .take(list, origin, command)
      .catch((error: unknown) => this.#refuse(list, error))
      .finally(() => this.#pump())
    if (!taken) return
    const { batch, before, fromElsewhere } = taken
    if (fromElsewhere > 0) this.#options.otherService(id, fromElsewhere)
    this.#ended.forget(id)
    this.#begin(batch, isNew ? 'process' : undefined)
    this.#pump()
    if (before) await this.#lists.forgetRows(before).catch(this.#options.failed)
  }

  /** Remembers why a list was refused, so that a person can decide otherwise. Rejects with the error. */
  #refuse(list: ReadList, error: unknown): Promise<never> {
    const key = error instanceof EidError ? error.problemKeys[0]?.key : undefined
    if (key === 'sentBefore' || key === 'otherShape') this.#ended.refuse(list, key, this.#options.clock.epochNow())
    throw error
  }

  /** Takes a row back; false if there is no such row. Resolves when the row's end is stored. */
  async end(sending: SentRow & { readonly sender?: string }, end: RowEnd): Promise<boolean> {
    const { id, key, sent, run, sender } = sending
    await this.#filled
    // A new list may be replacing the previous one at this moment.
    await this.#changes
    const batch = this.#batches.get(id)
    const row = batch?.rows.find(key)
    if (sender !== undefined && batch?.head.takenBy !== sender) return false
    if (!batch) return this.#inTurn(() => this.#endLate(sending, end))
    if (isOfAnother(batch.head, run)) return false
    if (row) await this.#follow(this.#dispatcher.end(batch, row, sent, end))
    return row !== undefined
  }

  async #endLate(sending: SentRow, end: RowEnd): Promise<boolean> {
    const { isKnown, failure } = await this.#lists.endLate(sending, end)
    if (failure) {
      this.#ended.noteFailures(sending.id, failure.failures)
      this.#options.failedLate(failure.place, failure.problem)
    }
    return isKnown
  }

  /** Called before and after each call for a row; resolves when the calls are stored. */
  async acted(row: OwnedRow, calls: readonly RowCall[]): Promise<void> {
    await this.#filled
    await this.#changes
    // If this node is stopped, nothing is stored: when the node is opened again, it finds the calls in the memory of
    // the process.
    if (!this.#stop.signal.aborted) await this.#batches.keepActed(row, calls)
  }

  /** Called when the message of a row has failed in another node; resolves when a lasting error is stored. */
  failed(owned: OwnedRow, error: RowError): Promise<void> {
    return this.#changeErrors(owned, error.isLasting, (row) => (addError(row, error), true))
  }

  /** Called when the message of a row has passed another node, which answers the row's error there. */
  passed(owned: OwnedRow, nodeId: string): Promise<void> {
    const found = this.#batches.rowFor(owned)
    if (found && !found.row?.errors) return Promise.resolve()
    return this.#changeErrors(owned, true, (row) => nodePassed(row, nodeId))
  }

  async #changeErrors(owned: OwnedRow, isStored: boolean, change: (row: Row) => boolean): Promise<void> {
    await this.#filled
    const found = this.#batches.rowFor(owned)
    if (!found) return this.#inTurn(() => this.#changeLate(owned, change))
    if (!found.row || !change(found.row) || this.#stop.signal.aborted) return
    this.#progress.changed()
    if (isStored) await this.#batches.save(owned.batch, found.row)
  }

  /** Does the same for a row whose list has ended. */
  async #changeLate(owned: OwnedRow, change: (row: Row) => boolean): Promise<void> {
    const failures = await this.#lists.changeLate(owned, change)
    if (failures) this.#ended.noteFailures(owned.batch, failures)
  }

  stopped(...[id, key, attempt, end]: Parameters<Controller['stopped']>): void {
    const lost = this.#dispatcher.stopped(id, key, attempt, end)
    if (lost) this.#sendAgainLater(lost)
  }

  /** A reset drops only what existed at `since`, in milliseconds since 1970. */
  control(what: Control, id: string | undefined, since = Infinity): Promise<void> {
    return this.#inTurn(async () => {
      if (what === 'reset') {
        for (const head of await this.#lists.heads(id, since)) await this.#drop(head)
        await this.#lists.dropHeadless(id)
      } else await this.#lists.pause(id, what === 'pause')
      this.#progress.changed()
      this.#pump()
    })
  }

  /** Drops a batch together with its rows in flight. */
  async #drop(head: Head): Promise<void> {
    const batch = this.#batches.get(head.id)
    this.#batches.delete(head.id)
    if (batch) this.#dispatcher.forget(batch)
    await this.#lists.drop(head)
    this.#ended.forget(head.id)
    this.#options.forgotten(head.id, batch?.rows.counts)
    for (const origin of batch?.origins.splice(0) ?? []) origin.done()
  }

  /** The report of an ended batch as CSV; undefined if it does not exist. */
  async report(id: string): Promise<string | Buffer | undefined> {
    const kept = this.#ended.report(id)
    if (kept !== undefined) return kept
    const { nodeId, translate } = this.#options
    const batch = await this.#lists.findEnded(id)
    return batch && (await reportOf(batch, nodeId, translate)).csv
  }

  dismiss(id: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const isThere = await this.#lists.dismissErrors(id)
      if (isThere) this.#ended.noteFailures(id, [])
      return isThere
    })
  }

  /** Stores the progress of running batches for other instances. */
  async note(): Promise<void> {
    const progress = new Map(this.#progress.list().map((one) => [one.id, one]))
    const save = async (batch: Batch) => {
      if (!this.#stop.signal.aborted) await this.#lists.note(batch, progress.get(batch.head.id))
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

  async close(): Promise<void> {
    await this.stop()
    await this.#options.store.close()
  }

  /** Runs operations that change the set of rows one after another. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#changes.then(work)
    const settled = () => undefined
    this.#changes = result.then(settled, settled)
    return result
  }

  #pump(): void {
    if (!this.#isFilled || this.#stop.signal.aborted) return
    clearTimeout(this.#timer)
    const { taken, waitMs } = this.#dispatcher.take()
    if (waitMs > 0) this.#timer = setTimeout(() => this.#pump(), Math.min(waitMs, longestTimerMs))
    if (taken.length > 0) void this.#follow(this.#dispatcher.send(taken))
  }

  /** Does what has to happen after a dispatcher's step. Never rejects. */
  #follow(step: Promise<Step>): Promise<void> {
    // The next row is taken now, so that one write stores it together with the row that came back.
    this.#progress.changed()
    this.#pump()
    const followed = step
      .then(({ ended, againMs = 0, undecided }) => {
        this.#progress.changed()
        for (const batch of ended) this.#finishSoon(batch)
        if (undecided) this.#sendAgainLater(undecided)
        if (againMs > 0) this.#later(againMs, () => this.#pump())
        else this.#pump()
      })
      .catch(this.#options.failed)
      .then(() => void this.#working.delete(followed))
    this.#working.add(followed)
    return followed
  }

  #later(milliseconds: number, act: () => void): void {
    sleep(milliseconds, this.#stop.signal)
      .then(act, () => undefined)
      .catch(this.#options.failed)
  }

  /** Sends lost rows again, unless a node stores them where a deploy or a restart can't affect them. */
  #sendAgainLater(lost: LostRows): void {
    this.#later(lost.afterMs, () => void this.#follow(this.#dispatcher.resendLost(lost)))
  }

  /** Starts work on a batch. Without `after`, the batch continues to wait for its rows in flight. */
  #begin(batch: Batch, after: 'flow' | 'process' | undefined): void {
    this.#batches.set(batch.head.id, batch)
    if (after) for (const lost of this.#dispatcher.recover(batch, after === 'flow')) this.#sendAgainLater(lost)
    this.#progress.changed()
    if (batch.rows.haveEnded) this.#finishSoon(batch)
  }

  #finishSoon(batch: Batch): void {
    this.#inTurn(() => this.#finish(batch)).catch(this.#options.failed)
  }

  async #finish(batch: Batch): Promise<void> {
    const { id } = batch.head
    if (this.#batches.get(id) !== batch || !batch.rows.haveEnded || this.#stop.signal.aborted) return
    try {
      const msg = await this.#lists.startReport(batch)
      if (!batch.reported) await this.#report(batch, msg)
      if (batch.reported) await this.#lists.end(batch)
      this.#batches.delete(id)
      this.#progress.changed()
    } catch (error) {
      this.#options.failed(error)
      this.#later(storageRetryMs, () => this.#finishSoon(batch))
    }
  }

  async #report(batch: Batch, msg: FlowMessage): Promise<void> {
    const { nodeId, translate, clock, report } = this.#options
    const { signal } = this.#stop
    const { head, rows } = batch
    const { report: payload, csv } = await reportOf(batch, nodeId, translate)
    this.#progress.ended(rows.counts)
    await this.#ended.note(batch, clock.epochNow(), csv)
    this.#ended.endChanged(head.id, (key) => rows.find(key)?.phase === 'done')
    // The node that takes its place sends the report.
    if (!signal.aborted) report(batch, Object.assign(msg, { payload, csv, status: 'ended', batchId: head.id }))
    await delivered()
    // If stopped in that very turn, the next nodes may have been gone: the report is sent again after the deploy.
    if (signal.aborted) return
    batch.reported = true
    for (const origin of batch.origins.splice(0)) origin.done()
  }
}
