/**
 * Opens what a node must not forget: in files below the user folder, or in the context store that the person names.
 */
import { openStore } from '../store/open'
import type { Store, StoreOptions, Trouble } from '../store/store'
import type { Runtime, RuntimeNode } from './node-red'
import { findShared } from './store-node'
import type { Translate } from './texts'

export interface StoreOwner {
  readonly RED: Runtime
  readonly node: RuntimeNode
  readonly translate: Translate
}

/** Where the person is told of a trouble, by the keys of the node's `warnings`. */
const texts: Partial<Record<Trouble, string>> = {
  unwritten: 'warnings.store',
  unread: 'warnings.storeUnread',
  unreadable: 'warnings.unreadable',
}

/**
 * `store` is the name of a context store, empty for the default; `shared` the id of a shared store, empty for none.
 * Throws EID_CONFIG when there is no store of that name or id.
 */
export function openNodeStore(
  { RED, node, translate }: StoreOwner,
  options: Omit<StoreOptions, 'troubled'> & { readonly store: string; readonly shared?: unknown },
): Store {
  const { userDir, contextStorage } = RED.settings
  const host = { nodeId: node.id, userDir, contextStorage, context: () => node.context() }
  const troubled = (trouble: Trouble) => {
    const text = texts[trouble]
    if (text) node.warn(translate(text))
  }
  return openStore(host, { ...options, troubled, shared: findShared(RED, options.shared) })
}
