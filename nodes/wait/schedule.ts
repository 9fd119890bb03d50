/** Wakes many waits with one timer, so many at a time. */
import { maxTimerMs } from '../../lib/api/retry'

export interface Schedule {
  /** Wakes `id` at a time (milliseconds since 1970). */
  add(id: string, time: number): void
  /** Takes back whatever was planned. */
  close(): void
}

interface Plan {
  readonly id: string
  readonly time: number
}

/** `wake` must not reject; at the most `parallel` of them run at once, the rest wait in the order of their times. */
export function createSchedule(parallel: number, wake: (id: string) => Promise<void>): Schedule {
  /** Sorted by time. */
  let plans: Plan[] = []
  let running = 0
  let timer: NodeJS.Timeout | undefined

  const arm = () => {
    clearTimeout(timer)
    timer = undefined
    const first = plans[0]
    if (!first || running >= parallel) return
    timer = setTimeout(run, Math.min(Math.max(0, first.time - Date.now()), maxTimerMs))
  }
  const run = () => {
    const now = Date.now()
    while (running < parallel && (plans[0]?.time ?? Infinity) <= now) start(plans.shift()?.id ?? '')
    arm()
  }
  const start = (id: string) => {
    running++
    void wake(id).then(() => {
      running--
      if (timer === undefined) arm()
    })
  }
  return {
    add(id, time) {
      const place = placeOf(plans, time)
      plans.splice(place, 0, { id, time })
      if (place === 0) arm()
    },
    close() {
      plans = []
      clearTimeout(timer)
    },
  }
}

/** Where a plan for this time belongs: behind those of the same time. */
function placeOf(plans: readonly Plan[], time: number): number {
  let [low, high] = [0, plans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((plans[middle]?.time ?? Infinity) <= time) low = middle + 1
    else high = middle
  }
  return low
}
