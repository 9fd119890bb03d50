/** Pulls again and again, one pull at a time, more seldom while the service cannot be reached. */
import { sleep } from '../../lib/api/retry'

export interface Pulling {
  /** Milliseconds between two pulls. */
  readonly interval: number
  /** Ends the pulling. */
  readonly signal: AbortSignal
  /** One pull with everything that belongs to it; true when there is more to fetch at once. */
  turn(): Promise<boolean>
  /** A pull did not work. */
  failed(error: unknown): void
}

/** Milliseconds: how long a pull waits at the most after failures. */
const longest = 300_000

/** Resolves when the signal has ended it; never rejects. */
export async function keepPulling({ interval, signal, turn, failed }: Pulling): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    let wait = interval
    try {
      const more = await turn()
      failures = 0
      if (more) wait = 0
    } catch (error) {
      if (signal.aborted) return
      failures++
      failed(error)
      wait = Math.max(interval, Math.min(interval * 2 ** failures, longest))
    }
    await sleep(wait, signal).catch(() => undefined)
  }
}
