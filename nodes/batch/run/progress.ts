/** Shows the progress of the batches below the node, on the second output and in lists. */
import type { BatchProgress } from '../../../lib/runtime/monitor/batches'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { LiveNode } from '../../../lib/runtime/node/live-node'
import type { Clock } from '../../../lib/store/clock'
import type { fields } from '../batch.fields'
import type { Counts } from '../rows/rows'
import type { Standstill } from './in-flight'
import type { Batch } from './batch-state'
import { endedStatus, progressStatus } from './progress-status'
import type { BatchQueue } from './queue'

type Live = Pick<LiveNode<typeof fields>, 'status' | 'translate'>

const statusMs = 250
const outputMs = 1000

/** If nothing comes back for this long, that is reported: longer than any call with its retries takes. */
const standstillMs = 10 * 60_000

interface ProgressOptions {
  readonly clock: Clock
  readonly intervalMs: number
  /** Sends to the second output. */
  readonly emit: (msg: FlowMessage) => void
  /** Nothing has come back for `minutes`; `row` is the one in flight longest. */
  readonly stuck: (row: Standstill, minutes: number) => void
}

export class Progress {
  readonly #live: Live
  readonly #queue: Pick<BatchQueue, 'all' | 'ended' | 'standstill'>
  readonly #options: ProgressOptions
  readonly #estimate: Estimate
  readonly #sentTexts = new Map<string, string>()
  #timer: NodeJS.Timeout | undefined
  #isSoon = false
  #outputAt: number
  #shown = ''
  #reportedSince: number | undefined

  constructor(live: Live, queue: Pick<BatchQueue, 'all' | 'ended' | 'standstill'>, options: ProgressOptions) {
    this.#live = live
    this.#queue = queue
    this.#options = options
    this.#estimate = createEstimate(options.clock, options.intervalMs)
    this.#outputAt = options.clock.now()
  }

  /** Something has changed. */
  changed(): void {
    this.#estimate.note(this.#queue.ended())
    if (this.#isSoon) return
    this.#isSoon = true
    clearTimeout(this.#timer)
    this.#arm(statusMs)
  }

  /** All rows of a batch have ended. */
  ended(counts: Counts): void {
    const { status, translate } = this.#live
    status.setResult(endedStatus(counts, translate))
  }

  /** The batches as lists show them, without their node. */
  list(): Omit<BatchProgress, 'node'>[] {
    const perRow = this.#estimate.remainingMs(1)
    const active = this.#running().length
    return this.#queue.all().map((batch) => {
      const { head, rows } = batch
      const { total, done, failed } = rows.counts
      const { id, started, paused } = head
      const listed = { id, total, done, failed, started, paused }
      if (perRow === undefined || paused) return listed
      const remainingMs = perRow * leftOf(batch) * active
      return { ...listed, expectedEnd: Math.round(this.#options.clock.epochNow() + remainingMs) }
    })
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #running(): Batch[] {
    return this.#queue.all().filter(({ head }) => !head.paused)
  }

  #arm(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#tick(), milliseconds)
    this.#timer.unref()
  }

  #tick(): void {
    this.#isSoon = false
    this.#estimate.note(this.#queue.ended())
    this.#show()
    if (this.#options.clock.now() - this.#outputAt >= outputMs) this.#send()
    // The expected end changes even if nothing else does.
    if (this.#running().length > 0) this.#arm(outputMs)
  }

  #show(): void {
    const { status, translate } = this.#live
    const all = this.#queue.all()
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
        stuckRow: isActive ? this.#stuckRow() : undefined,
        now: this.#options.clock.epochNow(),
      },
      translate,
    )
    if (next.text !== this.#shown) status.show(next)
    this.#shown = next.text ?? ''
  }

  /** The number of the row that does not come back; reported once until another row comes back. */
  #stuckRow(): number | undefined {
    const found = this.#queue.standstill()
    const forMs = this.#options.clock.now() - (found?.since ?? Infinity)
    if (!found || forMs < standstillMs) return undefined
    if (this.#reportedSince !== found.since) this.#options.stuck(found, Math.floor(forMs / 60_000))
    this.#reportedSince = found.since
    return found.row
  }

  #send(): void {
    this.#outputAt = this.#options.clock.now()
    for (const { head, rows } of this.#queue.all()) {
      const { total, done, failed } = rows.counts
      const text = `${done} ${failed} ${total}`
      if (head.stage !== 'running' || this.#sentTexts.get(head.id) === text) continue
      this.#sentTexts.set(head.id, text)
      this.#options.emit({ payload: { id: head.id, total, done, failed }, status: 'running', batchId: head.id })
    }
  }
}

function leftOf({ rows: { counts } }: Batch): number {
  return counts.total - counts.done - counts.failed
}

export interface Estimate {
  /** The number of rows ended so far, in all batches of the node. */
  note(ended: number): void
  /** Milliseconds until this many more have ended; undefined while unknown. */
  remainingMs(rows: number): number | undefined
  /** There is nothing to do for a while, which does not mean slowness. */
  rest(): void
}

/** Samples to look back: enough to be steady, few enough to notice a change of speed. */
const maxSamples = 100
const sampleMs = 250

/** `intervalMs` is the set rate, which is never exceeded. */
function createEstimate(clock: Pick<Clock, 'now'>, intervalMs: number): Estimate {
  let samples: { readonly at: number; readonly ended: number }[] = []
  const msPerRow = () => {
    const [first, last] = [samples[0], samples.at(-1)]
    if (!first || !last || last.ended <= first.ended) return intervalMs || undefined
    const mean = (last.at - first.at) / (last.ended - first.ended)
    // Nothing for longer than a row usually takes: the rate has dropped.
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
