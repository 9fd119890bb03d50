/** Tells below the node and on the second output how far the batches are: "312 of 2,000, 3 failed, done at 14:20". */
import type { BatchProgress } from '../../../lib/runtime/monitor/batches'
import type { Clock } from '../../../lib/store/clock'
import type { LiveNode } from '../../../lib/runtime/node/live-node'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import type { Batch } from './batch-state'
import type { Batches } from './queue'
import type { fields } from '../batch.fields'
import { createEstimate } from './estimate'
import type { Counts } from '../rows/rows'

type Live = Pick<LiveNode<typeof fields>, 'status' | 'translate'>

export interface Progress {
  /** Something is another than before. */
  changed(): void
  /** A batch has come to its end. */
  ended(counts: Counts): void
  /** The batches as lists show them, without their node. */
  list(): Omit<BatchProgress, 'node'>[]
  stop(): void
}

const statusMs = 250
const outputMs = 1000

/** So long nothing comes back before that is told: longer than any call and its retries take. */
const standstillMs = 10 * 60_000

interface ProgressOptions {
  readonly clock: Clock
  readonly intervalMs: number
  /** Sends to the second output. */
  readonly emit: (msg: FlowMessage) => void
  /** Nothing has come back for `minutes`; `row` is the number of the one that has been out for longest. */
  readonly stuck: (row: number, minutes: number) => void
}

export function createProgress(
  { status, translate }: Live,
  batches: Pick<Batches, 'all' | 'ended' | 'standstill'>,
  { clock, intervalMs, emit, stuck }: ProgressOptions,
): Progress {
  const estimate = createEstimate(clock, intervalMs)
  const sentTexts = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let outputAt = clock.now()
  let shown = ''
  let toldSince: number | undefined

  const leftOf = ({ rows: { counts } }: Batch) => counts.total - counts.done - counts.failed
  const running = () => batches.all().filter(({ head }) => !head.paused)
  const remainingMs = () => estimate.remainingMs(running().reduce((sum, batch) => sum + leftOf(batch), 0))

  const show = () => {
    const all = batches.all()
    if (all.length === 0) {
      estimate.rest()
      shown = ''
      return status.rest()
    }
    const counts = all.map(({ rows }) => rows.counts)
    const [total, done, failed] = (['total', 'done', 'failed'] as const).map((name) =>
      counts.reduce((sum, one) => sum + one[name], 0),
    ) as [number, number, number]
    const number = numbers(translate)
    const parts = [translate('status.progress', { ended: number(done + failed), total: number(total) })]
    if (failed > 0) parts.push(translate('status.failed', { count: number(failed) }))
    const active = running().length > 0
    const end = active ? remainingMs() : undefined
    if (end !== undefined) parts.push(translate('status.doneAt', { time: timeOf(translate, clock.epochNow(), end) }))
    if (!active) parts.unshift(translate('status.paused'))
    const stuckRow = active ? stuckAt() : undefined
    if (stuckRow) parts.splice(1, parts.length, translate('status.stuck', { row: number(stuckRow) }))
    const text = parts.join(', ')
    const look = stuckRow ? ({ fill: 'yellow', shape: 'ring' } as const) : ({ shape: 'dot' } as const)
    if (text !== shown) status.show({ fill: active ? 'blue' : 'grey', ...look, text })
    shown = text
  }
  /** The number of the row that is waited for in vain; it is told once until another one comes back. */
  const stuckAt = (): number | undefined => {
    const { row, since = Infinity } = batches.standstill() ?? {}
    const forMs = clock.now() - since
    if (row === undefined || forMs < standstillMs) return undefined
    if (toldSince !== since) stuck(row, Math.floor(forMs / 60_000))
    toldSince = since
    return row
  }
  const tell = () => {
    outputAt = clock.now()
    for (const { head, rows } of batches.all()) {
      const { total, done, failed } = rows.counts
      const text = `${done} ${failed} ${total}`
      if (head.stage !== 'running' || sentTexts.get(head.id) === text) continue
      sentTexts.set(head.id, text)
      emit({ payload: { id: head.id, total, done, failed }, status: 'running', batchId: head.id })
    }
  }
  const tick = () => {
    timer = undefined
    estimate.note(batches.ended())
    show()
    if (clock.now() - outputAt >= outputMs) tell()
    // The time of the end goes on changing when nothing else does.
    if (running().length > 0) arm(outputMs)
  }
  const arm = (milliseconds: number) => {
    timer = setTimeout(tick, milliseconds)
    timer.unref()
  }
  let soon = false
  return {
    changed() {
      estimate.note(batches.ended())
      if (soon) return
      soon = true
      clearTimeout(timer)
      timer = setTimeout(() => {
        soon = false
        tick()
      }, statusMs)
      timer.unref()
    },
    ended({ total, done, failed }) {
      const number = numbers(translate)
      const words = [translate('status.ended', { count: number(done) })]
      if (failed > 0) words.push(translate('status.failed', { count: number(failed) }))
      if (total === 0) words[0] = translate('status.empty')
      status.setResult({ fill: failed > 0 ? 'yellow' : 'green', shape: 'dot', text: words.join(', ') })
    },
    list() {
      const perRow = estimate.remainingMs(1)
      const active = running().length
      return batches.all().map((batch) => {
        const { head, rows } = batch
        const { total, done, failed } = rows.counts
        const { id, started, paused } = head
        const listed = { id, total, done, failed, started, paused }
        if (perRow === undefined || paused) return listed
        return { ...listed, expectedEnd: Math.round(clock.epochNow() + perRow * leftOf(batch) * active) }
      })
    },
    stop: () => clearTimeout(timer),
  }
}

type Translate = Live['translate']

function numbers(translate: Translate): (number: number) => string {
  const format = new Intl.NumberFormat(translate('status.language'))
  return (number) => format.format(number)
}

const dayMs = 86_400_000

/** "14:20", or "Fri 14:20", or "3 May": as exact as it can be at that distance. */
function timeOf(translate: Translate, now: number, inMs: number): string {
  const then = new Date(now + inMs)
  const isToday = inMs < dayMs && then.getDate() === new Date(now).getDate()
  const day = inMs < 6 * dayMs ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  const hour = inMs < 6 * dayMs ? ({ hour: '2-digit', minute: '2-digit' } as const) : {}
  return new Intl.DateTimeFormat(translate('status.language'), { ...(!isToday && day), ...hour }).format(then)
}
