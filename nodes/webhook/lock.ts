/** Lets one of several Node-REDs do at a time what two at once would do twice. */
import { randomUUID } from 'node:crypto'
import { sleep } from '../../lib/api/call/retry'
import type { Store } from '../../lib/store/store'

export interface Lock {
  /**
   * Runs the task when no other caller does; not at all when another one has just done the same, unless it is to be
   * done `again`.
   */
  run(what: string, again: boolean, task: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** A Node-RED that dies with the lock keeps it for so many milliseconds. */
const lockedMs = 30_000
/** For so many milliseconds something counts as just done. */
const justMs = 60_000
const pauseMs = 300

/** `signal` ends the waiting for the lock. */
export function createLock(store: Store, signal: AbortSignal): Lock {
  return {
    async run(what, again, task) {
      const owner = randomUUID()
      while (!(await store.add('lock', { body: owner, keepMs: lockedMs }))) await sleep(pauseMs, signal)
      try {
        if (!again && (await store.get('done'))?.body === what) return
        await task()
        await store.put('done', { body: what, keepMs: justMs })
      } finally {
        if ((await store.get('lock'))?.body === owner) await store.remove('lock')
      }
    },
    close: () => store.close(false),
  }
}
