/** What exists only in this process of the messages that wait: how each is completed, and its `req` and `res`. */
import { safeDone } from '../../lib/runtime/node/safe-done'
import type { LiveNode } from '../../lib/runtime/node/live-node'
import type { Done, FlowMessage } from '../../lib/runtime/node-red/node-red'
import { listAll } from '../../lib/store/list-all'
import type { Store } from '../../lib/store/store'

interface Arrived {
  /** Completes the message; a message from before a restart can only end with an error. */
  done(error?: unknown, msg?: FlowMessage): void
  readonly alive: FlowMessage
}

export interface Arrivals {
  add(id: string, msg: FlowMessage, bare: Done): void
  /** Called when the approval of the message is stored. */
  stored(id: string): void
  /** Returns how the message ends, and forgets it. */
  take(id: string): Arrived
  /** Completes the messages whose approvals another Node-RED has ended. */
  reconcile(store: Pick<Store, 'list'>): Promise<void>
}

export function createArrivals({ node, translate }: Pick<LiveNode<never>, 'node' | 'translate'>): Arrivals {
  const known = new Map<string, { readonly done: Done; readonly alive: FlowMessage }>()
  /** The messages that are in the store as long as their approvals have not ended. */
  const kept = new Set<string>()
  const take = (id: string): Arrived => {
    const found = known.get(id)
    known.delete(id)
    kept.delete(id)
    if (found) return { done: (error) => found.done(error), alive: found.alive }
    return { done: (error, msg = {}) => void (error !== undefined && node.error(error, msg)), alive: {} }
  }
  return {
    add(id, msg, bare) {
      const alive = Object.fromEntries(['req', 'res'].flatMap((name) => (name in msg ? [[name, msg[name]]] : [])))
      known.set(id, { done: safeDone(bare, node, translate), alive })
    },
    stored: (id) => void (known.has(id) && kept.add(id)),
    take,
    async reconcile(store) {
      const before = [...kept]
      if (before.length === 0) return
      const there = new Set((await listAll(store)).filter(({ due }) => due !== undefined).map(({ id }) => id))
      for (const id of before) if (!there.has(id)) take(id).done()
    },
  }
}
