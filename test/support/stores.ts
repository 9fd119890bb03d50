/** Stores for parts of nodes that are tested without Node-RED: in memory, or in the file of a folder. */
import { systemClock, type Clock } from '../../lib/store/clock'
import { createSqliteDatabase } from '../../lib/store/drivers/sqlite/database'
// Loaded before a test simulates the time, because loading takes real time.
import '../../lib/store/drivers/sqlite/engine'
import { createSqlStore } from '../../lib/store/sql-store'
import { checking } from '../../lib/store/sql/cipher'
import type { Store, StoreOptions } from '../../lib/store/store'

interface Place {
  /** The folder of the file. If absent, everything is in memory. */
  readonly folder?: string
  readonly clock?: Clock
}

/** A store with a database of its own. */
export function storeOf(
  options: Partial<StoreOptions> & Pick<StoreOptions, 'kind'>,
  { folder, clock = systemClock }: Place = {},
): Store {
  const database = createSqliteDatabase({ folder, clock })
  const store = createSqlStore(database, checking, 'node', { onStoreEvent: () => undefined, ...options })
  // What is in memory stays there after the store is closed, as in a process that starts its flows again.
  const close = () => (folder === undefined ? store.close() : store.close().then(() => database.close()))
  return Object.assign({}, store, { close })
}
