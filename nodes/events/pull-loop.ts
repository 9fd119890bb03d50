/** Pulls again and again, one pull at a time, less often while the service cannot be reached. */
import { sleep } from '../../lib/api/call/retry'

export interface PullLoop {
  readonly intervalMs: number
  /** Ends the pulling. */
  readonly signal: AbortSignal
  /** One pull with everything that belongs to it; true when there is more to fetch at once. */
  pull(): Promise<boolean>
  /** A pull did not work. */
  failed(error: unknown): void
}

/** How long a pull is put off at most after failures. */
const maxPauseMs = 300_000

/** Resolves when the signal has ended it; never rejects. */
export async function keepPulling({ intervalMs, signal, pull, failed }: PullLoop): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    let pauseMs = intervalMs
    try {
      const more = await pull()
      failures = 0
      if (more) pauseMs = 0
    } catch (error) {
      if (signal.aborted) return
      failures++
      failed(error)
      pauseMs = Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, maxPauseMs))
    }
    await sleep(pauseMs, signal).catch(() => undefined)
  }
}
