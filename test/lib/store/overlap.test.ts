/** A store in this process, called again while it still writes or reads: nothing is lost, doubled or revived. */
import should from 'should'
import type { Clock } from '../../../lib/store/clock'
import { nameOf } from '../../../lib/store/item-name'
import { LocalStore } from '../../../lib/store/local/local'
import type { TextLog } from '../../../lib/store/local/text-log'
import type { Claim, StoreOptions } from '../../../lib/store/store'
import { simulateTime, type SimulatedTime } from '../../support/simulated-time'
import { turn } from '../../support/time'

const fault = (code: string) => Object.assign(new Error(code), { code, syscall: 'open' })
const unwritten = { code: 'EID_CONFIG', text: { key: 'config.storeUnwritten' } }

describe('a store in this process that is called while it works', () => {
  let texts: Map<string, string>
  let events: string[]
  /** If true, nothing can be written. */
  let full: boolean
  /** Ends each write that waits, if writes are held. */
  let held: ((outcome: 'written' | 'failed') => void)[] | undefined
  /** Texts that contain this word can't be read. */
  let unreadable: string | undefined
  /** Each read of one text waits for this. */
  let slowRead: Promise<void>
  const open: LocalStore[] = []
  const clock: Clock = { now: () => 1_000, epochNow: () => 9e9, uptime: () => 5e9 }
  const options: StoreOptions = { kind: 'items', onStoreEvent: (event) => void events.push(event) }
  const isShut = (text: string) => unreadable !== undefined && text.includes(unreadable)
  const log: TextLog = {
    load(found, damaged) {
      const late = new Map<string, unknown>()
      for (const [name, text] of texts) {
        try {
          if (isShut(text)) late.set(name, fault('EMFILE'))
          else found(name, text)
        } catch (error) {
          damaged(error)
        }
      }
      return Promise.resolve(late)
    },
    async read(name) {
      const text = texts.get(name) ?? ''
      await slowRead
      if (isShut(text)) throw fault('EMFILE')
      return text
    },
    async write(changes) {
      const waiting = held
      const outcome = waiting && (await new Promise<string>((resolve) => waiting.push(resolve)))
      if (full || outcome === 'failed') return new Map([...changes.keys()].map((name) => [name, fault('ENOSPC')]))
      for (const [name, text] of changes) {
        if (text === undefined) texts.delete(name)
        else texts.set(name, text)
      }
      return new Map()
    },
    clear: () => Promise.resolve(texts.clear()),
    flush: () => Promise.resolve(),
  }
  const start = () => {
    const store = new LocalStore(options, log, clock)
    open.push(store)
    return store
  }
  const bodyOf = async (store: LocalStore, id = 'one') => (await store.get(id))?.body
  const claimOne = async (store: LocalStore) => {
    const [claim] = await store.claim(1)
    should(claim).be.ok()
    return claim as Claim
  }
  /** Ends the oldest write that is held, and waits until its callers know the outcome. */
  const endWrite = async (outcome: 'written' | 'failed') => {
    const [one] = held?.splice(0, 1) ?? []
    should(one).be.ok()
    one?.(outcome)
    await turn()
  }
  beforeEach(() => {
    texts = new Map()
    ;[events, full, held, unreadable, slowRead] = [[], false, undefined, undefined, Promise.resolve()]
  })
  afterEach(async () => {
    const waiting = held ?? []
    held = undefined
    for (const end of waiting) end('written')
    await Promise.all(open.splice(0).map((store) => store.close()))
  })

  describe('with puts of the same item', () => {
    it('leaves an item that an earlier process stored as it was if it cannot be replaced', async () => {
      await start().put('one', { body: 'old' })
      const store = start()
      full = true
      await should(store.put('one', { body: 'new' })).be.rejectedWith(unwritten)
      should(await bodyOf(store)).equal('old')
    })

    it('does not bring back what was removed before a put that fails', async () => {
      const store = start()
      await store.put('one', { body: 'old' })
      await store.remove('one')
      full = true
      await should(store.put('one', { body: 'new' })).be.rejectedWith(unwritten)
      should([await bodyOf(store), await store.count()]).deepEqual([undefined, 0])
      should(events).deepEqual(['unwritten'])
    })

    it('does not bring back what is removed during a put that fails', async () => {
      const store = start()
      await store.put('one', { body: 'old' })
      held = []
      const put = store.put('one', { body: 'new' })
      await turn()
      const removal = store.remove('one')
      const refused = should(put).be.rejectedWith(unwritten)
      await endWrite('failed')
      await refused
      should([await bodyOf(store), await store.count()]).deepEqual([undefined, 0])
      await endWrite('written')
      should(await removal).be.true()
      should(texts.size).equal(0)
    })

    it('has the newer version although the older one could not be written', async () => {
      const store = start()
      await store.put('one', { body: 'old' })
      held = []
      const refused = should(store.put('one', { body: 'new' })).be.rejectedWith(unwritten)
      await turn()
      const newest = store.put('one', { body: 'newest' })
      await turn()
      await endWrite('failed')
      await refused
      should(await bodyOf(store)).equal('newest')
      await endWrite('written')
      await newest
      held = undefined
      should([await bodyOf(store), await bodyOf(start())]).deepEqual(['newest', 'newest'])
    })

    it('goes back to the last version that was written, not to one that never was', async () => {
      const store = start()
      await store.put('one', { body: 'first' })
      held = []
      const second = store.put('one', { body: 'second' })
      await turn()
      const third = should(store.put('one', { body: 'third' })).be.rejectedWith(unwritten)
      await endWrite('written')
      await second
      const fourth = should(store.put('one', { body: 'fourth' })).be.rejectedWith(unwritten)
      await endWrite('failed')
      await third
      await endWrite('failed')
      await fourth
      should(await bodyOf(store)).equal('second')
    })

    it('gives work that was put twice to one worker', async () => {
      const store = start()
      held = []
      const puts = [store.put('one', { body: 'first', dueMs: 0 })]
      await turn()
      puts.push(store.put('one', { body: 'second', dueMs: 0 }))
      await endWrite('written')
      await endWrite('written')
      await Promise.all(puts)
      should((await store.claim(5)).map(({ body }) => body)).deepEqual(['second'])
    })
  })

  it('says that an item was already there only when it is stored', async () => {
    const store = start()
    held = []
    const first = store.add('one', { body: 1 })
    let answer: boolean | undefined
    const second = store.add('one', { body: 2 }).then((isNew) => (answer = isNew))
    await turn()
    should(answer).be.undefined()
    await endWrite('written')
    should([await first, await second]).deepEqual([true, false])
    const refused = [store.add('two', { body: 1 }), store.add('two', { body: 2 })].map((one) =>
      should(one).be.rejectedWith(unwritten),
    )
    await turn()
    await endWrite('failed')
    await Promise.all(refused)
  })

  it('stores the body of work whose claim ends with a deploy while a delivery waits to be written', async () => {
    const store = start()
    await store.put('one', { body: 'as it was', dueMs: 0 })
    const claim = await claimOne(store)
    held = []
    const other = store.put('two', { body: 2 })
    await turn()
    const marking = store.markDelivered(claim)
    store.reopen(options)
    await endWrite('written')
    await endWrite('written')
    await Promise.all([other, marking])
    should(await start().get('one')).match({ body: 'as it was', deliveryCount: 1 })
  })

  it('can end a claim although the text of its item cannot be read at the moment', async () => {
    const store = start()
    await store.put('one', { body: 'secret', dueMs: 0 })
    const claim = await claimOne(store)
    unreadable = 'secret'
    should(await store.markDelivered(claim)).be.true()
    should(await store.reschedule(claim, 0, { summary: 'again' })).be.true()
    unreadable = undefined
    should(await start().get('one')).match({ body: 'secret', summary: 'again', deliveryCount: 1 })
  })

  it('is flushed when all that was changed is stored', async () => {
    const store = start()
    held = []
    const put = store.put('one', { body: 1 })
    await turn()
    let isFlushed = false
    const flushing = store.flush().then(() => (isFlushed = true))
    await turn()
    should(isFlushed).be.false()
    await endWrite('written')
    await Promise.all([put, flushing])
    should(texts.size).equal(1)
  })

  it('has nothing after it is cleared, not even an item that was being written', async () => {
    const store = start()
    await store.put('one', { body: 1 })
    held = []
    const puts = [store.put('two', { body: 2 })]
    await turn()
    puts.push(store.put('three', { body: 3 }))
    await turn()
    const clearing = store.clear()
    await endWrite('written')
    await Promise.all([...puts, clearing])
    held = undefined
    should([await store.count(), texts.size]).deepEqual([0, 0])
  })

  it('leaves the text of a damaged item as it is', async () => {
    const store = start()
    await store.put('one', { body: 'first' })
    const damaged = texts.get(nameOf('one'))?.replace('first', 'worst') ?? ''
    texts.set(nameOf('one'), damaged)
    await store.increment('one')
    should(texts.get(nameOf('one'))).equal(damaged)
    should(events).deepEqual(['unreadable'])
  })

  it('reports damaged items once, and never the texts of a later version or of a test of the disk', async () => {
    texts = new Map([
      ['probe', 'probe'],
      [nameOf('later'), '{"v":2}\n'],
    ])
    should(await start().count()).equal(0)
    should(events).deepEqual([])
    for (const id of ['one', 'two']) texts.set(nameOf(id), 'torn')
    should(await start().count()).equal(0)
    should(events).deepEqual(['unreadable'])
    should(texts.size).equal(4)
  })

  describe('and reads some items late', () => {
    let time: SimulatedTime
    beforeEach(() => (time = simulateTime()))
    afterEach(() => time.end())

    it('does not have those of a later version', async () => {
      texts.set(nameOf('later'), '{"v":2}\nlocked')
      unreadable = 'locked'
      const store = start()
      await should(store.list()).be.rejectedWith({ text: { key: 'config.storeUnread' } })
      unreadable = undefined
      await time.pass(5_000)
      should([await store.list(), await store.count()]).deepEqual([[], 0])
      should(events).deepEqual(['unread', 'back'])
    })

    it('has none of them after it is cleared, even if one was being read', async () => {
      await start().put('one', { body: 'locked' })
      unreadable = 'locked'
      const store = start()
      await should(store.list()).be.rejectedWith({ text: { key: 'config.storeUnread' } })
      unreadable = undefined
      let read = () => {}
      slowRead = new Promise((resolve) => (read = resolve))
      await time.pass(5_000)
      await store.clear()
      should([await store.list(), await bodyOf(store)]).deepEqual([[], undefined])
      read()
      await time.pass(5_000)
      should(await store.list()).deepEqual([])
    })
  })
})
