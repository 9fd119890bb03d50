/** Stores items in a Node-RED context store. The plugin of the context store decides how durable the items are. */
import type { TextLog } from './text-log'

/** The part of a node's context that is used here. */
export interface ContextPart {
  get(key: string, store: string | undefined, callback: (error: unknown, value: unknown) => void): void
  /** If `key` is an array, `value` is an array with the values of these keys. */
  set(key: string | string[], value: unknown, store: string | undefined, callback: (error: unknown) => void): void
}

interface ContextOptions {
  readonly context: () => ContextPart
  /** Name of the context store; if empty, Node-RED's default store. */
  readonly store: string
  /** The single key of the node's context that contains everything. */
  readonly key: string
  /** Rejects while another process uses the data. Nothing is read before the promise resolves. */
  readonly own?: () => Promise<void>
}

export function createContextLog({ context, store, key, own }: ContextOptions): TextLog {
  const name = store === '' ? undefined : store
  const get = (path: string) =>
    new Promise<unknown>((resolve, reject) => {
      context().get(path, name, (error, value) => (error ? reject(toError(error)) : resolve(value)))
    })
  const set = (paths: string[], values: unknown[]) =>
    new Promise<void>((resolve, reject) => {
      context().set(paths, values, name, (error) => (error ? reject(toError(error)) : resolve()))
    })
  return {
    async load(found, unreadable) {
      await own?.()
      const stored = await get(key)
      if (typeof stored !== 'object' || stored === null) return new Map()
      for (const [one, text] of Object.entries(stored)) {
        try {
          found(one, String(text))
        } catch (error) {
          unreadable(error)
        }
      }
      return new Map()
    },
    async read(one) {
      const text = await get(`${key}.${one}`)
      if (typeof text !== 'string') throw new Error('not there')
      return text
    },
    /** Writes all changes in one call, because a store may write its whole file for each call. */
    async write(changes) {
      try {
        await set(
          [...changes.keys()].map((one) => `${key}.${one}`),
          [...changes.values()],
        )
        return new Map()
      } catch (error) {
        return new Map([...changes.keys()].map((one) => [one, error]))
      }
    },
    clear: () => set([key], [undefined]),
    flush: () => Promise.resolve(),
  }
}

/** Marks the error as temporary, because a context store may accept later what it refuses now. */
function toError(error: unknown): Error {
  const known = error instanceof Error ? error : new Error(String(error))
  return 'syscall' in known
    ? known
    : Object.assign(known, { syscall: 'context' }, !('code' in known) && { code: 'context' })
}
