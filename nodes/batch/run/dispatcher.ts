/**
 * Moves the rows of a node's batches: each is sent at the set rate, taken back, or sent again if it was lost. The
 * dispatcher decides nothing about lists: each step only returns what has to happen next.
 *
 * A row: waiting -> in flight (written down, then sent) -> done, failed or look first. From in flight, it returns to
 * waiting if it came back having done nothing, or was lost.
 */
import { inputError } from '../../../lib/api/errors/errors'
import type { Translate } from '../../../lib/api/errors/texts'
import { markOfKey } from '../../../lib/runtime/monitor/pending'
import { tooOften } from '../../../lib/runtime/node-red/errors'
import type { Attempt } from '../../../lib/runtime/monitor/row-calls'
import type { HostOwner } from '../../../lib/runtime/node-red/host'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Clock } from '../../../lib/store/clock'
import { isDeliveredTooOften, maxDeliveries } from '../../../lib/store/store'
import { cameBackWell, sentAgain } from '../rows/failed-rows'
import { addServices, hasEnded, madeOwn, servicesIn, type Row, type RowEnd } from '../rows/row'
import { messageFor } from '../rows/row-message'
import type { RowPlace } from '../rows/rows'
import { hasActed, madeBy, partlyFailed, verdictOf, type Failure } from '../rows/verdict'
import { isOfAnother, type Batch, type BatchSet } from './batch-state'
import { InFlight, type HeldRow, type LostRows, type Standstill } from './in-flight'
import type { RateLimit } from './rate-limit'
import { insist, storageRetryMs, type Content } from './storage'

const defaultGraceMs = 15_000
/** Milliseconds after a start before the nodes are asked which rows they hold. */
const settleMs = 500

export interface DispatcherOptions {
  readonly RED: HostOwner
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
  /** Sends a row. */
  emit(msg: FlowMessage & { readonly batch: RowPlace }): void
  failed(error: unknown): void
  /**
   * The rows of this batch that one of our nodes holds and will send back; rejects if that is unknown at the moment.
   */
  waitingRows?(id: string, takenBy: string | undefined): Promise<readonly HeldRow[]>
}

/** The result of a step. */
export interface Step {
  /** The batches whose rows have all ended. */
  readonly ended: readonly Batch[]
  /** Milliseconds until the next try, if nothing could be stored. */
  readonly againMs?: number
  /** Rows for which it could not be decided whether they are lost. */
  readonly undecided?: LostRows
}

/** A row that is about to leave. */
interface TakenRow {
  readonly id: string
  readonly row: Row
}

