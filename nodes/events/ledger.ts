/** Remembers which events were handed out, for as long as the service keeps them locked. */

export interface Ledger {
  /** True when the event may be handed out now; it is then taken until `until` (milliseconds since 1970). */
  take(id: string, until: number): boolean
  forget(id: string): void
}

/** Far more than the service hands out within one lock; beyond it the oldest are forgotten. */
const most = 10_000

export function createLedger(): Ledger {
  // The order of insertion is the order in which the locks end.
  const taken = new Map<string, number>()
  const drop = (now: number) => {
    for (const [id, until] of taken) {
      if (until > now && taken.size <= most) return
      taken.delete(id)
    }
  }
  return {
    take(id, until) {
      drop(Date.now())
      if (taken.has(id)) return false
      taken.set(id, until)
      return true
    },
    forget: (id) => void taken.delete(id),
  }
}
