/** Records which events were delivered, for as long as the service keeps them locked. */
import { systemClock, type Clock } from '../../lib/store/clock'

export interface Leases {
  /** True if the event may be sent now; it is then reserved until this time of the monotonic clock. */
  take(id: string, until: number): boolean
  release(id: string): void
  has(id: string): boolean
}

/** A node's records of its events. */
export interface Handouts {
  readonly leases: Leases
  /** Events that were sent, but not yet acknowledged to the service. */
  readonly unacknowledged: Set<string>
  /** Events that were sent in the very turn in which the node was stopped: the next node may have been gone. */
  readonly doubtful: Set<string>
  /** Events that were sent, but that the service refuses to mark as handled, so that it will deliver them again and again. */
  readonly unmarkable: Leases
}

// A deploy restarts the node; delivered events stay delivered.
const handoutsByNode = new Map<string, Handouts>()

/** The records of the node with this id, including those from before a deploy. */
export function handoutsOf(nodeId: string): Handouts {
  const found = handoutsByNode.get(nodeId) ?? {
    leases: createLeases(),
    unacknowledged: new Set(),
    doubtful: new Set(),
    unmarkable: createLeases(),
  }
  handoutsByNode.set(nodeId, found)
  return found
}

/** Call after a deploy. `flowWentOn`: only this node was stopped, so the next node has received what was sent. */
export function settleDoubtful({ unacknowledged, doubtful }: Handouts, flowWentOn: boolean): void {
  if (!flowWentOn) for (const id of doubtful) unacknowledged.delete(id)
  doubtful.clear()
}

/** Forgets the records of a node that is removed. */
export function forgetHandouts(nodeId: string): void {
  handoutsByNode.delete(nodeId)
}

/** Far more than the service delivers within one lock; the oldest are dropped. */
const maxLeases = 10_000

function createLeases(clock: Clock = systemClock): Leases {
  // Insertion order is the order in which the locks expire.
  const taken = new Map<string, number>()
  const forgetEnded = () => {
    const now = clock.now()
    for (const [id, until] of taken) {
      if (until > now && taken.size <= maxLeases) return
      taken.delete(id)
    }
  }
  return {
    take(id, until) {
      forgetEnded()
      if (taken.has(id)) return false
      taken.set(id, until)
      return true
    },
    release: (id) => void taken.delete(id),
    has: (id) => taken.has(id),
  }
}
