/** What the other nodes see of the shared store's config node, and how any node opens the store of its own. */
import { configError } from '../api/errors'
import { openStore, type SharedStore } from '../store/open'
import type { Store, StoreOptions } from '../store/store'
import type { Runtime, RuntimeNode } from './node-red'

export interface StoreNode extends RuntimeNode {
  /** One node's part of the database. Throws EID_CONFIG when the settings don't allow any; nothing is connected yet. */
  openStore: SharedStore['open']
}

export interface NodeStoreOptions extends StoreOptions {
  /** The setting `store`: name of a context store; empty is the default. */
  readonly store: unknown
  /** The setting `shared`: id of a shared store; empty is none. */
  readonly shared?: unknown
}

/** Opens what a node must not forget. Throws EID_CONFIG when a store is named that does not exist, or is disabled. */
export function openNodeStore(RED: Runtime, node: RuntimeNode, options: NodeStoreOptions): Store {
  const { userDir, contextStorage } = RED.settings
  const host = {
    nodeId: node.id,
    userDir: typeof userDir === 'string' && userDir !== '' ? userDir : undefined,
    contextStorage,
    context: () => node.context(),
  }
  const store = typeof options.store === 'string' ? options.store.trim() : ''
  return openStore(host, { ...options, store, shared: findShared(RED, options.shared) })
}

function findShared(RED: Runtime, id: unknown): SharedStore | undefined {
  if (typeof id !== 'string' || id === '') return undefined
  const node = RED.nodes.getNode(id)
  // Without it each Node-RED would keep for itself, and everything would be done twice.
  if (!node || !('openStore' in node)) throw configError('noStore')
  const shared = node as StoreNode
  return { open: (nodeId, options) => shared.openStore(nodeId, options) }
}
