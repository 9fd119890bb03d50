/**
 * Records of events across restarts, and shared by several Node-REDs: how often each was sent, and which have been
 * handled.
 */
import { createHash } from 'node:crypto'
import type { Store } from '../../lib/store/store'

export interface Seen {
  /** Rejects if the records can't be read now: then nothing must be pulled. */
  check(): Promise<void>
  /** Counts a delivery, and returns the total, or `handled`. */
  begin(id: string): Promise<number | 'handled'>
  /** Records it as handled, whatever the service knows. */
  end(id: string): Promise<void>
  close(removed: boolean): Promise<void>
}

/** The service delivers an unhandled event again after ten minutes; within a day it has been handled or dropped. */
const keepMs = 86_400_000

export function createSeen(store: Store): Seen {
  return {
    check: async () => void (await store.get('nothing')),
    begin: async (id) =>
      (await store.get(keyOf('handled', id))) ? 'handled' : store.increment(keyOf('times', id), keepMs),
    end: (id) => store.put(keyOf('handled', id), { keepMs }),
    close: (removed) => store.close(removed),
  }
}

/** All of the same length; two ids that differ only in half a surrogate pair stay different. */
function keyOf(what: 'handled' | 'times', id: string): string {
  return `${what}-${createHash('sha256').update(id, 'utf16le').digest('hex').slice(0, 32)}`
}
