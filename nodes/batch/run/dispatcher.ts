/**
 * Sends the rows of a node's batches at the set rate, and takes them back. It decides nothing about lists: each step
 * only returns the batches whose rows have all ended.
 *
 * A row: waiting -> in flight (written down, then sent) -> done, failed or look first. From in flight, it returns to
 * waiting if it came back having done nothing, or was lost.
 */
import { inputError } from '../../../lib/api/errors/errors'
import {
  callsFor,
  forgetRow,
  knowsAllOf,
  recallRow,
  trackRow,
  type RowCall,
  type RowName,
} from '../../../lib/runtime/monitor/row-calls'
import { markOfKey } from '../../../lib/runtime/monitor/pending'
import { tooOften } from '../../../lib/runtime/node-red/errors'
import { isDeliveredTooOften, maxDeliveries } from '../../../lib/store/store'
import type { LostBy } from '../rows/rows'
import { messageFor } from '../rows/row-message'
import { actedFor, externalIdOf, hasEnded, madeOwn, sandboxOf, type Row, type RowEnd } from '../rows/row'
import { hasActed, madeBy, partlyFailed, verdictOf, type Failure } from '../rows/verdict'
import type { Batch, BatchSet, QueueOptions } from './batch-state'
import { InFlight, type Recovery, type Standstill } from './in-flight'
import { insist, retryMs } from './storage'

type Provided =
  'nodeId' | 'rateLimit' | 'parallel' | 'attempts' | 'clock' | 'translate' | 'emit' | 'failed' | 'waitingRows'

interface DispatcherOptions extends Pick<QueueOptions, Provided> {
  readonly batches: BatchSet
  readonly signal: AbortSignal
}

/** The result of a step. */
export interface Step {
  /** The batches whose rows have all ended. */
  readonly ended: readonly Batch[]
  /** Milliseconds until the next try, if nothing could be stored. */
  readonly againMs?: number
}

