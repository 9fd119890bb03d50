/** Estimates when all rows will have ended, from the recent rate. */
import type { Clock } from '../../../lib/store/clock'

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
export function createEstimate(clock: Pick<Clock, 'now'>, intervalMs: number): Estimate {
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
