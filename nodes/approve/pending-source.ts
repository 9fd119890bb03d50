/** Lists the pending approvals of one node, for nodes and pages that show them, and withdraws them. */
import { pendingItem, type PendingItem, type PendingSource } from '../../lib/runtime/monitor/pending'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import { listAll } from '../../lib/store/list-all'
import type { Store } from '../../lib/store/store'
import { isPlainObject } from '../../lib/common/plain-object'
import { textOf } from '../../lib/runtime/values/read-text'
import { outcomeIn } from './approval'

interface PendingSourceOptions {
  readonly store: Pick<Store, 'get' | 'list' | 'makeDue'>
  readonly notes: Pick<Store, 'add' | 'get'>
  readonly node: PendingItem['node']
  /** Waits a moment; rejects when the node is closed. */
  pause(): Promise<void>
}

/** The note that an approval has been withdrawn. */
const noteOf = (approval: string) => `withdrawn/${approval}`

/** Who has withdrawn an approval, empty without a login; undefined if it has not been withdrawn. */
export async function withdrawnBy(notes: Pick<Store, 'get'>, approval: string): Promise<string | undefined> {
  const note = await notes.get(noteOf(approval))
  return note && textOf(isPlainObject(note.body) ? note.body.by : '')
}

/** How often it is looked whether an approval that was withdrawn has ended in another way before. */
const maxLooks = 50

export function createPendingSource(
  RED: HostOwner,
  { store, notes, node, pause }: PendingSourceOptions,
): PendingSource {
  const find = async (approval: string) => {
    const item = await store.get(approval)
    return item?.due === undefined ? undefined : item
  }
  return {
    list: async () =>
      (await listAll(store)).flatMap((one) => (one.due === undefined ? [] : (pendingItem(RED, one, node) ?? []))),
    async find(approval) {
      const item = await find(approval)
      return item && pendingItem(RED, item, node)
    },
    async askNow(approval) {
      const item = await find(approval)
      if (item) await store.makeDue([item.subject])
      return item !== undefined
    },
    async stopWaiting(approval, by) {
      const item = await find(approval)
      if (!item) return false
      await notes.add(noteOf(approval), { body: { by } })
      await store.makeDue([item.subject])
      // An answer that came first ends the approval, and then it is too late to withdraw it.
      for (let looks = 0; looks < maxLooks; looks++) {
        const now = await store.get(approval)
        if (now?.due === undefined) return outcomeIn(now?.body) === 'withdrawn'
        await pause()
      }
      return true
    },
  }
}
