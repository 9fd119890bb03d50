/**
 * Opens a node's store: the shared store, the context store named in the form, or else a store in files below the user
 * folder.
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

/** The parts of Node-RED that opening a store needs. */
export interface StoreHost {
  readonly nodeId: string
  /** Node-RED's user folder; if absent, everything is in memory. */
  readonly userDir: string | undefined
  /** The context stores of Node-RED's settings, keyed by name. */
  readonly contextStorage: Readonly<Record<string, unknown>> | undefined
  readonly context: () => ContextPart
}

/** A store shared by several Node-REDs. `open` returns the store of one node. */
export interface SharedStore {
  open(nodeId: string, options: StoreOptions): Store
}

interface OpenOptions extends StoreOptions {
  /**
   * Name of a context store. If empty, the default context store is used, provided that this store writes at once;
   * otherwise files are used. `memory` keeps nothing over a restart.
   */
  readonly store: string
  readonly shared?: SharedStore | undefined
  /** True to look at what a node keeps, while the node itself may have its store open. */
  readonly isVisit?: boolean
}

/**
 * Opens the store. Throws EID_CONFIG if Node-RED has no context store of that name: Node-RED would silently use another
 * store, which may keep nothing.
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

/**
 * Decides where data is stored. `name` is the context store that the user has named, or empty if the user has named
 * none.
 */
function locationFor(stores: Stores, name: string): Location {
  const isKnown = Object.hasOwn(stores, name)
  // If no context stores are configured, Node-RED has a single context store in memory. Every deploy empties this
  // store.
  if (name === 'memory' && !isKnown) return 'memory'
  if (name !== '' && name !== 'default' && !isKnown) return 'unknown'
  const durability = durabilityOf(stores, isKnown ? name : defaultOf(stores))
  if (durability === 'lasts') return 'context'
  if (!isKnown || name === 'default') return 'files'
  return durability === 'cached' ? 'cachedContext' : 'memory'
}

/** The name of the default context store: `default` if it exists, otherwise the first store. */
function defaultOf(stores: Stores): string | undefined {
  return Object.hasOwn(stores, 'default') ? 'default' : Object.keys(stores)[0]
}

/** Decides what happens to a text in this context store if Node-RED is killed. */
function durabilityOf(stores: Stores, name: string | undefined): Durability {
  const store = name === undefined ? undefined : stores[name]
  // A name in place of settings refers to another context store.
  if (typeof store === 'string') return store === name ? 'forgets' : durabilityOf(stores, store)
  const { module, config } = (store ?? { module: 'memory' }) as {
    module?: unknown
    config?: { cache?: unknown } | null
  }
  if (module === 'memory') return 'forgets'
  // Unless configured otherwise, Node-RED's own disk store writes only every 30 seconds.
  return module === 'localfilesystem' && config?.cache !== false ? 'cached' : 'lasts'
}

/**
 * The stores that stay open over deploys in this process, so that files need not be read again each time, and data in
 * memory is not lost.
 */
const stores = new Map<string, LocalStore>()

function inProcess(where: 'files' | 'memory', host: StoreHost, options: OpenOptions): LocalStore {
  const { nodeId, userDir } = host
  const folder = where === 'files' && userDir ? folderOf(userDir, nodeId, options.kind) : undefined
  if (where === 'files' && !folder) warnSoon(options)
  const key = folder ?? `${nodeId} ${options.kind}`
  const known = stores.get(key)
  if (known) return options.isVisit ? known : known.reopen(options)
  const log = folder === undefined ? undefined : createFileLog(folder, undefined, ownerOf(host, options.kind))
  const store = new LocalStore(options, log, systemClock, (other) =>
    inProcess(where, { ...host, nodeId: other }, { ...options, isVisit: true }),
  )
  stores.set(key, store)
  return store
}

/**
 * Makes this process the only owner of the data: two Node-REDs started with the same user folder would both send what
 * is stored there.
 */
function ownerOf({ userDir, nodeId }: StoreHost, kind: string): () => Promise<void> {
  return () => (userDir === undefined ? Promise.resolve() : own(userDir, `${folderNameOf(nodeId)}/${kind}`))
}

/** Reports the event in a later turn of the event loop, when the caller has its store. */
function warnSoon({ onStoreEvent }: StoreOptions): void {
  setImmediate(() => onStoreEvent('volatile'))
}

/** The folder of all file stores, which contains one folder for each node. */
export function keptFolder(userDir: string): string {
  return join(userDir, 'eid', 'kept')
}

/** Names that Windows reserves for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * The name of a node's folder. An id that is not safe as a file name is hashed, because it comes from the flow file and
 * may be any text.
 */
function folderNameOf(nodeId: string): string {
  const plain = /^[\w-]{1,100}$/.test(nodeId) && !reserved.test(nodeId)
  return plain ? nodeId : `x${createHash('sha256').update(nodeId).digest('hex').slice(0, 32)}`
}

function folderOf(userDir: string, nodeId: string, kind: string): string {
  return join(keptFolder(userDir), folderNameOf(nodeId), kind)
}
