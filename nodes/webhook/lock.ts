/** Lets only one of several Node-REDs at a time do something that must not be done twice. */
import { randomUUID } from 'node:crypto'
import { sleep } from '../../lib/api/call/retry'
import type { Store } from '../../lib/store/store'

export interface Lock {
  /**
   * Runs the task when no other caller is running it. If another caller has just completed the task, the task is
   * skipped, unless `again` is set.
   */
  run(what: string, again: boolean, task: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Milliseconds for which a Node-RED that was killed keeps the lock. */
const lockedMs = 30_000
/** Milliseconds for which a completed task counts as just done. */
const justMs = 60_000
const pauseMs = 300

/** Creates a lock in the store. An abort of `signal` ends any waiting for the lock. */
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
    close: () => store.close(),
  }
}
