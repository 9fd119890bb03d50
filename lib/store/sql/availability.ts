/** Tracks whether the database can be reached, and notifies listeners. */

type AvailabilityListener = (there: boolean, error?: unknown) => void

interface Availability {
  set(there: boolean, error?: unknown): void
  /**
   * Notifies the listener when the database can't be reached any more, and when it can be reached again. Returns a
   * function that stops these notifications.
   */
  watch(listener: AvailabilityListener): () => void
  close(): void
}

const probeMs = 2_000

/**
 * `probe` sends a query and ignores the result. While the database can't be reached, `probe` is called regularly,
 * because there may be no other query that shows when the database is back.
 */
export function createAvailability(probe: () => void): Availability {
  const listeners = new Set<AvailabilityListener>()
  let there = true
  let cause: unknown
  let timer: NodeJS.Timeout | undefined
  let closed = false
  return {
    set(now, error) {
      if (closed || now === there) return
      there = now
      cause = error
      if (now) clearInterval(timer)
      else timer = setInterval(probe, probeMs).unref()
      for (const listener of listeners) listener(now, error)
    },
    watch(listener) {
      listeners.add(listener)
      if (!there) listener(false, cause)
      return () => void listeners.delete(listener)
    },
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}
