/** Remembers which events have come in, over restarts if the context store keeps them. */
import { createHash } from 'node:crypto'
import type { Keep } from '../../lib/runtime/context'

export interface Deduplicator {
  /**
   * True for the first call with this id, false for every later one. Waits until what was kept has been read, and until the id has
   * been written: what is let in and answered before that would come in again after the process was killed.
   */
  take(id: string): Promise<boolean>
  /** Takes that back. */
  release(id: string): void
  /** Ends the keeping; `forget` empties the store as well. */
  close(forget: boolean): Promise<void>
}

/** Events that are remembered; the service does not repeat itself over longer stretches. */
const maxEvents = 5000

/** `unread` is told when the store cannot be read; the events of this run are remembered all the same. */
export function createDeduplicator(keep: Keep, unread: () => void): Deduplicator {
  // The order of insertion is the order in which they came in.
  const known = new Set<string>()
  let count = 0
  const load = async () => {
    const kept = Object.entries(await keep.all())
    const inOrder = kept.sort(([, one], [, other]) => Number(one) - Number(other))
    for (const [key] of inOrder) known.add(key)
    count = Number(inOrder.at(-1)?.[1] ?? 0)
  }
  const loaded = load().catch(unread)
  return {
    async take(id) {
      await loaded
      const key = keyOf(id)
      if (known.has(key)) {
        await keep.flush()
        return false
      }
      known.add(key)
      keep.put(key, ++count)
      for (const oldest of known) {
        if (known.size <= maxEvents) break
        known.delete(oldest)
        keep.put(oldest, undefined)
      }
      await keep.flush()
      return true
    },
    release(id) {
      known.delete(keyOf(id))
      keep.put(keyOf(id), undefined)
    },
    async close(forget) {
      if (forget) keep.clear()
      await keep.flush()
    },
  }
}

/** An id may contain anything; a key of a context store may not. */
function keyOf(id: string): string {
  return `e${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}
