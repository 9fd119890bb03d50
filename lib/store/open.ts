/**
 * Opens a node's store: shared, in the context store that the form names, or else in files below the user folder.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { configError } from '../api/errors/errors'
import { createContextLog, type ContextPart } from './local/context-log'
import { createFileLog } from './local/file-log'
import { systemClock } from './clock'
import { LocalStore } from './local/local'
import { own } from './local/sole-owner'
import type { Store, StoreOptions } from './store'

/** What is needed of Node-RED. */
export interface StoreHost {
  readonly nodeId: string
  /** Absent where Node-RED has none: then everything is in memory. */
  readonly userDir: string | undefined
  /** The context stores of the settings by their names. */
  readonly contextStorage: Readonly<Record<string, unknown>> | undefined
  readonly context: () => ContextPart
}

/** A store that several Node-REDs share: gives each node its part of it. */
export interface SharedStore {
  open(nodeId: string, options: StoreOptions): Store
}

export interface OpenOptions extends StoreOptions {
  /**
   * Name of a context store; empty: Node-RED's default one if it writes at once, else files. `memory` keeps nothing over
   * a restart.
   */
  readonly store: string
  readonly shared?: SharedStore | undefined
}

/**
 * Throws EID_CONFIG when Node-RED has no store of that name: it would silently use another one, perhaps
 * one that forgets.
 */
export function openStore(host: StoreHost, options: OpenOptions): Store {
  const { shared, store, kind } = options
  if (shared) return shared.open(host.nodeId, options)
  const where = locationFor(host.contextStorage ?? {}, store)
  if (where === 'unknown') throw configError('context', { store })
  if (where === 'files' || where === 'memory') return inProcess(where, host, options)
  if (where === 'cachedContext') warnSoon(options)
  return new LocalStore(
    options,
    createContextLog({ context: host.context, store, key: `eid_${kind}`, own: ownerOf(host, kind) }),
  )
}

type Location = 'context' | 'cachedContext' | 'files' | 'memory' | 'unknown'
type Durability = 'lasts' | 'cached' | 'forgets'
type Stores = Readonly<Record<string, unknown>>

/** Where it is kept when the person names this context store, or none. */
function locationFor(stores: Stores, name: string): Location {
  const isKnown = Object.hasOwn(stores, name)
  // Without stores of its own Node-RED has one in memory, which it empties with every deploy.
  if (name === 'memory' && !isKnown) return 'memory'
  if (name !== '' && name !== 'default' && !isKnown) return 'unknown'
  const durability = durabilityOf(stores, isKnown ? name : defaultOf(stores))
  if (durability === 'lasts') return 'context'
  if (!isKnown || name === 'default') return 'files'
  return durability === 'cached' ? 'cachedContext' : 'memory'
}

/** The first one, unless one is called `default`. */
function defaultOf(stores: Stores): string | undefined {
  return Object.hasOwn(stores, 'default') ? 'default' : Object.keys(stores)[0]
}

/** What becomes of a text that such a store has taken, when Node-RED is killed. */
function durabilityOf(stores: Stores, name: string | undefined): Durability {
  const store = name === undefined ? undefined : stores[name]
  // A name instead of settings means another store.
  if (typeof store === 'string') return store === name ? 'forgets' : durabilityOf(stores, store)
  const { module, config } = (store ?? { module: 'memory' }) as {
    module?: unknown
    config?: { cache?: unknown } | null
  }
  if (module === 'memory') return 'forgets'
  // Unless it is told not to, Node-RED's own store on disk writes every 30 seconds.
  return module === 'localfilesystem' && config?.cache !== false ? 'cached' : 'lasts'
}

/** What outlives deploys in this process: files needn't be read again each time, and memory has nothing else. */
const stores = new Map<string, LocalStore>()

function inProcess(where: 'files' | 'memory', host: StoreHost, options: OpenOptions): Store {
  const { nodeId, userDir } = host
  const folder = where === 'files' && userDir ? folderOf(userDir, nodeId, options.kind) : undefined
  if (where === 'files' && !folder) warnSoon(options)
  const key = folder ?? `${nodeId} ${options.kind}`
  const known = stores.get(key)
  if (known) return known.reopen(options)
  const log = folder === undefined ? undefined : createFileLog(folder, undefined, ownerOf(host, options.kind))
  const store = new LocalStore(options, log, systemClock, () => void stores.delete(key))
  stores.set(key, store)
  return store
}

/** Two Node-REDs that were started in one user folder would both send what is kept there. */
function ownerOf({ userDir, nodeId }: StoreHost, kind: string): () => Promise<void> {
  return () => (userDir === undefined ? Promise.resolve() : own(userDir, `${folderNameOf(nodeId)}/${kind}`))
}

/** Called when the caller has got its store. */
function warnSoon({ onStoreEvent }: StoreOptions): void {
  setImmediate(() => onStoreEvent('volatile'))
}

/** Where everything is that is kept in files, a folder for each node. */
export function keptFolder(userDir: string): string {
  return join(userDir, 'eid', 'kept')
}

/** Names that Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** The id of a node comes from the flow file and may be any text. */
export function folderNameOf(nodeId: string): string {
  const plain = /^[\w-]{1,100}$/.test(nodeId) && !reserved.test(nodeId)
  return plain ? nodeId : `x${createHash('sha256').update(nodeId).digest('hex').slice(0, 32)}`
}

function folderOf(userDir: string, nodeId: string, kind: string): string {
  return join(keptFolder(userDir), folderNameOf(nodeId), kind)
}
