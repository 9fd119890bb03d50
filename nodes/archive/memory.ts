/**
 * What this installation remembers of its archives outside of their folders: the key that signs its lines, and the last
 * line of each index that it has written or checked.
 */
import { createHash, randomBytes } from 'node:crypto'
import { isPlainObject } from '../../lib/common/plain-object'
import type { Store } from '../../lib/store/store'

/** The end of an index: the number of its lines, and the SHA-256 of the last one. */
export interface Seal {
  readonly lines: number
  readonly sha256: string
}

/** The last known end of each index of a folder, keyed by the name of the index. */
export type Seals = Readonly<Record<string, Seal>>

export interface Memory {
  /** The secret key of this installation. */
  key(): Promise<Buffer>
  /** `real` is the real path of the archive's folder. */
  seals(real: string): Promise<Seals>
  /** Adds these seals to those of the folder; the longer of two is kept. Calls for the same folder must not overlap. */
  remember(real: string, seals: Seals): Promise<void>
}

/** Whether these lines begin with the sealed lines; `hashes` are the SHA-256 values of the lines. */
export function fits({ lines, sha256 }: Seal, hashes: readonly string[]): boolean {
  return lines === 0 || hashes[lines - 1] === sha256
}

/** Creates the memory. `open` opens a store, when something is first remembered or looked up. */
export function createMemory(open: (kind: 'archives' | 'archivekeys') => Store): Memory {
  // The key has a store of its own, because a full store drops its oldest items.
  const stores = new Map<string, Store>()
  const store = (kind: 'archives' | 'archivekeys') => {
    const found = stores.get(kind) ?? open(kind)
    stores.set(kind, found)
    return found
  }
  const seals = async (real: string): Promise<Seals> => {
    const body = (await store('archives').get(idOf(real)))?.body
    return isPlainObject(body) && isPlainObject(body.seals) ? (body.seals as unknown as Seals) : {}
  }
  return {
    async key() {
      await store('archivekeys').add('key', { body: { key: randomBytes(32).toString('hex') } })
      const body = (await store('archivekeys').get('key'))?.body
      return Buffer.from(isPlainObject(body) ? String(body.key) : '', 'hex')
    },
    seals,
    async remember(real, more) {
      const before = await seals(real)
      const longer = Object.entries(more).filter(([name, { lines }]) => lines > (before[name]?.lines ?? 0))
      if (longer.length === 0) return
      await store('archives').put(idOf(real), { body: { seals: { ...before, ...Object.fromEntries(longer) } } })
    },
  }
}

const idOf = (real: string) => createHash('sha256').update(real).digest('hex').slice(0, 32)
