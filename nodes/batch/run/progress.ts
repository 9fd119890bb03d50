/** Shows the progress of batches: in the status below the node, on its second output, and in lists. */
import type { Translate } from '../../../lib/api/errors/texts'
import type { BatchProgress } from '../../../lib/runtime/monitor/batches'
import type { FlowMessage, NodeStatus } from '../../../lib/runtime/node-red/node-red'
import type { LiveStatus } from '../../../lib/runtime/node/status'
import type { Clock } from '../../../lib/store/clock'
import { failedRowsOf } from '../rows/failed-rows'
import { endedOf, shownNumber, type Counts, type RowPlace } from '../rows/rows'
import type { Batch, BatchSet } from './batch-state'
import type { Standstill } from './in-flight'
import type { RateLimit } from './rate-limit'

const statusMs = 250
const outputMs = 1000

/**
 * If nothing comes back for this long, a standstill is reported. The time is longer than any call takes, including its
 * retries.
 */
const standstillMs = 10 * 60_000

/**
 * If no wire leads back, a warning comes after this time and not at once, because rows may come back without a wire.
 */
const noWayBackMs = 5_000

export interface ProgressOptions {
  readonly status: LiveStatus
  readonly translate: Translate
  readonly clock: Clock
  readonly rateLimit: RateLimit
  /** Sends how many rows of a batch have ended so far. */
  emitProgress(msg: FlowMessage): void
  /** Reports that no row has come back for this many minutes; `row` has been in flight longest. */
  stuck(row: RowPlace, minutes: number): void
  /** Whether a wire, or anything else in the flow file, leads the rows back to the node. */
  mayComeBack(): boolean
  /** Reports that nothing leads the rows of this batch back; `inFlight` of its `total` rows are in flight. */
  noWayBack(id: string, inFlight: number, total: number): void
}

/** What is known about returning rows. */
interface Returned {
  /** How many rows have ended so far. */
  readonly count: number
  /** Set while rows are in flight and none comes back. */
  readonly standstill: Standstill | undefined
}

export class Progress {
  readonly #options: ProgressOptions
  readonly #batches: BatchSet
  readonly #returned: Returned
  readonly #estimate: Estimate
  readonly #sentTexts = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined
  #isSoon = false
  #isStopped = false
  #outputAt: number
  #shown = ''
  #reportedSince: number | undefined
  #warnedSince: number | undefined

  constructor(options: ProgressOptions, batches: BatchSet, returned: Returned) {
    this.#options = options
    this.#batches = batches
    this.#returned = returned
    this.#estimate = createEstimate(options.clock, options.rateLimit.intervalMs)
    this.#outputAt = options.clock.now()
  }

