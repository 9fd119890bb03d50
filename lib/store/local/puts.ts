/**
 * Puts in progress. No worker claims an item until its put is written; if the put fails, the previous item is restored.
 */
import type { Entry } from './entry'
import type { ItemIndex } from './item-index'
import type { ItemLog } from './item-log'

/** Takes the place of a claim's owner while an item is being put. */
const putting = 'put'

/**
 * `written` is the version of an item that is stored while newer versions are being written. `puts` is the number of
 * these newer versions.
 */
interface Running {
  written: Entry | undefined
  puts: number
}

export class Puts {
  readonly #index: ItemIndex
  readonly #log: ItemLog
  readonly #running = new Map<string, Running>()

  constructor(index: ItemIndex, log: ItemLog) {
    this.#index = index
    this.#log = log
  }

  isPutting({ owner }: Entry): boolean {
    return owner === putting
  }

  /** Resolves when the entry is stored. Rejects if it can't be stored; then the previous entry is still valid. */
  async put(entry: Entry, before: Entry | undefined): Promise<void> {
    const running = this.#running.get(entry.id) ?? { written: before, puts: 0 }
    this.#running.set(entry.id, running)
    running.puts++
    entry.owner = putting
    this.#index.set(entry)
    try {
      await this.#log.save(entry)
      this.#settle(entry)
      running.written = entry
    } catch (error) {
      this.#takeBack(entry, running.written)
      throw error
    } finally {
      if (--running.puts === 0) this.#running.delete(entry.id)
    }
  }

  #settle(entry: Entry): void {
    if (!this.#index.has(entry)) entry.owner = undefined
    else this.#index.change(entry, () => (entry.owner = undefined))
    this.#log.release(entry)
  }

  #takeBack(entry: Entry, written: Entry | undefined): void {
    // If the item was replaced or removed in the meantime, there is nothing to restore.
    if (!this.#index.has(entry)) return
    if (written) this.#index.set(written)
    else this.#index.remove(entry)
    // Saves the current state again, to overwrite what the failed put may have written.
    void this.#log.saveSoon(written ?? entry)
  }
}
