/**
 * What every store guarantees for work: due in time, one at a time, never lost. The same tests run for each kind of
 * store.
 */
import should from 'should'
import { maxDeliveries, type Claim, type Store } from '../../../lib/store/store'
import { until } from '../../support/time'
import { claimed, storeBench, type Way } from './store-bench'

/** Declares the tests; call it inside a `describe`. */
export function sharesOutWork(way: Way): void {
  const { openStore, reopen, endLeases } = storeBench(way)

  it('gives work when it is due, the oldest first, after a restart too', async () => {
    const store = await openStore()
    await store.put('kept', { body: 'no work' })
    await store.put('second', { body: 2, dueMs: 3_600_000 })
    await store.put('first', { body: 1, dueMs: 0 })
    // This item is due later than the first, however slow the machine is.
    await store.put('second', { body: 2, dueMs: 1 })
    await store.put('far', { body: 3, dueMs: 3_600_000 })
    const later = await reopen()
    const claims = await until(async () => {
      const [claim] = await later.claim(1)
      return claim && [claim, ...(await claimed(later, 1))]
    })
    should(claims.map(({ id, body }) => [id, body])).deepEqual([
      ['first', 1],
      ['second', 2],
    ])
    should(await later.claim(5)).deepEqual([])
    const far = (await later.list()).find(({ id }) => id === 'far')
    should(far?.due).be.approximately(Date.now() + 3_600_000, 60_000)
  })

  it('gives work to one at a time; who lost the lease changes nothing any more', async () => {
    const before = await openStore()
    await before.put('work', { body: 'as it was', dueMs: 0 })
    const held = await claimed(before, 1)
    should(await before.claim(5)).deepEqual([])
    await before.returnClaims(held)
    let store = await reopen()
    const [lost] = await claimed(store, 1)
    // In a shared store, the lease ends; otherwise, the claim ends with the process.
    await endLeases()
    if (!way.shared) store = await reopen()
    const [now] = await claimed(store, 1)
    should(now?.owner).not.equal(lost?.owner)
    should(await store.renew([lost as Claim])).deepEqual([])
    should(await store.markDelivered(lost as Claim)).be.false()
    should(await store.reschedule(lost as Claim, 0, { body: 'changed' })).be.false()
    should(await store.complete(lost as Claim)).be.false()
    await store.returnClaims([lost as Claim])
    should((await store.renew([now as Claim])).map(({ id }) => id)).deepEqual(['work'])
    should((await store.get('work'))?.body).equal('as it was')
    should((await store.get('work'))?.deliveryCount).equal(0)
    should(await store.complete(now as Claim)).be.true()
    should(await store.complete(now as Claim)).be.false()
    should(await store.count()).equal(0)
  })

  it('takes the calls of many owners at once, each for its own claim', async () => {
    const ids = Array.from({ length: 30 }, (_none, n) => `work-${n}`)
    const store = await openStore()
    for (const id of ids) await store.put(id, { body: id, dueMs: 0 })
    const before = await claimed(store, ids.length)
    await store.returnClaims(before.slice(0, 10))
    const now = [...(await claimed(store, 10)), ...before.slice(10)]
    should(await Promise.all([...before, ...now].map((claim) => store.markDelivered(claim)))).deepEqual([
      ...before.map((_none, n) => n >= 10),
      ...now.map(() => true),
    ])
    const ended = [...before.slice(0, 10), ...now.slice(0, 20)].map((claim, n) =>
      n % 2 === 0 ? store.complete(claim) : store.reschedule(claim, 3_600_000, { body: `again ${claim.id}` }),
    )
    should(await Promise.all(ended)).deepEqual([
      ...before.slice(0, 10).map(() => false),
      ...ended.slice(10).map(() => true),
    ])
    should((await store.renew(now)).length).equal(10)
    const left = await Promise.all((await store.list()).map(({ id }) => store.get(id)))
    should(left.filter((one) => one?.body === `again ${one?.id}`)).have.length(10)
    should(left.filter((one) => one?.body === one?.id)).have.length(10)
  })

  it('shares out work among many who claim at once, each piece once', async () => {
    const first = await openStore()
    const stores = [first]
    if (way.shared) stores.push(await openStore(), await openStore())
    await Promise.all(Array.from({ length: 60 }, (_, n) => first.put(`work-${n}`, { body: n, dueMs: 0 })))
    const rounds = Array.from({ length: 12 }, (_, n) => stores[n % stores.length] as Store)
    const claims = (await Promise.all(rounds.map((store) => store.claim(5)))).flat()
    should(new Set(claims.map(({ id }) => id)).size).equal(claims.length)
    const rest = await Promise.all(stores.map((store) => store.claim(60)))
    should([...claims, ...rest.flat()]).have.length(60)
  })

  it('keeps a lease that is renewed', async () => {
    const store = await openStore()
    await store.put('work', { body: 1, dueMs: 0 })
    const [claim] = (await claimed(store, 1)) as [Claim]
    await endLeases()
    should(await store.renew([claim])).have.length(1)
    should(await store.claim(1)).deepEqual([])
    should(await store.complete(claim)).be.true()
  })

  it('records delivered work, for the one that claims it after a crash', async () => {
    let store = await openStore()
    await store.put('work', { body: 1, dueMs: 0 })
    for (let time = 0; time <= maxDeliveries; time++) {
      await endLeases()
      if (!way.shared) store = await reopen()
      const [claim] = (await claimed(store, 1)) as [Claim]
      should(claim.deliveryCount).equal(time)
      should(await store.markDelivered(claim)).be.true()
      should((await store.get('work'))?.deliveryCount).equal(time + 1)
    }
    await endLeases()
    const [later] = (await claimed(await reopen(), 1)) as [Claim]
    should(later.deliveryCount).equal(maxDeliveries + 1)
  })

  it('claims and hands out in one step', async () => {
    const store = await openStore()
    await store.put('event', { body: 1, dueMs: 0 })
    const first = await claimed(store, 1, true)
    should(first[0]?.deliveryCount).equal(0)
    await store.returnClaims(first)
    const [second] = await claimed(store, 1, true)
    should(second?.deliveryCount).equal(1)
    should((await store.get('event'))?.deliveryCount).equal(2)
    should(await store.markDelivered(second as Claim)).be.true()
    should((await store.get('event'))?.deliveryCount).equal(3)
  })

  it('puts work back, changed or not', async () => {
    const store = await openStore()
    await store.put('work', { body: { pause: 2 }, summary: 'open', subject: 's', dueMs: 0 })
    const [claim] = (await claimed(store, 1)) as [Claim]
    should(await store.reschedule(claim, 0, { summary: '1 of 2 signed' })).be.true()
    should(await store.reschedule(claim, 0)).be.false()
    const later = await reopen()
    const [again] = (await claimed(later, 1)) as [Claim]
    should([again.body, again.summary, again.subject]).deepEqual([{ pause: 2 }, '1 of 2 signed', 's'])
    should(await later.reschedule(again, 3_600_000, { body: { pause: 3 } })).be.true()
    const last = await reopen()
    should(await last.claim(1)).deepEqual([])
    should((await last.get('work'))?.body).deepEqual({ pause: 3 })
  })

  it('remembers that work is done, without its content', async () => {
    const store = await openStore()
    await store.add('event-1', { body: { secret: 'gone' }, dueMs: 0 })
    const [claim] = (await claimed(store, 1)) as [Claim]
    should(await store.complete(claim, { keepMs: 60_000, summary: 'done' })).be.true()
    const later = await reopen()
    should(await later.claim(1)).deepEqual([])
    should(await later.add('event-1', { body: 2 })).be.false()
    should((await later.get('event-1'))?.body).be.undefined()
    should((await later.get('event-1'))?.summary).equal('done')
  })

  it('gives released work to the next one at once', async () => {
    const store = await openStore()
    await store.put('work', { body: 1, dueMs: 0 })
    const claims = await claimed(store, 1)
    await store.returnClaims(claims)
    should(await claimed(store, 1)).have.length(1)
  })

  it('wakes the work about a subject, also what is claimed right now', async () => {
    const store = await openStore()
    const other = await openStore({ node: 'another' })
    for (const one of [store, other]) {
      await one.put('mine', { body: 1, subject: 'c/document/1', dueMs: 3_600_000 })
      await one.put('not', { body: 1, subject: 'c/document/2', dueMs: 3_600_000 })
    }
    should([...(await store.claim(5)), ...(await other.claim(5))]).deepEqual([])
    await store.makeDue(['c/document/1', 'c/document/9'])
    const [claim] = (await claimed(store, 1)) as [Claim]
    should((await claimed(other, 1)).map(({ id }) => id)).deepEqual(['mine'])
    // The next event arrives during a poll, whose answer may be older than the event.
    await store.makeDue(['c/document/1'])
    await store.reschedule(claim, 3_600_000)
    const [again] = (await claimed(store, 1)) as [Claim]
    await store.reschedule(again, 3_600_000)
    should(await store.claim(5)).deepEqual([])
  })

  it('wakes work whose lease is over while its owner still works on it', async () => {
    const store = await openStore()
    await store.put('mine', { body: 1, subject: 'c/document/1', dueMs: 0 })
    const [claim] = (await claimed(store, 1)) as [Claim]
    await endLeases()
    await store.makeDue(['c/document/1'])
    await store.reschedule(claim, 3_600_000)
    await claimed(store, 1)
  })

  it('notifies those that wait for work when there is some', async () => {
    const store = await openStore()
    const stop = new AbortController()
    const waiting = store.ready(stop.signal)
    await store.put('now', { body: 1, dueMs: 0 })
    await waiting
    const [claim] = (await claimed(store, 1)) as [Claim]
    await store.complete(claim)
    await store.put('soon', { body: 1, dueMs: 80 })
    const found = await until(async () => {
      await store.ready(stop.signal)
      return (await store.claim(1))[0]
    })
    should(found.id).equal('soon')
    const ended = store.ready(stop.signal)
    stop.abort()
    await ended
    await store.ready(stop.signal)
  })
}
