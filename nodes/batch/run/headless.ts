/** Batches whose head is missing, damaged or of a newer version: they stay as they are, and nothing replaces them. */
import { nodeError, type EidError } from '../../../lib/api/errors/errors'
import type { Store } from '../../../lib/store/store'
import { nameOfBatch } from './storage'

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
