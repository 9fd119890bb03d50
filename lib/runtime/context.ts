/** Keeps what a node must not forget in the context store that the person has chosen, as few writes as possible. */
import { configError } from '../api/errors'
import type { Runtime, RuntimeNode } from './node-red'

export interface Keep {
  /** What is stored under `key`, or undefined. Rejects when the store cannot be read. */
  get(key: string): Promise<unknown>
  /** Stores a value soon; undefined removes the key. The latest value of a key wins. */
  put(key: string, value: unknown): void
  /** Resolves when everything that was put has been written, or has been reported as not writable. */
  flush(): Promise<void>
}

/**
 * Opens the node's own part of a store; an empty name is Node-RED's default store. While one write is on its way, further ones are
 * gathered and written together: a store may write its whole file each time. `failed` is told of writes that did not work. Throws
 * EID_CONFIG when Node-RED has no store of that name: it would silently use another one, perhaps one that forgets.
 */
export function keepIn(RED: Runtime, node: RuntimeNode, store: string, failed: (error: unknown) => void): Keep {
  const stores = RED.settings.contextStorage ?? { default: {}, memory: {} }
  if (store !== '' && !Object.hasOwn(stores, store)) throw configError('context', { store })
  const name = store === '' ? undefined : store
  const pending = new Map<string, unknown>()
  let writing: Promise<void> | undefined

  const write = (keys: string[], values: unknown[]) =>
    new Promise<void>((resolve) => {
      const answer = (error: unknown) => {
        if (error) failed(error)
        resolve()
      }
      try {
        node.context().set(keys, values, name, answer)
      } catch (error) {
        answer(error)
      }
    })
  const writeAll = async () => {
    while (pending.size > 0) {
      // What is put in the same turn goes out together.
      await Promise.resolve()
      const changes = [...pending]
      pending.clear()
      await write(
        changes.map(([key]) => key),
        changes.map(([, value]) => value),
      )
    }
    writing = undefined
  }

  return {
    get: (key) =>
      new Promise((resolve, reject) => {
        node.context().get(key, name, (error, value) => {
          if (error) reject(error instanceof Error ? error : new Error(String(error)))
          else resolve(value)
        })
      }),
    put(key, value) {
      pending.set(key, value)
      writing ??= writeAll()
    },
    flush: () => writing ?? Promise.resolve(),
  }
}
