/** Checks the lists from time to time, and soon after they have changed, one check at a time. */

interface Looks {
  start(): void
  /** Called after each change, perhaps thousands of times a second. */
  readonly soon: () => void
  /** Runs `work` after the current work has ended. If `work` rejects, it runs again with the next check. */
  next(work: () => Promise<void>): void
  stop(): Promise<void>
}

const everyMs = 5_000
const soonMs = 300
/** The checks take at most one twentieth of the time. */
const share = 20

/** Maximum number of rejected tasks kept for another try; beyond that, the oldest are dropped. */
const maxAgain = 10_000

/**
 * Creates the repeated check `look`. Each time that `look` or a task given to `next` rejects, `failed` is called with
 * the error.
 */
export function createLooks(look: () => Promise<void>, failed: (error: unknown) => void): Looks {
  let queue = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let isStopped = false
  let notBefore = 0
  let due = Infinity

  const again: (() => Promise<void>)[] = []
  const next = (work: () => Promise<void>) => {
    const retry = (error: unknown) => {
      if (work !== whole && again.push(work) > maxAgain) again.shift()
      failed(error)
    }
    queue = queue.then(() => (isStopped ? undefined : work())).catch(retry)
  }
  const whole = async () => {
    const begun = performance.now()
    try {
      for (let work = again[0]; work; work = again[0]) {
        await work()
        again.shift()
      }
      await look()
    } finally {
      notBefore = performance.now() + (performance.now() - begun) * share
      if (!isStopped && due === Infinity) schedule(everyMs)
    }
  }
  const schedule = (afterMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(run, Math.max(afterMs, notBefore - performance.now())).unref()
    due = performance.now() + afterMs
  }
  const run = () => {
    due = Infinity
    next(whole)
  }
  return {
    start() {
      isStarted = true
      schedule(0)
    },
    soon() {
      if (isStarted && !isStopped && due > performance.now() + soonMs) schedule(soonMs)
    },
    next,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await queue
    },
  }
}
