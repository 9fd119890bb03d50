/** The thread in which an embedded database is open, so that a slow disk does not delay Node-RED. */
import { parentPort, workerData } from 'node:worker_threads'
import { openEngine, reasonOf, type Engine, type Request, type Result } from './engine'
import { own, type Ownership } from './owner'
import type { Aside } from './files'

export interface ThreadTask {
  readonly folder: string
  readonly now: number
}

/** `requests` are run in one transaction; without requests, the database is closed. */
export interface ThreadCall {
  readonly requests?: readonly Request[]
}

export type ThreadAnswer =
  | { readonly opened: Opened }
  | { readonly failed: string; readonly owner?: string }
  | { readonly results: readonly Result[] }
  | { readonly closed: true }

export interface Opened {
  readonly aside?: Aside
  /** True if it can't be found out whether another process uses the folder. */
  readonly isUnguarded: boolean
}

async function open({ folder, now }: ThreadTask): Promise<[Engine, Ownership]> {
  const ownership = await own(folder)
  try {
    return [openEngine(folder, now), ownership]
  } catch (error) {
    ownership.release()
    throw error
  }
}

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const answer = (one: ThreadAnswer) => port.postMessage(one)
  try {
    const [engine, { isUnguarded, release }] = await open(workerData as ThreadTask)
    const { aside } = engine
    answer({ opened: aside ? { aside, isUnguarded } : { isUnguarded } })
    port.on('message', ({ requests }: ThreadCall) => {
      if (requests) return answer({ results: engine.transact(requests) })
      void engine
        .close()
        .catch(() => undefined)
        .then(() => {
          release()
          answer({ closed: true })
          port.close()
        })
    })
  } catch (error) {
    const owner = error instanceof Error && 'owner' in error ? String(error.owner) : undefined
    answer(owner === undefined ? { failed: reasonOf(error) } : { failed: '', owner })
    port.close()
  }
}

if (parentPort) void serve(parentPort)
