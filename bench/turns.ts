/** Watches how long the turns of this process's event loop are, and how much of each turn is garbage collection. */
import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** All values are in milliseconds. */
interface Turns {
  /** The longest turn of the event loop. */
  readonly turn: number
  /** How much of the longest turn was garbage collection. */
  readonly garbage: number
  /** The longest turn if garbage collection is not counted. */
  readonly own: number
}

interface Span {
  readonly from: number
  readonly to: number
}

const resolutionMs = 5
/** Turns of the event loop that are shorter than this are ignored. */
const noticeableMs = 15

/** Starts watching; the returned function stops it and returns the figures. */
export function watchTurns(): () => Promise<Turns> {
  const turns: Span[] = []
  const collections: Span[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ from: startTime, to: startTime + duration })
  })
  observer.observe({ entryTypes: ['gc'] })
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - last > resolutionMs + noticeableMs) turns.push({ from: last + resolutionMs, to: now })
    last = now
  }, resolutionMs).unref()
  return async () => {
    clearInterval(timer)
    // Garbage collections are reported a little later.
    await pause(50)
    observer.disconnect()
    const all = turns.map((turn) => ({ turn: lengthOf(turn), garbage: garbageIn(turn, collections) }))
    const longest = all.reduce((one, other) => (other.turn > one.turn ? other : one), { turn: 0, garbage: 0 })
    return { ...longest, own: Math.max(0, ...all.map(({ turn, garbage }) => turn - garbage)) }
  }
}

const lengthOf = ({ from, to }: Span) => to - from

function garbageIn(turn: Span, collections: readonly Span[]): number {
  const shared = collections.map(({ from, to }) => Math.min(to, turn.to) - Math.max(from, turn.from))
  return shared.filter((length) => length > 0).reduce((sum, one) => sum + one, 0)
}

/** The number of timers that keep the process alive, including those of connections. */
export const timerCount = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
