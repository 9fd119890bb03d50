/** A store in this process whose texts sometimes can't be written or read, or only slowly: what it still guarantees. */
import should from 'should'
import type { Clock } from '../../../lib/store/clock'
import { LocalStore } from '../../../lib/store/local/local'
import { OwnedElsewhere } from '../../../lib/store/local/sole-owner'
import type { TextLog } from '../../../lib/store/local/text-log'
import { nameOf } from '../../../lib/store/item-name'
import { EidError } from '../../../lib/api/errors/errors'
import type { Claim, StoreOptions } from '../../../lib/store/store'
import { simulateTime, type SimulatedTime } from '../../support/simulated-time'
import { turn } from '../../support/time'

const fault = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' })
const unwritten = { code: 'EID_CONFIG', text: { key: 'config.storeUnwritten' } }
const unread = { code: 'EID_CONFIG', text: { key: 'config.storeUnread' } }

describe('a store in this process', () => {
  let texts: Map<string, string>
  /** If true, nothing can be written. */
  let full: boolean
  /** Texts that contain one of these words can't be read. */
  let unreadable: string[]
  /** Each write waits for this. */
  let slow: Promise<void>
  let time: number
  /** The error with which reading fails at the start. */
  let unloaded: Error | undefined
  /** The reported events, with their reasons. */
  let events: unknown[][]
  const open: LocalStore[] = []
  const clock: Clock = { now: () => time, epochNow: () => 9e9 + time, uptime: () => 5e9 + time }
  const options = (more: Partial<StoreOptions> = {}): StoreOptions => ({
    kind: 'items',
    onStoreEvent: (event, error) => void events.push([event, ...(error instanceof EidError ? [error.text] : [])]),
    ...more,
  })
  const log: TextLog = {
    load(found, damaged) {
      if (unloaded) return Promise.reject(unloaded)
      const late = new Map<string, unknown>()
      for (const [name, text] of texts) {
        try {
          if (unreadable.some((word) => text.includes(word))) late.set(name, fault('EMFILE'))
          else found(name, text)
        } catch (error) {
          damaged(error)
        }
      }
      return Promise.resolve(late)
    },
    read(name) {
      const text = texts.get(name) ?? ''
      return unreadable.some((word) => text.includes(word)) ? Promise.reject(fault('EMFILE')) : Promise.resolve(text)
    },
    async write(changes) {
      await slow
      if (full) return new Map([...changes.keys()].map((name) => [name, fault('ENOSPC')]))
      for (const [name, text] of changes) {
        if (text === undefined) texts.delete(name)
        else texts.set(name, text)
      }
      return new Map()
    },
    clear: () => Promise.resolve(texts.clear()),
    flush: () => Promise.resolve(),
  }
  const start = (more: Partial<StoreOptions> = {}) => {
    const store = new LocalStore(options(more), log, clock)
    open.push(store)
    return store
  }
  const claimOne = async (store: LocalStore) => {
    const [claim] = await store.claim(1)
    should(claim).be.ok()
    return claim as Claim
  }
  /** Delays all writes until the returned function is called. */
  const holdWrites = () => {
    let release = () => {}
    slow = new Promise((resolve) => (release = resolve))
    return release
  }
  beforeEach(() => {
    texts = new Map()
    ;[full, unreadable, slow, time, unloaded, events] = [false, [], Promise.resolve(), 1_000, undefined, []]
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()))
  })

  describe('that cannot write', () => {
    it('refuses a new item, and has nothing of it', async () => {
      const store = start()
      full = true
      await should(store.put('one', { body: 1, dueMs: 0 })).be.rejectedWith(unwritten)
      should([await store.count(), await store.get('one')]).deepEqual([0, undefined])
    })

    it('leaves the item that was to be replaced as it was, as often as that is tried', async () => {
      const store = start()
      await store.put('one', { body: 'old', dueMs: 0 })
      full = true
      const puts = ['new', 'newer'].map((body) => store.put('one', { body, dueMs: 0 }))
      for (const put of puts) await should(put).be.rejectedWith(unwritten)
      await should(store.put('one', { body: 'newest' })).be.rejectedWith(unwritten)
      should((await store.get('one'))?.body).equal('old')
      await should(store.claim(1)).be.rejectedWith(unwritten)
      full = false
      await store.put('two', { body: 2 })
      should((await claimOne(store)).body).equal('old')
    })

    it('counts no delivery that it could not record', async () => {
      const store = start()
      await store.put('one', { body: 1, dueMs: 0 })
      const claim = await claimOne(store)
      full = true
      await should(store.markDelivered(claim)).be.rejectedWith(unwritten)
      should((await store.get('one'))?.deliveryCount).equal(0)
      full = false
      should(await store.markDelivered(claim)).be.true()
      should((await store.get('one'))?.deliveryCount).equal(1)
    })
  })

  describe('that writes slowly', () => {
    it('gives no one an item that is being written, not even after a deploy', async () => {
      const store = start()
      const write = holdWrites()
      const put = store.put('one', { body: 1, dueMs: 0 })
      await turn()
      should(await store.claim(1)).deepEqual([])
      store.reopen(options())
      should(await store.claim(1)).deepEqual([])
      write()
      await put
      should((await claimOne(store)).body).equal(1)
    })

    it('says that a delivery is not ours if the claim ended while it was recorded', async () => {
      const store = start()
      await store.put('one', { body: 1, dueMs: 0 })
      const claim = await claimOne(store)
      const write = holdWrites()
      const marking = store.markDelivered(claim)
      const completing = store.complete(claim)
      write()
      should([await marking, await completing]).deepEqual([false, true])
    })
  })

  describe('that cannot read', () => {
    const filled = async () => {
      const store = start()
      await store.put('a', { body: 'first', dueMs: 0 })
      await store.put('b', { body: 'second', dueMs: 0 })
      return store
    }

    it('gives the work that can be read, and the rest two seconds later', async () => {
      const store = await filled()
      unreadable = ['first']
      should((await store.claim(5)).map(({ id }) => id)).deepEqual(['b'])
      unreadable = []
      time += 1_999
      should(await store.claim(5)).deepEqual([])
      time += 1
      should((await store.claim(5)).map(({ id }) => id)).deepEqual(['a'])
    })

    it('rejects when no due work can be read, and loses none of it', async () => {
      const store = await filled()
      unreadable = ['first', 'second']
      await should(store.claim(5)).be.rejectedWith(unread)
      await should(store.get('a')).be.rejectedWith(unread)
      unreadable = []
      time += 2_000
      should((await store.claim(5)).map(({ id }) => id)).deepEqual(['a', 'b'])
    })

    it('leaves out an item whose text is damaged, and gives the others', async () => {
      const store = await filled()
      for (const [name, text] of texts) texts.set(name, text.replace('first', 'worst'))
      should((await store.claim(5)).map(({ id }) => id)).deepEqual(['b'])
      should((await store.list()).map(({ id }) => id)).deepEqual(['b'])
    })
  })

  describe('that can be written or read again', () => {
    let simulated: SimulatedTime
    beforeEach(() => (simulated = simulateTime()))
    afterEach(() => simulated.end())
    const says = (key: string, params: object) => ({ key: `config.${key}`, params })

    it('reports once that nothing can be written, and once that it can, two seconds later', async () => {
      const store = start()
      await store.put('old', { body: 'old' })
      full = true
      for (const id of ['one', 'old']) await should(store.put(id, { body: 1 })).be.rejectedWith(unwritten)
      await simulated.pass(4_000)
      should(events).deepEqual([['unwritten', says('storeUnwritten', { reason: 'ENOSPC' })]])
      full = false
      await simulated.pass(2_000)
      should(events.slice(1)).deepEqual([['back']])
      await store.close()
      should((await start().list()).map(({ id }) => id)).deepEqual(['old'])
    })

    it('refuses everything until it can be read at all, and says why', async () => {
      texts.set('unknown', 'torn')
      unloaded = fault('EACCES')
      const store = start()
      await should(store.put('one', { body: 1 })).be.rejectedWith(unread)
      unloaded = new OwnedElsewhere('Node-RED at port 1880')
      await simulated.pass(2_000)
      await should(store.count()).be.rejectedWith(unread)
      unloaded = undefined
      await simulated.pass(2_000)
      should(await store.count()).equal(0)
      should(events.map(([event]) => event)).deepEqual(['unread', 'unreadable', 'back'])
      should(events[0]?.[1]).deepEqual(says('storeUnread', { reason: 'EACCES' }))
      unloaded = new OwnedElsewhere('Node-RED at port 1880')
      await should(start().count()).be.rejectedWith({ text: says('storeOwned', { process: 'Node-RED at port 1880' }) })
    })

    it('has all but the items that cannot be read yet, and those five seconds after they can', async () => {
      const before = start()
      for (const id of ['a', 'b', 'c']) await before.put(id, { body: `body of ${id}`, dueMs: 0 })
      await before.close()
      unreadable = ['body of a', 'body of b']
      const store = start()
      should((await store.get('c'))?.body).equal('body of c')
      for (const call of [store.get('a'), store.put('a', { body: 1 }), store.list()]) {
        await should(call).be.rejectedWith(unread)
      }
      should(await store.get('d')).be.undefined()
      unreadable = ['body of b']
      await simulated.pass(5_000)
      should((await store.get('a'))?.body).equal('body of a')
      await should(store.list()).be.rejectedWith(unread)
      should(events).deepEqual([['unread', says('storeUnread', { reason: 'EMFILE' })]])
      unreadable = []
      texts.set(nameOf('b'), 'torn')
      await simulated.pass(5_000)
      should((await store.list()).map(({ id }) => id)).deepEqual(['a', 'c'])
      should(events.slice(1).map(([event]) => event)).deepEqual(['unreadable', 'back'])
      await store.put('d', { body: 4 })
      should((await store.list()).map(({ id }) => id)).deepEqual(['a', 'c', 'd'])
    })
  })

  it('gives claims back with a deploy, and has work again for those that wait', async () => {
    const store = start()
    await store.put('one', { body: 1, dueMs: 0 })
    const lost = await claimOne(store)
    const ready = store.ready(new AbortController().signal)
    store.reopen(options())
    await ready
    should(await store.complete(lost)).be.false()
    should((await claimOne(store)).deliveryCount).equal(0)
  })

  it('wakes those that wait when work is put back that is due first', async () => {
    const store = start()
    await store.put('one', { body: 1, dueMs: 0 })
    const claim = await claimOne(store)
    const ready = store.ready(new AbortController().signal)
    await turn()
    await store.reschedule(claim, 0)
    await ready
    should((await claimOne(store)).id).equal('one')
  })

  it('keeps the version of a body that is not written again', async () => {
    await start().put('one', { body: 1, dueMs: 0 })
    const store = start({ version: 2 })
    await store.reschedule(await claimOne(store), 0, { summary: 's' })
    should(await store.get('one')).match({ version: 1, body: 1, summary: 's' })
    await store.reschedule(await claimOne(store), 0, { body: 2 })
    should(await store.get('one')).match({ version: 2, body: 2 })
    await store.complete(await claimOne(store), { body: 'rest' })
    should(await store.get('one')).match({ body: 'rest' })
    should(await store.claim(1)).deepEqual([])
  })

  it('makes only work due, not other items about the subject', async () => {
    const store = start()
    await store.put('note', { body: 1, subject: 's' })
    await store.put('far', { body: 2, subject: 's', dueMs: 5_000 })
    await store.put('soon', { body: 3, subject: 's', dueMs: 0 })
    time += 10
    await store.makeDue(['s'])
    // This item was due earlier, so it stays first.
    should((await store.claim(5)).map(({ id }) => id)).deepEqual(['soon', 'far'])
  })
})
