/** Wakes many waits with one timer, so many at a time. */
import type { Clock } from '../../lib/runtime/clock'

export interface Schedule {
  /** Wakes `id` at a time of the clock that never jumps, instead of when it was planned before. */
  plan(id: string, time: number): void
  /** Takes back what was planned for `id`. */
  cancel(id: string): void
  /** Takes back whatever was planned. */
  close(): void
}

export interface ScheduleOptions {
  readonly clock: Clock
  /** At the most so many are awake at once, the rest wait in the order of their times. */
  readonly parallel: number
  wake(id: string): Promise<void>
  /** Told when `wake` rejects. */
  failed(error: unknown): void
}

interface Plan {
  readonly id: string
  readonly time: number
}

/** The longest sleep: after it the clock is looked at again, as a machine that was suspended does not count its timers on. */
const maxSleepMs = 60_000

export function createSchedule({ clock, parallel, wake, failed }: ScheduleOptions): Schedule {
  /** Sorted by time; a plan that is no longer the latest of its id is passed over. */
  let plans: Plan[] = []
  const latest = new Map<string, Plan>()
  let running = 0
  let timer: NodeJS.Timeout | undefined

  const arm = () => {
    clearTimeout(timer)
    timer = undefined
    const first = plans[0]
    if (first && running < parallel)
      timer = setTimeout(run, Math.min(Math.max(0, first.time - clock.now()), maxSleepMs))
  }
  const run = () => {
    const now = clock.now()
    while (running < parallel && (plans[0]?.time ?? Infinity) <= now) start(plans.shift())
    arm()
  }
  const start = (plan: Plan | undefined) => {
    if (!plan || latest.get(plan.id) !== plan) return
    latest.delete(plan.id)
    running++
    void wake(plan.id)
      .catch(failed)
      .then(() => {
        running--
        if (timer === undefined) arm()
      })
  }
  return {
    plan(id, time) {
      const plan = { id, time }
      const index = indexFor(plans, time)
      plans.splice(index, 0, plan)
      latest.set(id, plan)
      if (index === 0) arm()
    },
    cancel: (id) => void latest.delete(id),
    close() {
      plans = []
      latest.clear()
      clearTimeout(timer)
    },
  }
}

/** Where a plan for this time belongs: behind those of the same time. */
function indexFor(plans: readonly Plan[], time: number): number {
  let [low, high] = [0, plans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((plans[middle]?.time ?? Infinity) <= time) low = middle + 1
    else high = middle
  }
  return low
}
