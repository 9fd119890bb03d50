/** Records which events were delivered, for as long as the service keeps these events locked. */
import type { Answer } from '../../lib/api/call/call'
import { isSameNode } from '../../lib/runtime/monitor/kept-nodes'
import { systemClock } from '../../lib/store/clock'
import type { ServiceEvent } from './event-messages'
import { hosted, type HostOwner } from '../../lib/runtime/node-red/host'

interface Leases {
  /** Returns true if the event may be sent now, and reserves it until the time `until` of the monotonic clock. */
  take(id: string, until: number): boolean
  release(id: string): void
  has(id: string): boolean
}

/** An event that was pulled. The service keeps it locked until the time `until` of the monotonic clock. */
export interface PulledEvent {
  readonly event: ServiceEvent
  readonly answer: Answer
  readonly until: number
}

/** A node's records of the events that it has sent. */
export interface Handouts {
  readonly leases: Leases
  /** Events that were not sent yet, by their ids. After a deploy, the node that takes its place sends them. */
  readonly pulled: Map<string, PulledEvent>
  /** Events that were sent, but not yet acknowledged to the service. */
  readonly unacknowledged: Set<string>
  /**
   * Events sent in the same turn of the event loop in which the node was stopped, by their ids: the next node may not
   * have received them.
   */
  readonly doubtful: Map<string, PulledEvent>
  /**
   * Events that were sent, but that the service refuses to mark as handled. The service delivers these events again and
   * again.
   */
  readonly unmarkable: Leases
}

// The records are kept per process, because a deploy restarts the node, and events that the node has sent must not be
// sent again.
const createHandoutsByNode = () => new Map<string, Handouts>()

/**
 * Returns the records of the node with this id, including those from before a deploy. A node that has become part of a
 * subflow, or has left one, gets the records that it had under its other id.
 */
export function handoutsOf(RED: HostOwner, nodeId: string): Handouts {
  const handoutsByNode = hosted(RED, createHandoutsByNode)
  const known = handoutsByNode.get(nodeId)
  if (known) return known
  const [before, left] = [...handoutsByNode].find(([id]) => isSameNode(id, nodeId)) ?? []
  if (before !== undefined) handoutsByNode.delete(before)
  const found = left ?? {
    leases: createLeases(),
    pulled: new Map(),
    unacknowledged: new Set(),
    doubtful: new Map(),
    unmarkable: createLeases(),
  }
  handoutsByNode.set(nodeId, found)
  return found
}

/**
 * Called after a deploy. `flowWentOn` means that only this node was stopped, so the next node has received what was
 * sent. If not, the doubtful events are sent again.
 */
export function settleDoubtful({ pulled, unacknowledged, doubtful }: Handouts, flowWentOn: boolean): void {
  for (const [id, one] of flowWentOn ? [] : doubtful) {
    unacknowledged.delete(id)
    pulled.set(id, one)
  }
  doubtful.clear()
}

/** Forgets the records of a node that is removed, unless another node may still send some of its events. */
export function forgetHandouts(RED: HostOwner, nodeId: string): void {
  const handoutsByNode = hosted(RED, createHandoutsByNode)
  const known = handoutsByNode.get(nodeId)
  if (known && known.pulled.size + known.doubtful.size === 0) handoutsByNode.delete(nodeId)
}

/**
 * Maximum number of leases: far more than the events that the service delivers during one lock. Beyond that, the oldest
 * are dropped.
 */
const maxLeases = 10_000

function createLeases(): Leases {
  // The leases are in the order in which the locks expire.
  const taken = new Map<string, number>()
  const forgetEnded = () => {
    const now = systemClock.now()
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