  /** Called when something has changed. */
  changed(): void {
    this.#estimate.note(this.#returned.count)
    if (this.#isSoon || this.#isStopped) return
    this.#isSoon = true
    clearTimeout(this.#timer)
    this.#arm(statusMs)
  }

  /** Shows in the status that all rows of a batch have ended. */
  ended(counts: Counts): void {
    const { status, translate } = this.#options
    status.setResult(endedStatus(counts, translate))
  }

  /** The batches as lists show them, without their node. */
  list(): Omit<BatchProgress, 'node'>[] {
    const perRow = this.#estimate.remainingMs(1)
    const active = this.#running().length
    return this.#batches.all.map((batch) => {
      const { head, rows } = batch
      const { total, done, failed, changed } = rows.counts
      const { id, started, paused } = head
      const failures = failedRowsOf(batch)
      const listed = { id, total, done, failed, changed, started, paused, failures }
      if (perRow === undefined || paused) return listed
      const remainingMs = perRow * leftOf(batch) * active
      return { ...listed, expectedEnd: Math.round(this.#options.clock.epochNow() + remainingMs) }
    })
  }

  /** From now on, nothing is shown or sent. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#isStopped = true
  }

  #running(): Batch[] {
    return this.#batches.all.filter(({ head }) => !head.paused)
  }

  #arm(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#tick(), milliseconds)
    this.#timer.unref()
  }

  #tick(): void {
    this.#isSoon = false
    this.#estimate.note(this.#returned.count)
    this.#show()
    if (this.#options.clock.now() - this.#outputAt >= outputMs) this.#send()
    // The expected end changes even if nothing else does, so the status is shown again.
    if (this.#running().length > 0) this.#arm(outputMs)
  }

  #show(): void {
    const { status, translate } = this.#options
    const all = this.#batches.all
    if (all.length === 0) {
      this.#estimate.rest()
      this.#shown = ''
      return status.rest()
    }
    const running = this.#running()
    const isActive = running.length > 0
    const left = running.reduce((sum, batch) => sum + leftOf(batch), 0)
    const next = progressStatus(
      {
        counts: all.map(({ rows }) => rows.counts),
        isActive,
        remainingMs: this.#estimate.remainingMs(left),
        hasNoWayBack: isActive && this.#hasNoWayBack(),
        stuckRow: isActive ? this.#stuckRow() : undefined,
        now: this.#options.clock.epochNow(),
      },
      translate,
    )
    if (next.text !== this.#shown) status.show(next)
    this.#shown = next.text ?? ''
  }

  /**
   * The number of the row that does not come back. The standstill is reported only once until another row comes back.
   */
  #stuckRow(): number | undefined {
    const found = this.#returned.standstill
    const forMs = this.#options.clock.now() - (found?.since ?? Infinity)
    if (!found || forMs < standstillMs) return undefined
    if (this.#reportedSince !== found.since) this.#options.stuck(found, Math.floor(forMs / 60_000))
    this.#reportedSince = found.since
    return shownNumber(found)
  }

  /** Whether nothing has come back and no wire leads back; this is reported only once. */
  #hasNoWayBack(): boolean {
    const { clock, mayComeBack, noWayBack } = this.#options
    const { count, standstill: found } = this.#returned
    if (!found || count > 0 || clock.now() - found.since < noWayBackMs) return false
    if (this.#warnedSince === found.since) return true
    if (mayComeBack()) return false
    this.#warnedSince = found.since
    const { inFlight, total } = this.#batches.get(found.id)?.rows.counts ?? { inFlight: 0, total: 0 }
    noWayBack(found.id, inFlight, total)
    return true
  }

  #send(): void {
    this.#outputAt = this.#options.clock.now()
    for (const { head, rows } of this.#batches.all) {
      const { total, done, failed, changed } = rows.counts
      const text = `${done} ${failed} ${changed} ${total}`
      if (head.stage !== 'running' || this.#sentTexts.get(head.id) === text) continue
      this.#sentTexts.set(head.id, text)
      const payload = { id: head.id, total, done, failed, changed }
      this.#options.emitProgress({ payload, status: 'running', batchId: head.id })
    }
  }
}

function leftOf({ rows: { counts } }: Batch): number {
  return counts.total - endedOf(counts)
}

interface Estimate {
  /** Notes the number of rows that have ended so far in all batches of the node. */
  note(ended: number): void
  /** Milliseconds until this many more rows have ended; undefined while unknown. */
  remainingMs(rows: number): number | undefined
  /** Called when there is nothing to do for a while, so that the pause does not lower the rate. */
  rest(): void
}

/** Number of samples from which the rate is computed: enough to be steady, few enough to notice a change of speed. */
const maxSamples = 100
const sampleMs = 250

/** `intervalMs` comes from the set rate, which is never exceeded. */
function createEstimate(clock: Pick<Clock, 'now'>, intervalMs: number): Estimate {
  let samples: { readonly at: number; readonly ended: number }[] = []
  const msPerRow = () => {
    const first = samples[0]
    const last = samples.at(-1)
    if (!first || !last || last.ended <= first.ended) return intervalMs || undefined
    const mean = (last.at - first.at) / (last.ended - first.ended)
    // If no row has ended for longer than a row usually takes, the rate has dropped.
    const now = (clock.now() - first.at) / (last.ended - first.ended + 1)
    return Math.max(mean, now, intervalMs)
  }
  return {
    note(ended) {
      const last = samples.at(-1)
      if (last && ended < last.ended) samples = []
      if (last && ended >= last.ended && clock.now() - last.at < sampleMs) return
      samples.push({ at: clock.now(), ended })
      if (samples.length > maxSamples) samples.shift()
    },
    remainingMs(rows) {
      const each = msPerRow()
      return each === undefined ? undefined : each * rows
    },
    rest: () => void (samples = []),
  }
}

interface Situation {
  /** The counts of each open batch. */
  readonly counts: readonly Counts[]
  /** Whether at least one of the batches is not paused. */
  readonly isActive: boolean
  /** Milliseconds until all rows have ended; undefined while unknown. */
  readonly remainingMs: number | undefined
  /** Whether rows do not come back because no wire leads back. */
  readonly hasNoWayBack: boolean
  /** The number of the row that holds up all others. */
  readonly stuckRow: number | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The status text: "312 of 2,000, 3 failed, done at 14:20". */
export function progressStatus(
  { counts, isActive, remainingMs, hasNoWayBack, stuckRow, now }: Situation,
  translate: Translate,
): NodeStatus {
  const number = numbers(translate)
  const sum = (name: 'total' | 'failed' | 'changed') => counts.reduce((all, one) => all + one[name], 0)
  const ended = counts.reduce((all, one) => all + endedOf(one), 0)
  const parts = [translate('status.progress', { ended: number(ended), total: number(sum('total')) })]
  if (!isActive) parts.unshift(translate('status.paused'))
  const stuck = stuckRow === undefined ? undefined : translate('status.stuck', { row: number(stuckRow) })
  const reason = stuck ?? (hasNoWayBack ? translate('status.noWayBack') : undefined)
  if (isActive && reason !== undefined) return { fill: 'yellow', shape: 'ring', text: [...parts, reason].join(', ') }
  parts.push(...problemsOf({ failed: sum('failed'), changed: sum('changed') }, translate))
  if (isActive && remainingMs !== undefined)
    parts.push(translate('status.doneAt', { time: timeOf(translate, now, remainingMs) }))
  return { fill: isActive ? 'blue' : 'grey', shape: 'dot', text: parts.join(', ') }
}

/** The status text for an ended batch. */
export function endedStatus(counts: Counts, translate: Translate): NodeStatus {
  const { total, done } = counts
  const ended = translate('status.ended', { count: numbers(translate)(done) })
  const problems = problemsOf(counts, translate)
  const text = [total === 0 ? translate('status.empty') : ended, ...problems].join(', ')
  return { fill: problems.length > 0 ? 'yellow' : 'green', shape: 'dot', text }
}

/** "3 failed", "1 changed": what a person has to look at. */
function problemsOf(counts: Pick<Counts, 'failed' | 'changed'>, translate: Translate): string[] {
  const number = numbers(translate)
  const kinds = ['failed', 'changed'] as const
  return kinds.flatMap((kind) =>
    counts[kind] > 0 ? [translate(`status.${kind}`, { count: number(counts[kind]) })] : [],
  )
}

function numbers(translate: Translate): (number: number) => string {
  const format = new Intl.NumberFormat(translate('status.language'))
  return (number) => format.format(number)
}

const dayMs = 86_400_000

/** "14:20", "Fri 14:20" or "3 May": as precise as the distance allows. */
function timeOf(translate: Translate, now: number, inMs: number): string {
  const then = new Date(now + inMs)
  const isToday = inMs < dayMs && then.getDate() === new Date(now).getDate()
  const day = inMs < 6 * dayMs ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  const hour = inMs < 6 * dayMs ? ({ hour: '2-digit', minute: '2-digit' } as const) : {}
  return new Intl.DateTimeFormat(translate('status.language'), { ...(!isToday && day), ...hour }).format(then)
}
