/** A store that is only in memory: what it has in common with all others, without files. */
import should from 'should'
import { LocalStore } from '../../../lib/store/local/local'
import type { Claim, StoreOptions } from '../../../lib/store/store'
import { simulateTime, type SimulatedTime } from '../../support/simulated-time'

describe('a store in memory only', () => {
  let time: SimulatedTime
  const open: LocalStore[] = []
  const start = (more: Partial<StoreOptions> = {}) => {
    const store = new LocalStore({ kind: 'items', onStoreEvent: () => undefined, ...more }, undefined, time.clock)
    open.push(store)
    return store
  }
  beforeEach(() => (time = simulateTime()))
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()))
    time.end()
  })

  it('stores, adds, counts, lists and removes', async () => {
    const store = start()
    await store.put('one', { body: 1 })
    should([await store.add('one', { body: 2 }), await store.add('two', { body: 2 })]).deepEqual([false, true])
    should((await store.get('one'))?.body).equal(1)
    should([await store.increment('n'), await store.increment('n'), await store.count()]).deepEqual([1, 2, 3])
    should((await store.list({ limit: 2 })).map(({ id }) => id)).deepEqual(['one', 'two'])
    should([await store.remove('one'), await store.remove('one')]).deepEqual([true, false])
    await store.flush()
    await store.clear()
    should(await store.count()).equal(0)
  })

  it('has work, which keeps its body until it is completed', async () => {
    const store = start()
    await store.put('work', { body: 'as it was', dueMs: 0 })
    const [claim] = (await store.claim(5)) as [Claim]
    should(await store.markDelivered(claim)).be.true()
    should(await store.reschedule(claim, 1_000, { summary: 's' })).be.true()
    should(await store.claim(5)).deepEqual([])
    const ready = store.ready(new AbortController().signal)
    await time.pass(1_000)
    await ready
    const [again] = (await store.claim(5)) as [Claim]
    should(again).match({ body: 'as it was', summary: 's', deliveryCount: 1 })
    should(await store.complete(again, {})).be.true()
    should(await store.get('work')).match({ body: undefined, summary: 's' })
  })

  it('drops what has expired within half a minute, and nothing else', async () => {
    const store = start()
    await store.put('short', { body: 1, keepMs: 10_000 })
    await store.put('long', { body: 2, keepMs: 60_000 })
    await store.put('ever', { body: 3 })
    await time.pass(30_000)
    should(await store.count()).equal(2)
    should((await store.list()).map(({ id }) => id)).deepEqual(['long', 'ever'])
  })

  it('has the lease that its node asks for, or one of 15 seconds', () => {
    should([start().leaseMs, start({ leaseMs: 400 }).leaseMs]).deepEqual([15_000, 400])
  })

  it('wakes those that wait when work is added that is due first', async () => {
    const store = start()
    const ready = store.ready(new AbortController().signal)
    await store.put('work', { body: 1, dueMs: 0 })
    await ready
  })
})
