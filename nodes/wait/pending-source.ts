/** Lists the pending waits of one node, for nodes and pages that show them. */
import { pendingItem, type PendingItem, type PendingSource } from '../../lib/runtime/monitor/pending'
import type { ReminderNotes, ReminderSource } from '../../lib/runtime/monitor/reminder-notes'
import type { Wake } from '../../lib/runtime/monitor/wake'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import { inChunks } from '../../lib/common/in-chunks'
import { listAll } from '../../lib/store/list-all'
import type { Store } from '../../lib/store/store'
import type { Waits } from './waits'

/** Number of waits read per turn of the event loop. */
const readAtOnce = 2_000

/** Gives access to the stored record of reminders, for a reminder that a person sends for one of the node's waits. */
export function createReminderSource(store: Store, notes: () => ReminderNotes): ReminderSource {
  return {
    withNotes: async (wait, use) => ((await store.get(wait)) ? use(notes()) : undefined),
  }
}

/** Creates the source of the pending waits of `node`. `wake` makes the waits about a subject due now. */
export function createPendingSource(
  RED: HostOwner,
  store: Store,
  wake: Wake,
  waits: Pick<Waits, 'remove'>,
  node: PendingItem['node'],
): PendingSource {
  return {
    async list() {
      const found: PendingItem[] = []
      await inChunks(await listAll(store), readAtOnce, (part) => {
        found.push(...part.flatMap((listed) => pendingItem(RED, listed, node) ?? []))
      })
      return found
    },
    async find(wait) {
      const item = await store.get(wait)
      return item && pendingItem(RED, item, node)
    },
    async askNow(wait) {
      const item = await store.get(wait)
      if (item) await wake([item.subject])
      return item !== undefined
    },
    stopWaiting: (wait) => waits.remove(wait),
  }
}
