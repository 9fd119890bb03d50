/** Opens a store at a place that outlives the process, for the test itself and for the children that it kills. */
import { createDatabase } from '../../../lib/store/drivers/postgres/database'
import { createSqlStore } from '../../../lib/store/sql-store'
import { createCipher, type Cipher } from '../../../lib/store/sql/cipher'
import { openStore } from '../../../lib/store/open'
import type { Store, StoreOptions, StoreEvent } from '../../../lib/store/store'

/** The place of a store, in JSON, so that a child can get it. */
export type StoreLocation =
  /** `folder` is Node-RED's user folder. */
  | { readonly way: 'sqlite'; readonly folder: string }
  | {
      readonly way: 'postgres'
      readonly url: string
      readonly namespace: string
      readonly key: string
      readonly maxUses?: number
      /** The database's default isolation level. */
      readonly isolation?: 'serializable'
    }

export interface Opened extends Partial<StoreOptions> {
  readonly node?: string
  readonly troubles?: StoreEvent[]
}

export async function openAt(
  place: StoreLocation,
  { node = 'node', troubles = [], ...options }: Opened = {},
): Promise<Store> {
  const complete = { kind: 'items', onStoreEvent: (trouble: StoreEvent) => void troubles.push(trouble), ...options }
  if (place.way === 'postgres') return openShared(place, node, complete)
  return openStore({ nodeId: node, userDir: place.folder }, complete)
}

/** The ciphers by key, because creating one is slow on purpose. */
const ciphers = new Map<string, Cipher>()

function cipherOf(key: string): Cipher {
  const cipher = ciphers.get(key) ?? createCipher(key)
  ciphers.set(key, cipher)
  return cipher
}

/** Opens a shared store with connections of its own, as each Node-RED does. */
function openShared(place: StoreLocation & { way: 'postgres' }, node: string, options: StoreOptions): Store {
  const { url, namespace, key, maxUses, isolation } = place
  const level = isolation && { options: `-c default_transaction_isolation=${isolation}` }
  const config = { connectionString: url, ...(maxUses && { maxUses }), ...level }
  const database = createDatabase({ config, namespace })
  const store = createSqlStore(database, cipherOf(key), node, options)
  const close = async () => {
    await store.close()
    await database.close()
  }
  return { ...store, close }
}
