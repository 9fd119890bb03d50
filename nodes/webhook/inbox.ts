/**
 * Stores every event before the service gets its response, sends the event into the flow once, and recognizes it after
 * a restart.
 */
import { createHash } from 'node:crypto'
import type { PlainObject } from '../../lib/common/plain-object'
import { delivered } from '../../lib/runtime/node-red/next-turn'
import { tooOften } from '../../lib/runtime/node-red/errors'
import { createDeliverOnce } from '../../lib/store/deliver-once'
import { isDeliveredTooOften, type Claim, type Store } from '../../lib/store/store'
import { startWorker, type Worker } from '../../lib/store/worker'

interface InboxOptions {
  readonly store: Store
  /**
   * Sends an event into the flow; `redelivered` means that the event may already have been in the flow before a crash.
   */
  deliver(event: PlainObject, redelivered: boolean): void
  /** Called for errors. `event` is given if the error is that this event was delivered too often without completing. */
  failed(error: unknown, event?: PlainObject): void
}

export interface Inbox {
  /**
   * Stores an event and returns the function that sends it into the flow, or undefined if the event was received
   * before. Rejects if the event can't be stored.
   */
  take(id: string, event: PlainObject): Promise<(() => void) | undefined>
  /** Starts sending events into the flow, beginning with those of an earlier run. */
  start(): void
  /** Stops sending events. */
  close(): Promise<void>
}

/** Maximum number of events that are recognized when they are repeated; the service does not repeat older events. */
export const maxEvents = 5000
const keepMs = 30 * 86_400_000

const parallel = 8
/** If Node-RED is killed between storing and sending, the event is sent after this many milliseconds at the latest. */
const redeliverAfterMs = 10_000

export function createInbox({ store, deliver, failed }: InboxOptions): Inbox {
  const once = createDeliverOnce(store, delivered)
  let worker: Worker | undefined

  const dueMs = Math.min(redeliverAfterMs, store.leaseMs)
  const work = async (claim: Claim, signal: AbortSignal) => {
    const times = claim.deliveryCount
    if (await once.completeDelivered(claim)) return
    const send = () => {
      if (isDeliveredTooOften(times)) failed(tooOften(), claim.body as PlainObject)
      else deliver(claim.body as PlainObject, times > 0)
    }
    await once.deliver(claim, signal, send, (sent) => store.complete(sent, { keepMs }))
  }
  return {
    async take(id, event) {
      const key = eventKey(id)
      const subject = `webhook/${key}`
      if (!(await store.add(key, { body: event, subject, dueMs }))) return undefined
      return () => void store.makeDue([subject]).catch(failed)
    },
    start: () => void (worker ??= startWorker({ store, parallel, work, failed })),
    async close() {
      await worker?.stop()
      await store.close()
    },
  }
}

/** Returns the key of an event; all keys have the same length, however long the sender's id is. */
function eventKey(id: string): string {
  return `e${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}
