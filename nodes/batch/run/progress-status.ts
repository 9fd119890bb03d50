/** The status text below the node: "312 of 2,000, 3 failed, done at 14:20". */
import type { Translate } from '../../../lib/api/errors/texts'
import type { NodeStatus } from '../../../lib/runtime/node-red/node-red'
import type { Counts } from '../rows/rows'

export interface Situation {
  /** For each open batch. */
  readonly counts: readonly Counts[]
  /** Not all of them are paused. */
  readonly isActive: boolean
  /** Until all rows have ended; undefined while unknown. */
  readonly remainingMs: number | undefined
  /** The number of the row that holds up all others. */
  readonly stuckRow: number | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

export function progressStatus(
  { counts, isActive, remainingMs, stuckRow, now }: Situation,
  translate: Translate,
): NodeStatus {
  const number = numbers(translate)
  const sum = (name: 'total' | 'done' | 'failed') => counts.reduce((all, one) => all + one[name], 0)
  const failed = sum('failed')
  const parts = [translate('status.progress', { ended: number(sum('done') + failed), total: number(sum('total')) })]
  if (!isActive) parts.unshift(translate('status.paused'))
  if (isActive && stuckRow !== undefined) {
    const text = [...parts, translate('status.stuck', { row: number(stuckRow) })].join(', ')
    return { fill: 'yellow', shape: 'ring', text }
  }
  if (failed > 0) parts.push(translate('status.failed', { count: number(failed) }))
  if (isActive && remainingMs !== undefined)
    parts.push(translate('status.doneAt', { time: timeOf(translate, now, remainingMs) }))
  return { fill: isActive ? 'blue' : 'grey', shape: 'dot', text: parts.join(', ') }
}

/** The status text for an ended batch. */
export function endedStatus({ total, done, failed }: Counts, translate: Translate): NodeStatus {
  const number = numbers(translate)
  const words = [total === 0 ? translate('status.empty') : translate('status.ended', { count: number(done) })]
  if (failed > 0) words.push(translate('status.failed', { count: number(failed) }))
  return { fill: failed > 0 ? 'yellow' : 'green', shape: 'dot', text: words.join(', ') }
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