export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #batches: BatchSet
  readonly #signal: AbortSignal
  readonly #inFlight: InFlight
  #count = 0
  #backAt: number
  #turn = 0

  constructor(options: DispatcherOptions, batches: BatchSet, signal: AbortSignal) {
    this.#options = options
    this.#batches = batches
    this.#signal = signal
    const { RED, nodeId, graceMs = defaultGraceMs, waitingRows } = options
    this.#inFlight = new InFlight(RED, nodeId, { graceMs, settleMs: waitingRows ? settleMs : 0 })
    this.#backAt = options.clock.now()
  }

  /** How many rows have ended so far. */
  get count(): number {
    return this.#count
  }

  /** The standstill if rows are in flight and none comes back; otherwise undefined. */
  get standstill(): Standstill | undefined {
    return this.#inFlight.standstill(this.#batches, this.#backAt)
  }

  /**
   * Returns the rows that may be sent now and marks them as in flight; `waitMs` is the time until the next row may be
   * sent.
   */
  take(): { readonly taken: TakenRow[]; readonly waitMs: number } {
    const { parallel, rateLimit } = this.#options
    const taken: TakenRow[] = []
    for (let count = this.#batches.inFlight; count < parallel; count++) {
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
    const all = [...this.#batches.values()]
    for (let tried = 0; tried < all.length; tried++) {
      const batch = all[this.#turn++ % all.length]
      const row = batch && maySend(batch) ? batch.rows.take() : undefined
      if (batch && row) return { id: batch.head.id, row }
    }
    return undefined
  }

  async send(taken: readonly TakenRow[]): Promise<Step> {
    try {
      // The row is stored as in flight before it is sent, so that it is known after a crash that the row may have been
      // in the flow.
      await Promise.all(taken.map(({ id, row }) => this.#batches.save(id, row)))
    } catch (error) {
      this.#options.failed(error)
      for (const one of taken) this.#putBack(one)
      return { ended: [], againMs: storageRetryMs }
    }
    const steps: Step[] = []
    for (const one of taken) steps.push(await this.#sendOne(one))
    return together(steps)
  }

  #putBack({ id, row }: TakenRow): void {
    if (row.phase === 'in flight') this.#batches.holderOf(id, row)?.rows.putBack(row)
  }

  async #sendOne({ id, row }: TakenRow): Promise<Step> {
    const { clock, emit, failed, nodeId } = this.#options
    const from = this.#batches.holderOf(id, row)
    let said: Content | undefined
    try {
      said = await from?.journal.content(from.rows.indexOf(row))
    } catch (error) {
      // The content can't be read now, so the row stays as it was.
      failed(error)
      this.#putBack({ id, row })
      return { ended: [], againMs: storageRetryMs }
    }
    const batch = this.#batches.holderOf(id, row)
    if (this.#signal.aborted || row.phase !== 'in flight' || !batch) return { ended: [] }
    if (!said) return this.#close(batch, row, 'unreadable')
    if (hasActed(this.#inFlight.callsOf(id, row))) return this.#closeActed(batch, row)
    sentAgain(row)
    const msg = messageFor(nodeId, batch, row, said)
    this.#inFlight.add(id, row, clock.now())
    this.#inFlight.track(id, row, msg)
    emit(msg)
    return { ended: [] }
  }

  /**
   * Ends a row that would do something twice if it were sent again: it was lost after a call was made for it, one branch
   * of the flow made a call after another branch had returned the row, or the row was given up.
   */
  #closeActed(batch: Batch, row: Row): Promise<Step> {
    const calls = this.#inFlight.callsOf(batch.head.id, row)
    const end = { failed: true, outcome: 'not-done', result: { ...row.result, ...madeBy(calls) }, calls } as const
    const { result: told } = this.#verdictOf(batch.head.id, row, end, row.lost > 0)
    addServices(row, servicesIn(calls))
    batch.rows.close(row, 'look first', { code: 'EID_FAILED', ...told })
    return this.#settle(batch, row)
  }

  #verdictOf(id: string, row: Row, end: Failure, isLost = false): Failure {
    const { translate } = this.#options
    if (row.phase === 'done') return partlyFailed(end, row.errors, translate)
    const calls = [...this.#inFlight.callsOf(id, row), ...end.calls]
    const isComplete = !isLost && this.#inFlight.knowsAllOf(id, row)
    return verdictOf(end, { calls, isComplete, errors: row.errors, before: madeOwn(row), isLost }, translate)
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

  /**
   * Handles a row whose node was stopped while holding it. The row may come back if that node was sending it on;
   * otherwise it is lost. Nothing happens for an earlier attempt: the latest one is still in the flow. With `end`, the
   * row has failed, and no Catch node sends it back.
   */
  stopped(id: string, key: string, { sent, run }: Attempt = {}, end?: RowEnd): LostRows | undefined {
    const batch = this.#batches.get(id)
    const row = batch?.rows.find(key)
    if (!batch || row?.phase !== 'in flight' || isOfAnother(batch.head, run)) return undefined
    return isLatest(row, sent) ? this.#inFlight.stopped(id, row, sent === undefined && row.sent > 1, end) : undefined
  }

  /** Handles rows that were in flight when this node was stopped. */
  recover({ head, rows }: Batch, flowGoesOn: boolean): readonly LostRows[] {
    return this.#inFlight.recover(head, rows, flowGoesOn)
  }

  /**
   * Sends again the rows that are not coming back. A row that a node stores is not sent again, because that node will
   * send it on. If the node stores an earlier attempt, the latest one is lost anyway.
   */
  async resendLost(lost: LostRows): Promise<Step> {
    let held: ReadonlySet<string>
    try {
      const head = this.#batches.get(lost.id)?.head
      const all = (await this.#options.waitingRows?.(lost.id, head?.takenBy)) ?? []
      held = new Set(
        all.filter(({ run }) => !isOfAnother(head ?? {}, run)).map(({ mark, sent }) => attemptName(mark, sent)),
      )
    } catch (error) {
      this.#options.failed(error)
      return { ended: [], undecided: { ...lost, afterMs: storageRetryMs } }
    }
    const latest = [...lost.rows].filter(([row, attempt]) => row.sent === attempt)
    return together(await Promise.all(latest.map(([row]) => this.#decideLost(row, held, lost))))
  }

  /** `held` contains the names of the attempts that a node stores. */
  async #decideLost(row: Row, held: ReadonlySet<string>, { id, lostBy, perhapsEarlier, end }: LostRows): Promise<Step> {
    const batch = this.#batches.holderOf(id, row)
    if (!batch || row.phase !== 'in flight') return { ended: [] }
    if (held.has(attemptName(markOfKey(row.key), row.sent))) {
      this.#inFlight.add(id, row, this.#options.clock.now())
      return { ended: [] }
    }
    this.#inFlight.remove(id, row)
    // Another branch of the flow may still be at work for this row, so it is not tried again.
    if (end) return this.end(batch, batch.rows.giveUp(row), row.sent, end, 1)
    if (perhapsEarlier) return this.#closeActed(batch, batch.rows.giveUp(row))
    if (lostBy === 'process' && isDeliveredTooOften(row.lost + 1)) return this.#close(batch, row, 'tooOften')
    batch.rows.requeue(row, lostBy)
    return { ended: [] }
  }

  /**
   * Handles a returning row; resolves when its end is stored. `sent` is the number of the attempt from which the row
   * comes back.
   */
  async end(
    batch: Batch,
    row: Row,
    sent: number | undefined,
    end: RowEnd,
    attempts = this.#options.attempts,
  ): Promise<Step> {
    this.#backAt = this.#options.clock.now()
    // If an earlier attempt failed, the latest one is still in the flow, and its result is not known yet.
    if (end.failed && !isLatest(row, sent)) return { ended: [] }
    this.#inFlight.remove(batch.head.id, row)
    const verdict = end.failed ? this.#verdictOf(batch.head.id, row, end) : end
    if (!batch.rows.end(row, verdict, attempts, isLatest(row, sent))) return { ended: [] }
    if (row.phase === 'done') cameBackWell(row, end.failed ? [] : end.failedIn)
    return this.#settle(batch, row)
  }

  /** Stops waiting for the rows of this batch. */
  forget({ head: { id }, rows }: Batch): void {
    for (const row of rows.all) {
      this.#inFlight.remove(id, row)
      this.#inFlight.forgetCalls(id, row)
    }
  }

  async #settle(settled: Batch, row: Row): Promise<Step> {
    const { failed } = this.#options
    const { id } = settled.head
    if (hasEnded(row)) {
      this.#count++
      this.#inFlight.forgetCalls(id, row)
    }
    settled.unwritten++
    await insist(() => this.#batches.save(id, row), { failed, signal: this.#signal })
    settled.unwritten--
    const batch = this.#batches.holderOf(id, row)
    return { ended: batch?.rows.haveEnded && batch.unwritten === 0 ? [batch] : [] }
  }
}

function together(steps: readonly Step[]): Step {
  const againMs = steps.find((one) => one.againMs !== undefined)?.againMs
  return { ended: steps.flatMap(({ ended }) => ended), ...(againMs !== undefined && { againMs }) }
}

/** Whether a message with this number comes from the latest attempt to send the row; true if it has no number. */
function isLatest(row: Row, sent: number | undefined): boolean {
  return sent === undefined || sent === row.sent
}

const attemptName = (mark: string, sent: number) => `${sent} of ${mark}`

function maySend({ head, superseded }: Batch): boolean {
  return head.stage === 'running' && !head.paused && !superseded
}
