/** Opens a node's store: the shared store, or else the embedded database of this Node-RED. */
import { eidFolder } from '../common/eid-folder'
import { openEmbedded } from './embedded'
import type { Store, StoreOptions } from './store'

/** The parts of Node-RED that opening a store needs. */
interface StoreHost {
  readonly nodeId: string
  /** Node-RED's user folder; if absent, everything is in memory. */
  readonly userDir: string | undefined
}

/** A store shared by several Node-REDs. `open` returns the store of one node. */
export interface SharedStore {
  open(nodeId: string, options: StoreOptions): Store
}

interface OpenOptions extends StoreOptions {
  readonly shared?: SharedStore | undefined
  /** True to look at what a node keeps, while the node itself may have its store open. */
  readonly isVisit?: boolean
}

export function openStore({ nodeId, userDir }: StoreHost, options: OpenOptions): Store {
  const { shared, isVisit } = options
  if (shared) return shared.open(nodeId, options)
  const folder = userDir === undefined ? undefined : eidFolder(userDir)
  // Reported in a later turn of the event loop, when the caller has its store.
  if (folder === undefined && !isVisit) setImmediate(() => options.onStoreEvent?.('volatile'))
  return openEmbedded({ folder, nodeId, isVisit }, options)
}
