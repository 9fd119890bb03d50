/**
 * The worker of a store: handles a limited number of items at once, completes each once, and returns its claims when it
 * stops.
 */
import should from 'should'
import { LocalStore } from '../../../lib/store/local/local'
import { isDeliveredTooOften, maxDeliveries, type Claim } from '../../../lib/store/store'
import { startWorker, type Worker } from '../../../lib/store/worker'
import { turn, until, untilCount } from '../../support/time'

describe('a worker', () => {
  let store: LocalStore
  let worker: Worker | undefined
  const failures: unknown[] = []
  const failed = (error: unknown) => void failures.push(error)
  beforeEach(() => {
    // Long enough for a busy machine to renew the lease in time.
    store = new LocalStore({ kind: 'items', leaseMs: 1_500, onStoreEvent: () => undefined })
    failures.length = 0
  })
  afterEach(async () => {
    await worker?.stop()
    await store.close(true)
  })

  it('works on due items, a limited number at a time, and again when they are due again', async () => {
    let [now, peak] = [0, 0]
    const times = new Map<string, number>()
    worker = startWorker({
      ...{ store, parallel: 3, failed },
      async work(claim) {
        peak = Math.max(peak, ++now)
        await turn()
        now--
        times.set(claim.id, (times.get(claim.id) ?? 0) + 1)
        if (times.get(claim.id) === 3) await store.complete(claim)
        else await store.reschedule(claim, 1)
      },
    })
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.put(`work-${n}`, { body: n, dueMs: 0 })))
    await until(async () => (await store.count()) === 0)
    should([...times.values()]).deepEqual(Array.from({ length: 20 }, () => 3))
    should(peak).equal(3)
    should(failures).deepEqual([])
  })

  it('renews the leases of its work, and stops working where a lease is lost', async () => {
    let lost: AbortSignal | undefined
    let renewed = 0
    const renew = store.renew.bind(store)
    store.renew = async (claims) => {
      const still = await renew(claims)
      renewed += still.length
      return still
    }
    worker = startWorker({
      ...{ store, parallel: 1, failed },
      async work(_claim, signal) {
        lost = signal
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    })
    await store.put('work', { body: 1, dueMs: 0 })
    await until(() => lost !== undefined)
    // Waits for two leases.
    await untilCount(() => renewed, 6)
    should(lost?.aborted).be.false()
    await store.remove('work')
    await until(() => lost?.aborted)
  })

  it('keeps its claims however long the event loop was busy: there is no other process', async () => {
    await store.close(true)
    store = new LocalStore({ kind: 'items', leaseMs: 20, onStoreEvent: () => undefined })
    await store.put('work', { body: 1, dueMs: 0 })
    const [claim] = (await store.claim(1)) as [Claim]
    should(await store.markDelivered(claim)).be.true()
    const end = performance.now() + 60
    while (performance.now() < end);
    should(await store.claim(1)).deepEqual([])
    should(await store.renew([claim])).have.length(1)
    should(await store.complete(claim)).be.true()
    should(await store.count()).equal(0)
  })

  it('returns unfinished work when it stops', async () => {
    const claims: Claim[] = []
    worker = startWorker({
      ...{ store, parallel: 2, failed },
      async work(claim, signal) {
        claims.push(claim)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
    })
    await store.put('one', { body: 1, dueMs: 0 })
    await store.put('two', { body: 1, dueMs: 0 })
    await until(() => claims.length === 2)
    await worker.stop()
    should(await store.claim(5)).have.length(2)
  })

  it('reports failures, and tries again', async () => {
    let times = 0
    worker = startWorker({
      ...{ store, parallel: 2, failed },
      async work(claim) {
        if (++times === 1) throw new Error('the first time')
        await store.complete(claim)
      },
    })
    await store.put('work', { body: 1, dueMs: 0 })
    await until(async () => (await store.count()) === 0)
    should(failures.map(String)).deepEqual(['Error: the first time'])
  })

  it('gets work that was delivered four times, and not five times', () => {
    should([0, maxDeliveries - 1, maxDeliveries, maxDeliveries + 1].map(isDeliveredTooOften)).deepEqual([
      false,
      false,
      true,
      true,
    ])
    should(maxDeliveries).equal(5)
  })
})
