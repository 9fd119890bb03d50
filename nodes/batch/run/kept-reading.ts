/** Reads what an earlier run stored, retries until that succeeds, and keeps what can't be read. */
import { sleep } from '../../../lib/api/call/retry'
import { nodeError, type EidError } from '../../../lib/api/errors/errors'
import type { Store } from '../../../lib/store/store'
import { nameOfBatch, retryMs } from './storage'

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

export class Headless {
  /** Their items, by the names of the batches. */
  readonly #items = new Map<string, readonly string[]>()

  /** The error to report; undefined if there are no such lists. */
  note(found: ReadonlyMap<string, readonly string[]>): EidError | undefined {
    for (const [name, items] of found) this.#items.set(name, items)
    return found.size > 0 ? headlessError(found.size) : undefined
  }

  /** Throws EID_FAILED if this batch is one of them. */
  check(id: string): void {
    if (this.#items.has(nameOfBatch(id))) throw headlessError(1)
  }

  /** Removes this one, or all without an id. */
  async forget(store: Store, id: string | undefined): Promise<void> {
    for (const [name, items] of this.#items) {
      if (id !== undefined && nameOfBatch(id) !== name) continue
      for (const item of items) await store.remove(item)
      this.#items.delete(name)
    }
  }
}

function headlessError(count: number): EidError {
  return nodeError('EID_FAILED', 'rows.headless', { count }, { outcome: 'unknown' })
}
