/** Reads what an earlier run stored, and retries until that succeeds. */
import { sleep } from '../../../lib/api/call/retry'
import { retryMs } from './dispatcher'

export interface ReadingOptions {
  /** One attempt; rejects if it can't be read now. */
  read(): Promise<void>
  failed(error: unknown): void
  readonly signal: AbortSignal
}

export class KeptReading {
  #isDone = false
  #failure: unknown
  /** Resolves when it has been read, or is no longer needed; at once before it has begun. */
  ended: Promise<void> = Promise.resolve()

  get isDone(): boolean {
    return this.#isDone
  }

  /** Throws the reason why it could not be read: a list that is not known must not be replaced. */
  assertRead(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  begin(options: ReadingOptions): Promise<void> {
    return (this.ended = this.#readSoon(options))
  }

  async #readSoon({ read, failed, signal }: ReadingOptions): Promise<void> {
    while (!this.#isDone && !signal.aborted) {
      try {
        await read()
        this.#isDone = true
        this.#failure = undefined
      } catch (error) {
        this.#failure = error
        failed(error)
        await sleep(retryMs, signal).catch(() => undefined)
      }
    }
  }
}
