/** The interface of the shared store's config node for other nodes. */
import { configError } from '../../api/errors/errors'
import type { SharedStore } from '../../store/open'
import type { Runtime, RuntimeNode } from './node-red'

export interface StoreNode extends RuntimeNode {
  /** Opens one node's part of the database. Throws EID_CONFIG if the settings are invalid. Does not connect yet. */
  openStore: SharedStore['open']
}

/** The shared store with this id; undefined for an empty id. Throws EID_CONFIG if it does not exist or is disabled. */
export function findShared(RED: Pick<Runtime, 'nodes'>, id: unknown): SharedStore | undefined {
  if (typeof id !== 'string' || id === '') return undefined
  const node = RED.nodes.getNode(id)
  // A missing store is an error: with separate stores, each Node-RED would do all the work, so everything would be done
  // twice.
  if (!node || !('openStore' in node)) throw configError('noStore')
  const shared = node as StoreNode
  return { open: (nodeId, options) => shared.openStore(nodeId, options) }
}
