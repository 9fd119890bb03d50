/** The embedded databases of this process: one for each folder, however many nodes use it. */
import { configError } from '../api/errors/errors'
import { systemClock } from './clock'
import { createSqliteDatabase, type Opened, type SqliteDatabase } from './drivers/sqlite/database'
import { createSqlStore } from './sql-store'
import { createCipher } from './sql/cipher'
import type { Store, StoreOptions } from './store'

interface InUse {
  readonly database: SqliteDatabase
  /** The open stores. The file is closed with the last one. */
  readonly users: Set<StoreOptions>
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
  one.users.add(options)
  if (!isVisit) one.database.release(nodeId, options.kind)
  const store = createSqlStore(one.database, plain, nodeId, options)
  return Object.assign({}, store, {
    async close() {
      await store.close()
      if (one.users.delete(options)) await leave(folder, one)
    },
  })
}

function create(folder: string | undefined): InUse {
  const users: InUse['users'] = new Set()
  const opened = (about: Opened) => {
    for (const { onStoreEvent } of users) report(about, onStoreEvent)
  }
  const database = createSqliteDatabase({ folder, clock: systemClock, before: closing.get(folder), opened })
  const made = { users, database }
  inUse.set(folder, made)
  return made
}

function report({ aside, isUnguarded }: Opened, onStoreEvent: StoreOptions['onStoreEvent']): void {
  if (isUnguarded) onStoreEvent('unguarded', configError('storeUnguarded'))
  if (!aside) return
  const { file, copy } = aside
  const error =
    copy === undefined ? configError('storeDamaged', { file }) : configError('storeDamagedCopy', { file, copy })
  onStoreEvent('damaged', error)
}

async function leave(folder: string | undefined, one: InUse): Promise<void> {
  if (one.users.size > 0 || folder === undefined) return
  inUse.delete(folder)
  const closed = one.database.close()
  closing.set(folder, closed)
  await closed
  if (closing.get(folder) === closed) closing.delete(folder)
}
