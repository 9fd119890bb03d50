/** A process that works with a store until it is killed, and reports to its parent what it was promised. */
import { openAt, type StoreLocation } from './store-places'

/** What it is to do. */
export interface ChildTask {
  readonly place: StoreLocation
  /** `keep`: puts items as fast as it can. `claim`: claims what is due, hands it out, and does no more. */
  readonly job: 'keep' | 'claim'
  readonly leaseMs?: number
}

/** What it reports: ids that were kept, or handed out. */
export interface ChildWord {
  readonly ids: readonly string[]
}

const { place, job, leaseMs = 15_000 } = JSON.parse(process.argv[2] ?? '') as ChildTask
const tell = (ids: readonly string[]) => void process.send?.({ ids } satisfies ChildWord)

async function keep(): Promise<void> {
  const store = await openAt(place, { leaseMs, asNode: true })
  for (let round = 0; ; round++) {
    const ids = Array.from({ length: 20 }, (_, at) => `kept-${round}-${at}`)
    await Promise.all(
      ids.map(async (id) => {
        await store.put(id, { body: { id, text: 'x'.repeat(2_000) }, summary: { id }, dueMs: 0 })
        // Written a second time, as a wait is after each question.
        await store.put(id, { body: { id, text: 'y'.repeat(2_000) }, summary: { id }, dueMs: 0 })
      }),
    )
    tell(ids)
  }
}

async function claim(): Promise<void> {
  const store = await openAt(place, { leaseMs, asNode: true })
  const claims = await store.claim(3)
  for (const one of claims) await store.markDelivered(one)
  tell(claims.map(({ id }) => id))
  // Lives on, as a Node-RED does, until it is killed.
  setInterval(() => undefined, 1_000)
}

void (job === 'keep' ? keep() : claim())
