/**
 * Keeps a record of each signed document until the day before the service deletes the document. The list of ended waits
 * is not enough, because it may not go back that far.
 */
import { isPlainObject } from '../../lib/common/plain-object'
import { endedKeepMs, type EndedItem } from '../../lib/runtime/monitor/ended'
import type { Clock } from '../../lib/store/clock'
import type { Claim, Store } from '../../lib/store/store'
import { startWorker } from '../../lib/store/worker'
import { hash, type Alert } from './alert'
import { deletionOf, isTooLate, unsavedAlert, warnBeforeMs } from './scan'

interface DeletionsOptions {
  readonly store: Store
  readonly clock: Pick<Clock, 'epochNow'>
  /** Reports the deletion unless the document was saved. Rejects if the report can't be stored. */
  say(alert: Alert): Promise<void>
  failed(error: unknown): void
}

export interface Deletions {
  /**
   * Stores those of the items that are signed documents. While the store is full, only the first call rejects. A later
   * call rejects only if an item could be stored in between.
   */
  note(items: readonly EndedItem[]): Promise<void>
  start(): void
  stop(): Promise<void>
}

/** Maximum number of documents that one node stores: 3,000 a day, kept for a month. */
export const deletionLimits = { maxItems: 100_000 } as const

const maxNoted = 10_000

/**
 * How long the id of a handled document remains stored. This is longer than the document remains in the list of ended
 * waits, so that the document is not stored twice.
 */
const remain = { body: {}, keepMs: endedKeepMs + 86_400_000 }

export function createDeletions({ store, clock, say, failed }: DeletionsOptions): Deletions {
  /** Ids of documents that are stored already and need not be looked up again. */
  const noted = new Set<string>()
  let isFull = false
  let stop = () => Promise.resolve()

  const add = async (item: EndedItem, deletion: number) => {
    const { id, title, client, node, when, keptHours } = item
    const dueMs = Math.max(0, deletion - warnBeforeMs(item) - clock.epochNow())
    await store.add(`k-${hash(id)}`, { body: { id, title, client, node, when, keptHours, deletion }, dueMs })
  }
  const work = async (claim: Claim) => {
    const { body } = claim
    const item = isPlainObject(body) && typeof body.id === 'string' ? (body as unknown as Noted) : undefined
    if (item && !isTooLate(item.deletion, clock.epochNow())) await say(unsavedAlert(item, item.deletion))
    await store.complete(claim, remain)
  }

  return {
    async note(items) {
      if (noted.size > maxNoted) noted.clear()
      for (const item of items) {
        const deletion = deletionOf(item)
        if (deletion === undefined) continue
        try {
          if (noted.has(item.id) || isTooLate(deletion, clock.epochNow())) continue
          await add(item, deletion)
          isFull = false
        } catch (error) {
          if (isFull) return
          isFull = true
          throw error
        }
        noted.add(item.id)
      }
    },
    start() {
      const worker = startWorker({ store, parallel: 1, work, failed })
      stop = () => worker.stop()
    },
    stop: () => stop(),
  }
}

type Noted = Pick<EndedItem, 'id' | 'title' | 'client' | 'node' | 'when'> & { readonly deletion: number }
