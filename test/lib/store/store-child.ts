/** A process that works with a store until it is killed, and reports to its parent what the store has confirmed. */
import { openAt, type StoreLocation } from './store-places'

/** The task of the process. */
export interface ChildTask {
  readonly place: StoreLocation
  /** `keep`: stores items as fast as it can. `claim`: claims what is due, marks it as delivered, and does no more. */
  readonly job: 'keep' | 'claim'
}

/** The ids that were stored, or marked as delivered. */
export interface ChildWord {
  readonly ids: readonly string[]
}

const { place, job } = JSON.parse(process.argv[2] ?? '') as ChildTask
/** Longer than any test takes. */
const leaseMs = 3_600_000
const tell = (ids: readonly string[]) => void process.send?.({ ids } satisfies ChildWord)

async function keep(): Promise<void> {
  const store = await openAt(place, { leaseMs })
  for (let round = 0; ; round++) {
    const ids = Array.from({ length: 20 }, (_, at) => `kept-${round}-${at}`)
    await Promise.all(
      ids.map(async (id) => {
        await store.put(id, { body: { id, text: 'x'.repeat(2_000) }, summary: { id }, dueMs: 0 })
        // Stored a second time, as a wait is after each poll.
        await store.put(id, { body: { id, text: 'y'.repeat(2_000) }, summary: { id }, dueMs: 0 })
      }),
    )
    tell(ids)
  }
}

async function claim(): Promise<void> {
  const store = await openAt(place, { leaseMs })
  const claims = await store.claim(3)
  for (const one of claims) await store.markDelivered(one)
  tell(claims.map(({ id }) => id))
  // The process keeps running, like a Node-RED, until it is killed.
  setInterval(() => undefined, 1_000)
}

void (job === 'keep' ? keep() : claim())
