/** Opens an embedded database: the file of a folder in a thread of its own, or memory in this thread. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Request, Result } from './engine'
import { OwnedElsewhere } from './owner'
import type { Notice } from './files'
import type { ThreadAnswer, ThreadCall, ThreadTask } from './thread'

export interface Connection {
  /** Runs the statements in one transaction. Call it again only when the last call has been answered. */
  transact(requests: readonly Request[]): Promise<readonly Result[]>
  close(): Promise<void>
}

export async function openMemory(now: number): Promise<Connection> {
  const engine = (await import('./engine.js')).openMemory(now)
  return {
    transact: (requests) => Promise.resolve(engine.transact(requests)),
    close: () => engine.close(),
  }
}

/**
 * Calls `tell` with what people must know about the file. Rejects with `OwnedElsewhere`, or with an error whose message
 * is the reason in a few words.
 */
export async function openThread(
  folder: string,
  now: number,
  tell: (notices: readonly Notice[]) => void,
): Promise<Connection> {
  const ask = startThread({ folder, now })
  const first = await ask()
  if ('failed' in first) throw first.owner === undefined ? new Error(first.failed) : new OwnedElsewhere(first.owner)
  if (!('opened' in first)) throw new Error('')
  tell(first.opened)
  return {
    async transact(requests) {
      const answer = await ask({ requests })
      if ('results' in answer) {
        tell(answer.notices)
        return answer.results
      }
      throw new Error('failed' in answer ? answer.failed : '')
    },
    async close() {
      // The thread then ends by itself. To end it at the same moment might never resolve.
      await ask({})
    },
  }
}

/** `ask` resolves with the next answer of the thread. */
function startThread(task: ThreadTask) {
  const built = join(__dirname, 'thread.js')
  // In the repository, the thread runs the source.
  const isBuilt = existsSync(built)
  const loader = join(__dirname, '..', '..', '..', '..', 'scripts', 'sources.cjs')
  const thread = new Worker(isBuilt ? built : join(__dirname, 'thread.ts'), {
    workerData: task,
    execArgv: isBuilt ? [] : ['--require', loader],
  })
  let isGone = false
  thread.once('exit', () => (isGone = true))
  const ask = (call?: ThreadCall) =>
    new Promise<ThreadAnswer>((resolve) => {
      // The thread may have ended while no answer was awaited.
      if (isGone) return resolve({ failed: 'thread ended' })
      const end = (answer: ThreadAnswer) => {
        thread.off('message', end).off('error', fail).off('exit', exited).unref()
        resolve(answer)
      }
      const fail = (error: Error) => end({ failed: error.message })
      const exited = () => end({ failed: 'thread ended' })
      // The process keeps running for as long as an answer is missing.
      thread.on('message', end).on('error', fail).on('exit', exited).ref()
      if (call) thread.postMessage(call)
    })
  // Without a listener, an error would end Node-RED.
  thread.on('error', () => undefined)
  return ask
}
