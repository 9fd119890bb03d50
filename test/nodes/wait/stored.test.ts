/**
 * What "wait" stores and reads back: each message separately, with a check; and what happens to messages that can't be
 * stored or sent on.
 */
import should from 'should'
import { systemClock } from '../../../lib/store/clock'
import { defaultPauses } from '../../../nodes/wait/pauses'
import { createPoller, type Poller, type PollerOptions } from '../../../nodes/wait/poller'
import { createWaits } from '../../../nodes/wait/waits'
import { readWait, storedWait } from '../../../nodes/wait/stored-wait'
import node from '../../../nodes/wait/wait'
import { until, untilCount } from '../../support/time'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { identify, type Parties } from '../../support/parties'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'
import { storeOf } from '../../support/stores'
import type { Store } from '../../../lib/store/store'

const nested = (levels: number) => {
  let deep: object = {}
  for (let level = 0; level < levels; level++) deep = { deep }
  return deep
}

/** A member of an object; methods are bound to it. */
const bound = (of: object, name: string | symbol): unknown => {
  const value: unknown = Reflect.get(of, name, of)
  return typeof value === 'function' ? (value.bind(of) as unknown) : value
}

describe('wait, and what it keeps', () => {
  const store = () => storeOf({ kind: 'waits' })
  const storedWait = (more: object = {}) => ({
    what: 'document',
    resourceId: 'doc',
    pauseMs: 50,
    maxPauseMs: 100,
    msg: { note: 'kept' },
    ...more,
  })
  let poller: Poller | undefined
  const poll = (options: Partial<PollerOptions> & Pick<PollerOptions, 'store'>) => {
    const ended: string[] = []
    const unreadable: unknown[] = []
    const failures: unknown[] = []
    const clock = systemClock
    const failed = (error: unknown) => void failures.push(error)
    const waits = createWaits({
      store: options.store,
      clock,
      failed,
      dropped: () => undefined,
      changed: () => undefined,
      heldBack: () => undefined,
      unreadable: () => void unreadable.push(true),
    })
    poller = createPoller({
      waits,
      clock,
      failed,
      ask: () =>
        Promise.resolve({ status: 'signed', outcome: 'done', answer: { status: 200, headers: {}, data: undefined } }),
      end: (id) => void ended.push(id),
      ...options,
    })
    poller.start()
    return { ended, unreadable, failures }
  }
  afterEach(() => poller?.stop())

  it('keeps a message until the next node has it', async () => {
    const own = store()
    let arrived = false
    const seen: boolean[] = []
    const complete: Store['complete'] = (...of) => (seen.push(arrived), own.complete(...of))
    await own.put('one', { body: storedWait(), dueMs: 0 })
    const watched = new Proxy(own, {
      get: (of, name) => (name === 'complete' ? complete : bound(of, name)),
    })
    // Delivers the message in a later turn, like Node-RED.
    poll({ store: watched, end: () => void setImmediate(() => (arrived = true)) })
    await until(() => seen.length > 0)
    should(seen).deepEqual([true])
  })

  it('ends all but the one that is nested too deep, and says that it cannot be read', async () => {
    const own = store()
    await own.put('one', { body: storedWait(), dueMs: 0 })
    await own.put('deep', { body: storedWait({ msg: nested(2000) }), dueMs: 0 })
    await own.put('none', { body: storedWait({ what: 'something' }), dueMs: 0 })
    await own.put('two', { body: storedWait(), dueMs: 0 })
    const { ended, unreadable } = poll({ store: own })
    await untilCount(() => ended.length, 2)
    await untilCount(() => unreadable.length, 2)
    should(ended.sort()).deepEqual(['one', 'two'])
    // An item is removed only after its wait has ended.
    const left = await until(async () => {
      const ids = (await own.list()).map(({ id }) => id)
      return ids.length === 2 && ids
    })
    should(left.sort()).deepEqual(['deep', 'none'])
  })

  it('polls no more often than allowed, whatever pause was stored', async () => {
    const own = store()
    await own.put('negative', { body: storedWait({ pauseMs: -5, maxPauseMs: -5 }), dueMs: 0 })
    const pauses: number[] = []
    const reschedule: Store['reschedule'] = (...of) => (pauses.push(of[1]), own.reschedule(...of))
    let asked = 0
    poll({
      store: new Proxy(own, { get: (of, name) => (name === 'reschedule' ? reschedule : bound(of, name)) }),
      ask: () => {
        asked++
        return Promise.resolve({ status: 'unsigned', answer: { status: 200, headers: {}, data: undefined } })
      },
    })
    await until(() => pauses.length > 0)
    should(pauses[0]).be.within(1000, defaultPauses.pauseMs)
    should(asked).equal(1)
  })

  /** A store whose database loses its answers while `isLost` returns true. */
  const losing = (own: Store, isLost: (name: string) => boolean) =>
    new Proxy(own, {
      get(of, name) {
        const method = bound(of, name)
        if (typeof method !== 'function') return method
        return async (...given: unknown[]) => {
          const result: unknown = await (method as (...given: unknown[]) => unknown)(...given)
          if (isLost(String(name))) throw new Error('the answer was lost')
          return result
        }
      },
    })

  it('removes a wait that may have been stored before its message ends with the error', async () => {
    const own = store()
    let lost = 0
    const shared = losing(own, (name) => (name === 'put' || (name === 'remove' && lost < 3) ? ++lost > 0 : false))
    const failed = () => undefined
    const waits = createWaits({
      store: shared,
      shared: true,
      clock: systemClock,
      failed,
      dropped: failed,
      changed: failed,
      unreadable: failed,
      heldBack: failed,
    })
    const { ended } = poll({ store: shared, waits })
    const wait = { ...storedWait(), what: 'document', deadline: Infinity } as const
    await should(waits.add(wait, 'c/document/doc')).be.rejectedWith('the answer was lost')
    should(await own.count()).equal(0)
    await own.put('later', { body: storedWait(), dueMs: 0 })
    await untilCount(() => ended.length, 1)
    should(ended).deepEqual(['later'])
  })

  it('counts many waits only every two seconds, because counting reads all of them', async () => {
    const own = store()
    let counts = 0
    const count: Store['count'] = () => own.count().then((found) => (counts++, found))
    const counted = new Proxy(own, { get: (of, name) => (name === 'count' ? count : bound(of, name)) })
    let now = 0
    const shown: number[] = []
    const waits = createWaits({
      store: counted,
      clock: { ...systemClock, now: () => now },
      failed: (error) => should(error).be.undefined(),
      dropped: () => undefined,
      changed: (many) => void shown.push(many),
      unreadable: () => undefined,
      heldBack: () => undefined,
    })
    for (let n = 0; n < 150; n++) {
      await waits.add({ ...storedWait(), what: 'document', deadline: Infinity }, `c/document/${n}`)
    }
    should([counts, shown.at(-1)]).deepEqual([101, 101])
    now += 2_000
    await waits.reconcile()
    should([counts, shown.at(-1)]).deepEqual([102, 150])
  })

  it('ends once when the store cannot record that it has ended', async () => {
    const own = store()
    await own.put('one', { body: storedWait(), dueMs: 0 })
    let refused = 0
    const complete: Store['complete'] = (...of) =>
      ++refused > 1 ? own.complete(...of) : Promise.reject(new Error('away'))
    const away = new Proxy(own, { get: (of, name) => (name === 'complete' ? complete : bound(of, name)) })
    const { ended } = poll({ store: away })
    await until(async () => refused > 1 && (await own.count()) === 0)
    should(ended).deepEqual(['one'])
  })

  it('sends no end into the flow that could not be stored', async () => {
    const own = store()
    await own.put('one', { body: storedWait(), dueMs: 0 })
    let refused = 0
    const markDelivered: Store['markDelivered'] = (claim) =>
      ++refused > 1 ? own.markDelivered(claim) : Promise.reject(new Error('the disk is full'))
    const full = new Proxy(own, { get: (of, name) => (name === 'markDelivered' ? markDelivered : bound(of, name)) })
    const { ended, failures } = poll({ store: full })
    await untilCount(() => refused, 1)
    should(ended).deepEqual([])
    await untilCount(() => ended.length, 1)
    should(failures).have.length(1)
    should(ended).deepEqual(['one'])
  })

  it('continues with the others when one end throws', async () => {
    const own = store()
    await own.put('bad', { body: storedWait(), dueMs: 0 })
    await own.put('good', { body: storedWait(), dueMs: 0 })
    const ended: string[] = []
    const end = (id: string) => {
      if (id === 'bad') throw new Error('a message that cannot be sent on')
      ended.push(id)
    }
    const { failures } = poll({ store: own, end })
    await untilCount(() => ended.length, 1)
    await untilCount(() => failures.length, 1)
    should(ended).deepEqual(['good'])
  })
})

