/** Keeps what a node must not forget in the context store that the person has chosen, with as few writes as possible. */
import { configError } from '../api/errors'
import { isPlainObject, type PlainObject } from './body'
import type { Runtime, RuntimeNode } from './node-red'

/** Values by key; a key is a letter followed by letters and digits. */
export interface Keep {
  /** Everything that is kept. Rejects when the store cannot be read. */
  all(): Promise<PlainObject>
  /** Keeps a value, soon; undefined forgets the key. The latest value of a key wins. */
  put(key: string, value: unknown): void
  /** Forgets everything. */
  clear(): void
  /** Resolves when everything that was put has been written, or has been reported as not writable. */
  flush(): Promise<void>
}

export interface KeepOptions {
  /** Name of the context store; empty is Node-RED's default one. */
  readonly store: string
  /** The one key of the node's context below which everything is kept. */
  readonly place: string
  /** Told of writes that did not work. */
  readonly failed: (error: unknown) => void
}

/**
 * Opens a node's own part of a context store. Throws EID_CONFIG when Node-RED has no store of that name: it would silently use another
 * one, perhaps one that forgets. Where no stores are set up at all, what is kept outlives deploys, but not the process.
 */
export function keepIn(RED: Runtime, node: RuntimeNode, options: KeepOptions): Keep {
  const { contextStorage } = RED.settings
  if (!contextStorage || Object.keys(contextStorage).length === 0) {
    if (!['', 'default', 'memory'].includes(options.store)) throw configError('context', { store: options.store })
    return inProcess(`${node.id} ${options.place}`)
  }
  if (options.store !== '' && !Object.hasOwn(contextStorage, options.store)) {
    throw configError('context', { store: options.store })
  }
  return inStore(node, options)
}

/** What nodes keep in this process: without stores of its own, Node-RED empties a node's context with every deploy. */
const processWide = new Map<string, PlainObject>()

function inProcess(name: string): Keep {
  return {
    all: () => Promise.resolve({ ...processWide.get(name) }),
    put(key, value) {
      const kept = processWide.get(name) ?? {}
      if (value === undefined) delete kept[key]
      else kept[key] = value
      if (Object.keys(kept).length > 0) processWide.set(name, kept)
      else processWide.delete(name)
    },
    clear: () => void processWide.delete(name),
    flush: () => Promise.resolve(),
  }
}

/** While one write is on its way, further ones are gathered and written together: a store may write its whole file each time. */
function inStore(node: RuntimeNode, { store, place, failed }: KeepOptions): Keep {
  const name = store === '' ? undefined : store
  const pending = new Map<string, unknown>()
  let writing: Promise<void> | undefined

  const write = (changes: readonly [string, unknown][]) =>
    new Promise<void>((resolve) => {
      const answer = (error: unknown) => {
        if (error) failed(error)
        resolve()
      }
      const [keys, values] = [changes.map(([key]) => key), changes.map(([, value]) => value)]
      try {
        node.context().set(keys, values, name, answer)
      } catch (error) {
        answer(error)
      }
    })
  const writeAll = async () => {
    // What is put in the same turn goes out together.
    await Promise.resolve()
    while (pending.size > 0) {
      const changes = [...pending]
      pending.clear()
      await write(changes)
    }
    writing = undefined
  }
  const later = (path: string, value: unknown) => {
    pending.set(path, value)
    writing ??= writeAll()
  }
  return {
    all: () =>
      new Promise((resolve, reject) => {
        node.context().get(place, name, (error, value) => {
          if (error) reject(error instanceof Error ? error : new Error(String(error)))
          else resolve(isPlainObject(value) ? { ...value } : {})
        })
      }),
    put: (key, value) => later(`${place}.${key}`, value),
    clear() {
      pending.clear()
      later(place, undefined)
    },
    flush: () => writing ?? Promise.resolve(),
  }
}
