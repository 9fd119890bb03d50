/** What every store guarantees, whatever stores its items. The same tests run for each kind of store. */
import should from 'should'
import { until } from '../../support/time'
import { claimed, storeBench, type Way } from './store-bench'

/** Declares the tests; call it inside a `describe`. */
export function keepsPromises(way: Way): void {
  const { place, openStore, closeAll, reopen } = storeBench(way)

  it('returns stored items, the latest of an id, also after a restart', async () => {
    const store = await openStore()
    should(await store.get('one')).be.undefined()
    await store.put('one', { body: { n: 1 } })
    await store.put('one', {
      body: { n: 2, text: 'ærlig', list: [1, null] },
      summary: { title: 'Lease' },
      subject: 'c/document/1',
    })
    const before = await store.get('one')
    const later = await reopen()
    for (const found of [before, await later.get('one')]) {
      should(found?.body).deepEqual({ n: 2, text: 'ærlig', list: [1, null] })
      should({ ...found, body: 0, since: 0, ageMs: 0, position: 0 }).deepEqual({
        id: 'one',
        summary: { title: 'Lease' },
        subject: 'c/document/1',
        deliveryCount: 0,
        version: 1,
        body: 0,
        since: 0,
        ageMs: 0,
        position: 0,
      })
      should(found?.ageMs).be.within(0, 60_000)
      should(found?.since).be.approximately(Date.now(), 60_000)
    }
    should(await Promise.all([later.remove('one'), later.remove('one')])).containDeep([true, false])
    should(await later.get('one')).be.undefined()
    should(await (await reopen()).get('one')).be.undefined()
  })

  it('takes any id and any body that is JSON', async () => {
    const ids = [
      '',
      '../../etc/passwd',
      '__proto__',
      'constructor',
      'æøå 漢字 🙂',
      'a.b[0]',
      "x'; drop table y; --",
      'x'.repeat(5_000),
    ]
    const deep = JSON.parse(`${'['.repeat(1_500)}${']'.repeat(1_500)}`) as unknown
    const bodies = [0, '', null, false, [], 'null character gone', { 'a.b': { __eid: 1 } }, deep]
    const store = await openStore()
    await Promise.all(ids.map((id, at) => store.put(id, { body: bodies[at] })))
    const later = await reopen()
    for (const [at, id] of ids.entries())
      should(JSON.stringify((await later.get(id))?.body)).equal(JSON.stringify(bodies[at]))
    should(await later.count()).equal(ids.length)
    const large = 'x'.repeat(4_000_000)
    await later.put('large', { body: large })
    should((await (await reopen()).get('large'))?.body === large).be.true()
  })

  it('lets one of many add an id, and no one after that', async () => {
    const store = await openStore()
    const added = await Promise.all(Array.from({ length: 20 }, (_, n) => store.add('event', { body: n })))
    should(added.filter(Boolean)).have.length(1)
    const later = await reopen()
    should(await later.add('event', { body: 'again' })).be.false()
    should((await later.get('event'))?.body).equal(added.indexOf(true))
  })

  it('forgets expired items', async () => {
    const store = await openStore()
    await store.put('short', { body: 1, keepMs: 60 })
    await store.put('work', { body: 1, keepMs: 60, dueMs: 0 })
    await store.put('long', { body: 1, keepMs: 60_000 })
    for (const id of ['short', 'work']) await until(async () => (await store.get(id)) === undefined)
    should(await store.claim(10)).deepEqual([])
    should((await store.list()).map(({ id }) => id)).deepEqual(['long'])
    should(await store.add('short', { body: 2 })).be.true()
    should((await (await reopen()).get('short'))?.body).equal(2)
  })

  it('counts in one step', async () => {
    const store = await openStore()
    const counts = await Promise.all(Array.from({ length: 50 }, () => store.increment('messages')))
    should(counts.sort((one, other) => one - other)).deepEqual(Array.from({ length: 50 }, (_, n) => n + 1))
    const later = await reopen()
    should(await later.increment('messages')).equal(51)
    should(await later.increment('short', 50)).equal(1)
    await until(async () => (await later.get('short')) === undefined)
    should(await later.increment('short', 50)).equal(1)
  })

  it('is bounded: the oldest item that is not work goes, and work is refused when there is no room', async () => {
    const store = await openStore({ maxItems: 5, maxBytes: 20_000 })
    for (let n = 1; n <= 3; n++) await store.put(`work-${n}`, { body: n, dueMs: 3_600_000 })
    for (let n = 1; n <= 9; n++) await store.put(`page-${n}`, { body: n })
    const ids = async () => (await store.list()).map(({ id }) => id)
    should(await ids()).deepEqual(['work-1', 'work-2', 'work-3', 'page-8', 'page-9'])
    await store.put('page-10', { body: 'x'.repeat(17_000) })
    should(await ids()).containEql('page-10')
    await should(store.put('too-large', { body: 'x'.repeat(30_000) })).be.rejectedWith({ code: 'EID_CONFIG' })
    should(await ids()).containEql('page-10')
    await store.put('work-4', { body: 4, dueMs: 3_600_000 })
    await store.put('work-5', { body: 5, dueMs: 3_600_000 })
    await should(store.add('work-6', { body: 6, dueMs: 3_600_000 })).be.rejectedWith({ code: 'EID_CONFIG' })
    should(await ids()).deepEqual(['work-1', 'work-2', 'work-3', 'work-4', 'work-5'])
    // Existing work can still be updated.
    await store.put('work-5', { body: 55, dueMs: 3_600_000 })
  })

  it('does not return items that a newer version has written, and leaves them in place', async () => {
    const newer = await openStore({ version: 2 })
    await newer.put('work', { body: 'two', dueMs: 0 })
    const older = await reopen({ version: 1 })
    should(await older.claim(1)).deepEqual([])
    should(await older.get('work')).be.undefined()
    should(await older.list()).deepEqual([])
    should(await older.add('work', { body: 'mine' })).be.false()
    await older.put('old', { body: 'one', dueMs: 0 })
    const again = await reopen({ version: 2 })
    const claims = await claimed(again, 2)
    should(claims.map(({ id, version }) => [id, version]).sort()).deepEqual([
      ['old', 1],
      ['work', 2],
    ])
  })

  it('loses no item to another one that can not be read', async () => {
    const store = await openStore()
    for (let n = 0; n < 10; n++) await store.put(`work-${n}`, { body: n, dueMs: 0 })
    await closeAll()
    await way.corrupt(place(), 'work-3')
    const troubles: string[] = []
    const later = await openStore({ troubles: troubles as never[] })
    const claims = await claimed(later, 9)
    should(claims.map(({ body }) => body).sort()).deepEqual([0, 1, 2, 4, 5, 6, 7, 8, 9])
    should(await later.get('work-3')).be.undefined()
    should(troubles).deepEqual(['unreadable'])
  })

  it('lists without the bodies, page by page, in the order in which the items came', async () => {
    const store = await openStore()
    for (let n = 0; n < 7; n++) await store.put(`row-${n}`, { body: 'x'.repeat(100), summary: { n } })
    await store.put('row-2', { body: 'new', summary: { n: 'two' } })
    const later = await reopen()
    const first = await later.list({ limit: 5 })
    // The last item of a page may be gone when the next page is requested.
    await later.remove('row-4')
    const second = await later.list({ limit: 5, after: first.at(-1)?.position })
    should([...first, ...second].map(({ summary }) => (summary as { n: unknown }).n)).deepEqual([
      0,
      1,
      'two',
      3,
      4,
      5,
      6,
    ])
    should(first[0]).not.have.property('body')
  })

  it('belongs to one node and one purpose', async () => {
    const mine = await openStore()
    const other = await openStore({ node: 'other' })
    const kind = await openStore({ kind: 'pages' })
    for (const [n, store] of [mine, other, kind].entries()) await store.put('same', { body: n, dueMs: 0 })
    for (const [n, store] of [mine, other, kind].entries()) should((await store.get('same'))?.body).equal(n)
    await mine.clear()
    should([await mine.count(), await other.count(), await kind.count()]).deepEqual([0, 1, 1])
    should(await claimed(other, 1)).have.length(1)
    await mine.put('after', { body: 1 })
    should((await (await reopen()).list()).map(({ id }) => id)).deepEqual(['after'])
  })
}
