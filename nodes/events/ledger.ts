/** Remembers which events were handed out, for as long as the service keeps them locked. */

export interface Ledger {
  /** True when the event may be handed out now; it is then taken until `until` (milliseconds since 1970). */
  take(id: string, until: number): boolean
  forget(id: string): void
}

/** What a node knows of its events. */
export interface Known {
  readonly ledger: Ledger
  /** Handed out, but the service does not know that yet. */
  readonly untold: Set<string>
}

// A deploy starts a node anew; what it has handed out stays so all the same.
const known = new Map<string, Known>()

/** What the node of this id knows, from before a deploy too. */
export function knownTo(nodeId: string): Known {
  const found = known.get(nodeId) ?? { ledger: createLedger(), untold: new Set() }
  known.set(nodeId, found)
  return found
}

/** For a node that is removed. */
export function forgetKnown(nodeId: string): void {
  known.delete(nodeId)
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