/** A row that is about to leave. */
export interface TakenRow {
  readonly id: string
  readonly row: Row
}

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #inFlight: InFlight
  #count = 0
  #backAt: number
  #turn = 0

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#inFlight = new InFlight(options.nodeId)
    this.#backAt = options.clock.now()
  }

  /** How many rows have ended so far. */
  get count(): number {
    return this.#count
  }

  /**
   * The standstill if rows are in flight and none comes back; undefined while rows come back or no row is in flight.
   */
  get standstill(): Standstill | undefined {
    return this.#inFlight.standstill(this.#options.batches, this.#backAt)
  }

  /**
   * Returns the rows that may be sent now and marks them as in flight; `waitMs` is the time until the next row may be
   * sent.
   */
  take(): { readonly taken: TakenRow[]; readonly waitMs: number } {
    const { batches, parallel, rateLimit } = this.#options
    const taken: TakenRow[] = []
    for (let count = batches.inFlight; count < parallel; count++) {
      const waitMs = rateLimit.waitMs()
      const next = waitMs > 0 ? undefined : this.#next()
      if (!next) return { taken, waitMs }
      rateLimit.take()
      taken.push(next)
    }
    return { taken, waitMs: 0 }
  }

  /** Returns the next row to send; the batches take turns. */
  #next(): TakenRow | undefined {
    const all = [...this.#options.batches.values()]
    for (let tried = 0; tried < all.length; tried++) {
      const batch = all[this.#turn++ % all.length]
      const row = batch && maySend(batch) ? batch.rows.take() : undefined
      if (batch && row) return { id: batch.head.id, row }
    }
    return undefined
  }

  async send(taken: readonly TakenRow[]): Promise<Step> {
    const { batches, failed } = this.#options
    try {
      // The row is stored as in flight before it is sent, so that it is known after a crash that the row may have been
      // in the flow.
      await Promise.all(taken.map(({ id, row }) => batches.save(id, row)))
    } catch (error) {
      failed(error)
      for (const one of taken) this.#putBack(one)
      return { ended: [], againMs: retryMs }
    }
    const steps: Step[] = []
    for (const one of taken) steps.push(await this.#sendOne(one))
    return together(steps)
  }

  #putBack({ id, row }: TakenRow): void {
    if (row.phase === 'in flight') this.#options.batches.holderOf(id, row)?.rows.putBack(row)
  }

  async #sendOne({ id, row }: TakenRow): Promise<Step> {
    const { batches, clock, emit, failed, nodeId, signal } = this.#options
    const from = batches.holderOf(id, row)
    let said: { readonly content: unknown } | undefined
    try {
      said = await from?.journal.content(from.rows.indexOf(row))
    } catch (error) {
      // The content can't be read now, so the row stays as it was.
      failed(error)
      this.#putBack({ id, row })
      return { ended: [], againMs: retryMs }
    }
    const batch = batches.holderOf(id, row)
    if (signal.aborted || row.phase !== 'in flight' || !batch) return { ended: [] }
    if (!said) return this.#close(batch, row, 'unreadable')
    if (hasActed(this.#callsOf(id, row))) return this.#closeActed(batch, row)
    const msg = messageFor(nodeId, batch, row, said.content)
    this.#inFlight.add(id, row, clock.now())
    trackRow(this.#nameOf(id, row), msg.externalId, msg._msgid, row.lost > 0)
    emit(msg)
    return { ended: [] }
  }

  /**
   * Ends a row that was lost, or whose second branch in the flow continued after it had come back: if it were sent
   * again, it would act twice.
   */
  #closeActed(batch: Batch, row: Row): Promise<Step> {
    const calls = this.#callsOf(batch.head.id, row)
    const end = { failed: true, outcome: 'not-done', result: { ...row.result, ...madeBy(calls) }, calls } as const
    const { result: told } = this.#verdictOf(batch.head.id, row, end, row.lost > 0)
    row.sandboxVia = sandboxOf(calls)
    batch.rows.close(row, 'look first', { code: 'EID_FAILED', ...told })
    return this.#settle(batch, row)
  }

  /** Returns the calls made for a row, both those in memory and those stored. */
  #callsOf(id: string, row: Row): RowCall[] {
    return [...callsFor(this.#nameOf(id, row)), ...actedFor(row)]
  }

  #nameOf(batch: string, { key }: Row): RowName {
    return { node: this.#options.nodeId, batch, key }
  }

  #verdictOf(id: string, row: Row, end: Failure, isLost = false): Failure {
    const { translate } = this.#options
    if (row.phase === 'done') return partlyFailed(end, translate)
    const name = this.#nameOf(id, row)
    const calls = [...this.#callsOf(id, row), ...end.calls]
    return verdictOf(end, { calls, isComplete: knowsAllOf(name), before: madeOwn(row), isLost }, translate)
  }

  /** Ends a row that will not be sent, because its content is lost or because the row crashes the process each time. */
  #close(batch: Batch, row: Row, why: 'unreadable' | 'tooOften'): Promise<Step> {
    const { failed, translate } = this.#options
    const error = why === 'tooOften' ? tooOften() : inputError([{ path: 'msg', key: 'unreadable' }])
    failed(error)
    const { outcome } = error.cause
    const result = { code: error.code, outcome, problem: translate(`rows.${why}`, { count: maxDeliveries }) }
    batch.rows.close(row, outcome === 'unknown' ? 'look first' : 'failed', result)
    return this.#settle(batch, row)
  }

  /** Notes that a node was stopped while it held this row. */
  possiblyLost(id: string, row: Row): void {
    this.#inFlight.markLost(id, row)
  }

  /** Finds the rows of a batch that were in flight when this node was stopped. */
  recover(batch: Batch, flowGoesOn: boolean): Recovery {
    const { id } = batch.head
    // A message that another node held continues its row, so the calls already made for that row are restored in
    // memory.
    for (const row of batch.rows.inFlight)
      recallRow(this.#nameOf(id, row), externalIdOf(this.#options.nodeId, id, row.key), actedFor(row))
    return this.#inFlight.recover(id, batch.rows, flowGoesOn)
  }

  /**
   * Sends again the rows that are not coming back. A row that a node stores is not sent again, because that node will
   * send it on. Rejects if the stored rows are unknown at the moment.
   */
  async sendAgain(id: string, rows: readonly Row[], lostBy: LostBy): Promise<Step> {
    const held = new Set((await this.#options.waitingRows?.(id))?.map(({ mark }) => mark))
    return together(await Promise.all(rows.map((row) => this.#decideLost(id, row, held, lostBy))))
  }

  /** `held` contains the marks of the keys of rows that a node stores. */
  async #decideLost(id: string, row: Row, held: ReadonlySet<string>, lostBy: LostBy): Promise<Step> {
    const batch = this.#options.batches.holderOf(id, row)
    if (!batch || row.phase !== 'in flight') return { ended: [] }
    if (held.has(markOfKey(row.key))) {
      this.#inFlight.add(id, row, this.#options.clock.now())
      return { ended: [] }
    }
    this.#inFlight.remove(id, row)
    if (lostBy === 'process' && isDeliveredTooOften(row.lost + 1)) return this.#close(batch, row, 'tooOften')
    batch.rows.requeue(row, lostBy)
    return { ended: [] }
  }

  /**
   * Handles a returning row; resolves when its end is stored. `sent` is the number of the sending from which the row
   * comes back.
   */
  async end(batch: Batch, row: Row, sent: number | undefined, end: RowEnd): Promise<Step> {
    this.#inFlight.remove(batch.head.id, row)
    this.#backAt = this.#options.clock.now()
    const isLatest = sent === undefined || sent === row.sent
    // If an earlier sending failed, the result of the latest one is not known yet.
    if (end.failed && !isLatest) return { ended: [] }
    const { attempts } = this.#options
    const verdict = end.failed ? this.#verdictOf(batch.head.id, row, end) : end
    return batch.rows.end(row, verdict, attempts, isLatest) ? this.#settle(batch, row) : { ended: [] }
  }

  /** Forgets all rows of this batch: no row of it is waited for any more. */
  forget({ head: { id }, rows }: Batch): void {
    for (const row of rows.all) {
      this.#inFlight.remove(id, row)
      forgetRow(this.#nameOf(id, row))
    }
  }

  async #settle(settled: Batch, row: Row): Promise<Step> {
    const { batches, failed, signal } = this.#options
    const { id } = settled.head
    if (hasEnded(row)) {
      this.#count++
      forgetRow(this.#nameOf(id, row))
    }
    settled.unwritten++
    await insist(() => batches.save(id, row), { failed, signal })
    settled.unwritten--
    const batch = batches.holderOf(id, row)
    return { ended: batch?.rows.haveEnded && batch.unwritten === 0 ? [batch] : [] }
  }
}

function together(steps: readonly Step[]): Step {
  const againMs = steps.find((one) => one.againMs !== undefined)?.againMs
  return { ended: steps.flatMap(({ ended }) => ended), ...(againMs !== undefined && { againMs }) }
}

function maySend({ head, superseded }: Batch): boolean {
  return head.stage === 'running' && !head.paused && !superseded
}
