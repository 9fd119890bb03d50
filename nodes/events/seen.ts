/**
 * Records how often each event was sent, and which events have been handled. The records survive restarts, and several
 * Node-REDs can share them.
 */
import { createHash } from 'node:crypto'
import type { Store } from '../../lib/store/store'

export interface Seen {
  /** Rejects if the records can't be read now; then no events may be pulled. */
  check(): Promise<void>
  /** Counts a delivery of an event and returns the total, or `handled` if the event has been handled. */
  begin(id: string): Promise<number | 'handled'>
  /** Records an event as handled, even if the service does not know that yet. */
  end(id: string): Promise<void>
  close(): Promise<void>
}

/**
 * How long an event is recorded. The service delivers an unhandled event again after ten minutes; within a day, the
 * event has been handled or dropped.
 */
const keepMs = 86_400_000

export function createSeen(store: Store): Seen {
  return {
    check: async () => void (await store.get('nothing')),
    begin: async (id) =>
      (await store.get(recordKey('handled', id))) ? 'handled' : store.increment(recordKey('times', id), keepMs),
    end: (id) => store.put(recordKey('handled', id), { keepMs }),
    close: () => store.close(),
  }
}

/**
 * Returns the key of an event; all keys have the same length. Ids that differ only in half a surrogate pair get
 * different keys.
 */
function recordKey(what: 'handled' | 'times', id: string): string {
  return `${what}-${createHash('sha256').update(id, 'utf16le').digest('hex').slice(0, 32)}`
}
