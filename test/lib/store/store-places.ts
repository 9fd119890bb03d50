/** Opens a store at a place that outlives the process, for the test itself and for the children that it kills. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createContextLog, type ContextPart } from '../../../lib/store/local/context-log'
import { createDatabase } from '../../../lib/store/drivers/postgres/database'
import { createFileLog } from '../../../lib/store/local/file-log'
import { LocalStore } from '../../../lib/store/local/local'
import { openEmbedded } from '../../../lib/store/embedded'
import { createSqlStore } from '../../../lib/store/sql-store'
import { createCipher, type Cipher } from '../../../lib/store/sql/cipher'
import { keptFolder, openStore } from '../../../lib/store/open'
import type { Store, StoreOptions, StoreEvent } from '../../../lib/store/store'

/** The place of a store, in JSON, so that a child can get it. */
export type StoreLocation =
  /** `offered`: the files that a node gets if the default context store of Node-RED is on disk and writes late. */
  | { readonly way: 'files' | 'context' | 'offered' | 'sqlite'; readonly folder: string }
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
  /** Opens the store in the way that nodes do, so that its files survive deploys: for a process that is killed. */
  readonly asNode?: boolean
}

export async function openAt(
  place: StoreLocation,
  { node = 'node', troubles = [], asNode = false, ...options }: Opened = {},
): Promise<Store> {
  const complete = { kind: 'items', onStoreEvent: (trouble: StoreEvent) => void troubles.push(trouble), ...options }
  if (place.way === 'postgres') return openShared(place, node, complete)
  if (place.way === 'sqlite') return openEmbedded({ folder: join(place.folder, 'eid'), nodeId: node }, complete)
  if (place.way === 'files') return new LocalStore(complete, createFileLog(join(place.folder, node, complete.kind)))
  if (place.way === 'offered') {
    if (asNode) return openOffered(place.folder, node, complete)
    return new LocalStore(complete, createFileLog(join(keptFolder(place.folder), node, complete.kind)))
  }
  const context = await contextIn(place.folder, node)
  return new LocalStore(complete, createContextLog({ context: () => context, store: '', key: `eid_${complete.kind}` }))
}

function openOffered(userDir: string, nodeId: string, options: StoreOptions): Store {
  const context = (): ContextPart => {
    throw new Error('a cache is no place for what must not be lost')
  }
  const contextStorage = { default: { module: 'localfilesystem' } }
  return openStore({ nodeId, userDir, contextStorage, context }, { ...options, store: '' })
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

interface ContextStore {
  open(): Promise<void>
  get(scope: string, key: string, callback: (error: unknown, value: unknown) => void): void
  set(scope: string, key: string | string[], value: unknown, callback: (error: unknown) => void): void
}

/** Node-RED's own context store on disk, without its cache, so that it writes at once. */
async function contextIn(dir: string, node: string): Promise<ContextPart> {
  const requireRed = createRequire(createRequire(__filename).resolve('node-red'))
  const create = requireRed('@node-red/runtime/lib/nodes/context/localfilesystem') as (config: object) => ContextStore
  const store = create({ dir, cache: false, settings: {} })
  await store.open()
  const scope = `${node}:flow`
  return {
    get: (key, _store, callback) => store.get(scope, key, callback),
    set: (key, value, _store, callback) => store.set(scope, key, value, callback),
  }
}
