/** Lists the pending and ended waits of all Node-REDs that share a database, for nodes and pages that show them. */
import { inChunks } from '../../lib/common/in-chunks'
import { endedItem, endedKind, type EndedSource } from '../../lib/runtime/monitor/ended'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import { pendingItem, subjectParts, type PendingSource } from '../../lib/runtime/monitor/pending'
import { reminderKind, type ReminderSource } from '../../lib/runtime/monitor/reminder-notes'
import type { Database } from '../../lib/store/drivers/postgres/database'
import { findOfKind, listKind, type ListedOfNode } from '../../lib/store/drivers/postgres/all-nodes'
import { createSqlStore } from '../../lib/store/sql-store'
import type { Cipher } from '../../lib/store/sql/cipher'

/** A database in use. */
export interface Opened {
  readonly database: Database
  readonly cipher: Cipher
}

/** The kind under which nodes of type "wait" store their waits. */
const waitKind = 'waits'

/** Creates the source of pending waits; `opened` returns undefined while no node uses the database. */
export function createSharedSource(RED: HostOwner, opened: () => Opened | undefined): PendingSource & ReminderSource {
  const all = async () => {
    const now = opened()
    return now ? listKind(now.database, now.cipher, waitKind) : []
  }
  /** Finds the given wait, with the node to which it belongs. */
  const find = async (wait: string) => {
    const now = opened()
    const listed = now && (await findOfKind(now.database, now.cipher, waitKind, wait))
    return now && listed && { now, listed }
  }
  const itemOf = (listed: ListedOfNode) => pendingItem(RED, listed, { id: listed.node, name: '', flow: '' })
  return {
    list: async () => itemsOf(await all(), itemOf),
    async find(wait) {
      const found = await find(wait)
      return found && itemOf(found.listed)
    },
    async askNow(wait) {
      const found = await find(wait)
      if (found) await inPart(found.now, found.listed.node, (store) => store.makeDue([found.listed.subject]))
      return found !== undefined
    },
    async stopWaiting(wait) {
      const found = await find(wait)
      return found ? inPart(found.now, found.listed.node, (store) => store.remove(wait)) : false
    },
    async withNotes(wait, use) {
      const found = await find(wait)
      const client = found && subjectParts(found.listed.subject)?.client
      return found && client !== undefined ? inPart(found.now, client, use, reminderKind) : undefined
    },
  }
}

/** Creates the source of ended waits, whichever Node-RED ended them. */
export function createSharedEnded(opened: () => Opened | undefined): EndedSource {
  return {
    async list() {
      const now = opened()
      const all = now ? await listKind(now.database, now.cipher, endedKind) : []
      return itemsOf(all, (one) => endedItem(one, { id: one.node, name: '', flow: '' }))
    },
  }
}

/** Number of rows read per turn of the event loop. */
const readAtOnce = 2_000

async function itemsOf<T>(rows: readonly ListedOfNode[], itemOf: (row: ListedOfNode) => T | undefined): Promise<T[]> {
  const found: T[] = []
  await inChunks(rows, readAtOnce, (part) => void found.push(...part.flatMap((row) => itemOf(row) ?? [])))
  return found
}

type Part = ReturnType<typeof createSqlStore>

async function inPart<T>(
  { database, cipher }: Opened,
  node: string,
  task: (store: Part) => Promise<T>,
  kind = waitKind,
): Promise<T> {
  const store = createSqlStore(database, cipher, node, { kind })
  try {
    return await task(store)
  } finally {
    await store.close()
  }
}