describe('wait, read back after a restart', () => {
  const minute = 60_000
  const clockAt = (now: number) => ({ now: () => now, epochNow: () => 0 })
  const wait = { what: 'document', resourceId: 'doc', msg: {}, pauseMs: 50, maxPauseMs: 100 } as const

  it('keeps the rest of its own limit', () => {
    const body = storedWait({ ...wait, deadline: 30 * minute }, clockAt(20 * minute))
    // In another process, whose clock has begun at 0, four of the ten minutes have passed.
    const read = readWait({ body, ageMs: 4 * minute }, clockAt(minute))
    should(read?.deadline).equal(7 * minute)
  })

  it('is not read without the person whom it expects, because then anyone could pass', () => {
    const body = { ...(storedWait({ ...wait, deadline: Infinity }, clockAt(0)) as object), expected: { salt: 'a' } }
    should(readWait({ body, ageMs: 0 }, clockAt(0))).be.undefined()
  })

  it('has no limit when it had none', () => {
    const body = storedWait({ ...wait, deadline: Infinity }, clockAt(20 * minute))
    should(readWait({ body, ageMs: 4 * minute }, clockAt(minute))?.deadline).equal(Infinity)
  })
})

describe('wait, told to by messages', () => {
  let service: Service
  let parties: Parties
  let flow: Flow
  const start = async (settings: object = {}) => {
    const client = { baseUrl: service.url, retries: 0 }
    flow = await startFlow({ type: 'eid-wait', module: node, outputs: 3, settings, client })
  }
  const asked = async (operation: string) => (await service.requests(operation)).length

  useParties((sides) => ({ service, parties } = sides))
  afterEach(removeFlow)

  it('refuses a message that is nested too deep to be kept', async () => {
    await start()
    flow.send({ documentId: 'doc', deep: nested(300) })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message).containEql('200 levels')
    should(await asked('getDocumentStatus')).equal(0)
  })

  it('asks at once with msg.flush, for one or for all', async () => {
    const one = await parties.createDocument('flush-1')
    const two = await parties.createDocument('flush-2')
    const sees = ({ documentId }: { documentId: string }, times: number) =>
      untilCount(async () => (await service.requests('getDocument')).filter(isAbout(documentId)).length, times)
    const isAbout =
      (id: string) =>
      ({ path }: { path: string }) =>
        path.includes(id)
    await start({ pollInterval: '3600', maxInterval: '3600' })
    flow.send({ documentId: one.documentId })
    flow.send({ documentId: two.documentId })
    await Promise.all([sees(one, 1), sees(two, 1)])
    flow.send({ flush: true, documentId: one.documentId })
    await flow.completed()
    await sees(one, 2)
    flow.send({ flush: true })
    await flow.completed()
    await Promise.all([sees(one, 3), sees(two, 2)])
    should(await asked('getDocument')).equal(5)
    should(flow.waiting().out).equal(0)
  })

  it('takes waits back with msg.reset, one or all; their messages end without output', async () => {
    const documents = await Promise.all([1, 2, 3].map((number) => parties.createDocument(`reset-${number}`)))
    const [first] = documents
    await start({ pollInterval: '3600' })
    for (const { documentId } of documents) flow.send({ documentId })
    await untilCount(() => asked('getDocumentStatus'), 3)
    flow.send({ reset: true, documentId: first?.documentId })
    await untilCount(() => flow.waiting().completed, 2)
    flow.send({ reset: true })
    await untilCount(() => flow.waiting().completed, 5)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 5 })
  })

  it('waits for a session of the older version, and reports its status in the words of the newer', async () => {
    const session = await parties.call<{ Url: string; RequestId: string }>('POST', '/identification/session', {
      IdentityProvider: 'NO_EID_MOBILE',
      ReturnUrls: { Success: 'https://a.example/s', Abort: 'https://a.example/a', Error: 'https://a.example/e' },
    })
    await start({ what: 'session', pollInterval: '0.05' })
    flow.send({ sessionId: session.RequestId })
    await untilCount(() => asked('v1GetSession'), 2)
    await identify(session.Url)
    const msg = await flow.next(0)
    should(msg).have.properties({ status: 'success', sessionId: session.RequestId })
    should(msg.payload).have.property('Status', 'SUCCESS')
    // The node determines the version of the session only once.
    should(await asked('getSession')).equal(1)
  })
})
