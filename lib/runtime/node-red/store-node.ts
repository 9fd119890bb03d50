/** The interface of the shared store's config node for other nodes. */
import { configError } from '../../api/errors/errors'
import type { SharedStore } from '../../store/open'
import type { Runtime, RuntimeNode } from './node-red'

export interface StoreNode extends RuntimeNode {
  /** One node's part of the database. Throws EID_CONFIG if the settings are invalid; does not connect yet. */
  openStore: SharedStore['open']
}

/** The shared store with this id; undefined for an empty id. Throws EID_CONFIG if it does not exist or is disabled. */
export function findShared(RED: Runtime, id: unknown): SharedStore | undefined {
  if (typeof id !== 'string' || id === '') return undefined
  const node = RED.nodes.getNode(id)
  // Falling back to a store of its own would make each Node-RED do everything, so everything twice.
  if (!node || !('openStore' in node)) throw configError('noStore')
  const shared = node as StoreNode
  return { open: (nodeId, options) => shared.openStore(nodeId, options) }
}
