/** The thread in which an embedded database is open, so that a slow disk does not delay Node-RED. */
import { parentPort, workerData } from 'node:worker_threads'
import { openEngine, reasonOf, type Engine, type Request, type Result } from './engine'
import { own, type Ownership } from './owner'
import type { Notice } from './files'

export interface ThreadTask {
  readonly folder: string
  readonly now: number
}

/** `requests` are run in one transaction; without requests, the database is closed. */
export interface ThreadCall {
  readonly requests?: readonly Request[]
}

export type ThreadAnswer =
  | { readonly opened: readonly Notice[] }
  | { readonly failed: string; readonly owner?: string }
  | { readonly results: readonly Result[]; readonly notices: readonly Notice[] }
  | { readonly closed: true }

const unguarded: Notice = { key: 'storeUnguarded', params: {} }

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
    answer({ opened: [...engine.notices(), ...(isUnguarded ? [unguarded] : [])] })
    port.on('message', ({ requests }: ThreadCall) => {
      if (requests) return answer({ results: engine.transact(requests), notices: engine.notices() })
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
