/** Remembers which events were delivered, for as long as the service keeps them locked. */
import { systemClock, type Clock } from '../../lib/store/clock'

export interface Leases {
  /** True when the event may be handed out now; it is then taken until this time of the clock that never jumps. */
  take(id: string, until: number): boolean
  release(id: string): void
  has(id: string): boolean
}

/** What a node knows about its events. */
export interface Handouts {
  readonly leases: Leases
  /** Handed out, but the service does not know that yet. */
  readonly unacknowledged: Set<string>
  /** Handed out in the very turn in which the node was stopped: the next node may have been gone by then. */
  readonly doubtful: Set<string>
  /** Handed out, and the service refuses to mark them: it will give them out again and again. */
  readonly unmarkable: Leases
}

// A deploy restarts the node; events that it has delivered stay delivered.
const handoutsByNode = new Map<string, Handouts>()

/** What the node with this id knows, including from before a deploy. */
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

/** After a deploy. `flowWentOn`: it stopped this node alone, and what was handed out has met the next one. */
export function settleDoubtful({ unacknowledged, doubtful }: Handouts, flowWentOn: boolean): void {
  if (!flowWentOn) for (const id of doubtful) unacknowledged.delete(id)
  doubtful.clear()
}

/** For a node that is removed. */
export function forgetHandouts(nodeId: string): void {
  handoutsByNode.delete(nodeId)
}

/** Far more than the service hands out within one lock; beyond it the oldest are forgotten. */
const maxLeases = 10_000

function createLeases(clock: Clock = systemClock): Leases {
  // The order of insertion is the order in which the locks end.
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
