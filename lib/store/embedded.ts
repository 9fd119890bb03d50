/** The embedded databases of this process: one for each folder, however many nodes use it. */
import { systemClock } from './clock'
import { createSqliteDatabase, type Opened, type SqliteDatabase } from './drivers/sqlite/database'
import { createSqlStore } from './sql-store'
import { createCipher } from './sql/cipher'
import type { Store, StoreOptions } from './store'

interface InUse {
  readonly database: SqliteDatabase
  /** How many stores are open. The file is closed with the last one. */
  users: number
  opened?: Opened
  readonly listeners: Set<(about: Opened) => void>
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

/** Nothing is encrypted. */
const plain = createCipher('')

export function openEmbedded({ folder, nodeId, isVisit = false }: Embedded, options: StoreOptions): Store {
  const one = inUse.get(folder) ?? create(folder)
  one.users++
  if (!isVisit) one.database.release(nodeId, options.kind)
  const store = createSqlStore(one.database, plain, nodeId, options)
  return Object.assign({}, store, {
    async close() {
      await store.close()
      await leave(folder, one)
    },
  })
}

function create(folder: string | undefined): InUse {
  const made: InUse = {
    users: 0,
    listeners: new Set(),
    database: createSqliteDatabase({
      folder,
      clock: systemClock,
      before: closing.get(folder),
      opened: (about) => {
        made.opened = about
        for (const listener of made.listeners) listener(about)
      },
    }),
  }
  inUse.set(folder, made)
  return made
}

async function leave(folder: string | undefined, one: InUse): Promise<void> {
  if (--one.users > 0 || folder === undefined) return
  inUse.delete(folder)
  const closed = one.database.close()
  closing.set(folder, closed)
  await closed
  if (closing.get(folder) === closed) closing.delete(folder)
}
