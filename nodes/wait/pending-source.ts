/** What waits in one node, for those who show it. */
import { pendingItem, type PendingItem, type PendingSource } from '../../lib/runtime/pending'
import { listAll } from '../../lib/store/list-all'
import type { Store } from '../../lib/store/store'
import type { Poller } from './poller'

/** `node` is where it stands. */
export function createPendingSource(store: Store, poller: Poller, node: PendingItem['node']): PendingSource {
  return {
    list: async () => (await listAll(store)).flatMap((listed) => pendingItem(listed, node) ?? []),
    async askNow(wait) {
      const item = await store.get(wait)
      if (item) await store.wake([item.subject])
      return item !== undefined
    },
    stopWaiting: (wait) => poller.remove(wait),
  }
}
