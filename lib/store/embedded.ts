/** The embedded databases of this process: one for each folder, however many nodes use it. */
import { configError } from '../api/errors/errors'
import { systemClock } from './clock'
import { createSqliteDatabase, type SqliteDatabase } from './drivers/sqlite/database'
import type { Notice } from './drivers/sqlite/files'
import { createSqlStore } from './sql-store'
import { checking } from './sql/cipher'
import type { Store, StoreOptions } from './store'

interface InUse {
  readonly database: SqliteDatabase
  /** The open stores. The file is closed with the last one. */
  readonly users: Set<StoreOptions>
  /** What people must know about the file, until a node can say it. */
  readonly untold: Notice[]
}

interface Embedded {
  /** The folder of the file; undefined to keep everything in memory, until the process ends. */
  readonly folder: string | undefined
  readonly nodeId: string
  /** True to look at what a node keeps, while the node itself may have its store open. */
  readonly isVisit?: boolean | undefined
}

const inUse = new Map<string | undefined, InUse>()
/** The files that are being closed; a file can be opened again only after that. */
const closing = new Map<string | undefined, Promise<void>>()

export function openEmbedded({ folder, nodeId, isVisit = false }: Embedded, options: StoreOptions): Store {
  const one = inUse.get(folder) ?? create(folder)
  one.users.add(options)
  // In a later turn of the event loop, when the caller has its store.
  setImmediate(() => tell(one))
  if (!isVisit) one.database.release(nodeId, options.kind)
  const store = createSqlStore(one.database, checking, nodeId, options)
  return Object.assign({}, store, {
    async close() {
      await store.close()
      if (one.users.delete(options)) await leave(folder, one)
    },
  })
}

function create(folder: string | undefined): InUse {
  const database = createSqliteDatabase({
    folder,
    clock: systemClock,
    before: closing.get(folder),
    tell(notices) {
      made.untold.push(...notices)
      tell(made)
    },
  })
  const made: InUse = { database, users: new Set(), untold: [] }
  inUse.set(folder, made)
  return made
}

/** Reports once what people must know about the file, not once for each node. */
function tell({ users, untold }: InUse): void {
  const teller = [...users].find(({ onStoreEvent }) => onStoreEvent)
  if (teller) for (const { key, params } of untold.splice(0)) teller.onStoreEvent?.('notice', configError(key, params))
}

async function leave(folder: string | undefined, one: InUse): Promise<void> {
  if (one.users.size > 0 || folder === undefined) return
  inUse.delete(folder)
  const closed = one.database.close()
  closing.set(folder, closed)
  await closed
  if (closing.get(folder) === closed) closing.delete(folder)
}
