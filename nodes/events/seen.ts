/**
 * What is known about the events over restarts, and by several Node-REDs together: how often each was handed out, and
 * which have been handled.
 */
import { createHash } from 'node:crypto'
import type { Store } from '../../lib/store/store'

export interface Seen {
  /** Rejects when what is known cannot be read now: then nothing is to be pulled. */
  check(): Promise<void>
  /** Counts a delivery, and returns how many there have been, or `handled`. */
  begin(id: string): Promise<number | 'handled'>
  /** It is handled, whatever the service knows about that. */
  end(id: string): Promise<void>
  close(removed: boolean): Promise<void>
}

/**
 * The service delivers an unhandled event again after ten minutes; a day later it has been handled or given up.
 */
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

/** All of one length; two ids that differ only in half a character stay different. */
function keyOf(what: 'handled' | 'times', id: string): string {
  return `${what}-${createHash('sha256').update(id, 'utf16le').digest('hex').slice(0, 32)}`
}
