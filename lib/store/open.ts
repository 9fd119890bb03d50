/**
 * Opens a node's store: shared, in the context store that the person names, or in files below the user folder when
 * that is not said.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { configError } from '../api/errors/errors'
import { createContext, type ContextPart } from './local/context'
import { createFiles } from './local/files'
import { LocalStore } from './local/local'
import type { Store, StoreOptions } from './store'
import type { Persistence } from './local/writer'

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
   * Name of a context store; empty: Node-RED's default one if that lasts, else files. `memory` keeps
   * nothing over a restart.
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
  const where = placeFor(host.contextStorage ?? {}, store)
  if (where === 'unknown') throw configError('context', { store })
  if (where === 'context') {
    const context = createContext({ context: host.context, store, key: `eid_${kind}` })
    return new LocalStore(options, context)
  }
  return inProcess(where, host, options)
}

type Where = 'context' | 'files' | 'memory' | 'unknown'

function placeFor(stores: Readonly<Record<string, unknown>>, name: string): Where {
  const known = Object.hasOwn(stores, name)
  // Without stores of its own Node-RED has one in memory, which it empties with every deploy.
  if (name === 'memory' && !known) return 'memory'
  if (name !== '' && name !== 'default' && !known) return 'unknown'
  const lasting = !isForgetful(stores, known ? name : defaultOf(stores))
  if (lasting) return 'context'
  return known && name !== 'default' ? 'memory' : 'files'
}

/** The first one, unless one is called `default`. */
function defaultOf(stores: Readonly<Record<string, unknown>>): string | undefined {
  return Object.hasOwn(stores, 'default') ? 'default' : Object.keys(stores)[0]
}

function isForgetful(stores: Readonly<Record<string, unknown>>, name: string | undefined): boolean {
  const store = name === undefined ? undefined : stores[name]
  // A name instead of settings means another store.
  if (typeof store === 'string') return store === name || isForgetful(stores, store)
  return store === undefined || (store as { module?: unknown } | null)?.module === 'memory'
}

/** What outlives deploys in this process: files needn't be read anew each time, and memory has nowhere else to lie. */
const stores = new Map<string, ProcessStore>()

class ProcessStore extends LocalStore {
  readonly #key: string

  constructor(key: string, options: StoreOptions, persistence: Persistence | undefined) {
    super(options, persistence)
    this.#key = key
  }

  override async close(removed: boolean): Promise<void> {
    if (!removed) return this.flush()
    stores.delete(this.#key)
    await super.close(true)
  }
}

function inProcess(where: 'files' | 'memory', { nodeId, userDir }: StoreHost, options: OpenOptions): Store {
  const folder = where === 'files' && userDir ? folderOf(userDir, nodeId, options.kind) : undefined
  // Told when the caller has got its store.
  if (where === 'files' && !folder) setImmediate(() => options.onStoreEvent('unwritten'))
  const key = folder ?? `${nodeId} ${options.kind}`
  const known = stores.get(key)
  if (known) return known.reopen(options)
  const store = new ProcessStore(key, options, folder === undefined ? undefined : createFiles(folder))
  stores.set(key, store)
  return store
}

/** Where everything that is kept in files lies, a folder for each node. */
export function keptFolder(userDir: string): string {
  return join(userDir, 'eid', 'kept')
}

/** The id of a node comes from the flow file: anything may stand there. */
export function folderNameOf(nodeId: string): string {
  const plain = /^[\w-]{1,100}$/.test(nodeId)
  return plain ? nodeId : `x${createHash('sha256').update(nodeId).digest('hex').slice(0, 32)}`
}

function folderOf(userDir: string, nodeId: string, kind: string): string {
  return join(keptFolder(userDir), folderNameOf(nodeId), kind)
}
