/** Pulls repeatedly, one pull at a time, and less often while the service can't be reached. */
import { sleep } from '../../lib/api/call/retry'

interface PullLoop {
  readonly intervalMs: number
  /** Aborted to stop pulling. */
  readonly signal: AbortSignal
  /** Pulls once and handles the events; resolves with true if more events can be fetched without a pause. */
  pull(): Promise<boolean>
  /** Called when a pull has failed. */
  failed(error: unknown): void
}

/** The longest pause after failures, in milliseconds. */
const maxPauseMs = 300_000

/** Pulls until the signal is aborted, then resolves; never rejects. */
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
