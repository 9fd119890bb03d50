/**
 * The worker of a store: handles a limited number of items at once, completes each once, and returns its claims when it
 * stops.
 */
import should from 'should'
import { isDeliveredTooOften, maxDeliveries, type Claim, type Store } from '../../../lib/store/store'
import { startWorker, type Worker } from '../../../lib/store/worker'
import { simulateTime, type SimulatedTime } from '../../support/simulated-time'
import { turn, until, untilCount } from '../../support/time'
import { storeOf } from '../../support/stores'

describe('a worker in simulated time', () => {
  let time: SimulatedTime
  let store: Store
  let worker: Worker | undefined
  let failures: string[]
  /** The limits with which the worker has asked for work, and whether it counts as delivered. */
  let asked: unknown[][]
  /** How many claims were renewed, and which were returned. */
  let renewed: number[]
  let returned: string[]
  /** The work in progress, keyed by id. */
  let running: Map<string, { end(): void; fail(): void; signal: AbortSignal }>
  const start = (parallel: number, markedDelivered?: boolean) => {
    worker = startWorker({
      store,
      parallel,
      ...(markedDelivered !== undefined && { markedDelivered }),
      failed: (error) => void failures.push((error as Error).message),
      work: ({ id }, signal) =>
        new Promise<void>((end, reject) => {
          running.set(id, { end, fail: () => reject(new Error(`failed: ${id}`)), signal })
        }).finally(() => running.delete(id)),
    })
    return worker
  }
  const put = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => store.put(`work-${n}`, { body: n, dueMs: 0 })))
  const taskOf = (n: number) => {
    const task = running.get(`work-${n}`)
    if (!task) throw new Error(`no work-${n}`)
    return task
  }
  beforeEach(() => {
    time = simulateTime()
    store = storeOf({ kind: 'items', leaseMs: 1_500 }, time)
    ;[failures, asked, renewed, returned] = [[], [], [], []]
    running = new Map()
    const claim = store.claim.bind(store)
    const renew = store.renew.bind(store)
    const giveBack = store.returnClaims.bind(store)
    store.claim = (limit, options) => {
      asked.push([limit, options?.markedDelivered])
      return claim(limit, options)
    }
    store.renew = (claims) => {
      renewed.push(claims.length)
      return renew(claims)
    }
    store.returnClaims = (claims) => {
      returned.push(...claims.map(({ id }) => id))
      return giveBack(claims)
    }
  })
  afterEach(async () => {
    const stopping = worker?.stop()
    for (const { end } of running.values()) end()
    await time.pass(10)
    for (const { end } of running.values()) end()
    await stopping
    await store.close()
    time.end()
  })

  it('sends nothing from the moment in which its node begins to close', async () => {
    const closing = new AbortController()
    store = Object.assign(store, { closing: closing.signal })
    await put(2)
    start(1)
    await time.pass(10)
    const { signal, end } = taskOf(0)
    closing.abort()
    should(signal.aborted).be.true()
    end()
    await time.pass(10)
    should(asked).have.length(1)
    should(returned).deepEqual(['work-0'])
  })

  it('asks again only when an eighth of its places is free', async () => {
    await put(18)
    start(16)
    await time.pass(10)
    should(running.size).equal(16)
    taskOf(0).end()
    await time.pass(10)
    should(asked).deepEqual([[16, false]])
    taskOf(1).end()
    await time.pass(10)
    should(asked).deepEqual([
      [16, false],
      [2, false],
    ])
    should([running.size, running.has('work-17')]).deepEqual([16, true])
    should(returned).deepEqual([])
  })

  it('does not ask while nothing is due, and asks at once when something is', async () => {
    start(2, true)
    await time.pass(10)
    asked = []
    await time.pass(50_000)
    should(asked).deepEqual([])
    await put(1)
    await time.pass(10)
    should(running.size).equal(1)
    should(asked).deepEqual([
      [2, true],
      [1, true],
    ])
  })

  it('renews its claims three times per lease, and stops only the work whose claim is lost', async () => {
    await put(2)
    start(2)
    await time.pass(1_500, 100)
    should(renewed).deepEqual([2, 2, 2])
    await store.remove('work-0')
    await time.pass(500, 100)
    should([0, 1].map((n) => taskOf(n).signal.aborted)).deepEqual([true, false])
    for (const n of [0, 1]) taskOf(n).end()
    await store.clear()
    await time.pass(1_500, 100)
    should(renewed).have.length(4)
  })

  it('tries failed work again after two seconds', async () => {
    await put(1)
    start(1)
    await time.pass(10)
    taskOf(0).fail()
    await time.pass(1_990, 10)
    should([failures, running.size]).deepEqual([['failed: work-0'], 0])
    await time.pass(20, 10)
    should(running.size).equal(1)
    store.reschedule = () => Promise.reject(new Error('not written'))
    taskOf(0).fail()
    await time.pass(10)
    should(failures.slice(1)).deepEqual(['failed: work-0', 'not written'])
  })

  it('asks a store that fails again after two seconds, and can be stopped meanwhile', async () => {
    let times = 0
    store.claim = () => Promise.reject(new Error(`closed ${++times}`))
    const one = start(1)
    await time.pass(1_990, 10)
    should(failures).deepEqual(['closed 1'])
    await time.pass(20, 10)
    should(failures).deepEqual(['closed 1', 'closed 2'])
    await one.stop()
    await time.pass(5_000)
    should(times).equal(2)
  })

  it('reports that claims could not be renewed', async () => {
    await put(1)
    start(1)
    await time.pass(10)
    store.renew = () => Promise.reject(new Error('not renewed'))
    await time.pass(500, 100)
    should(failures).deepEqual(['not renewed'])
    should(taskOf(0).signal.aborted).be.false()
  })

  it('has stopped when all its work has ended and is returned, also what it gets at this moment', async () => {
    await put(2)
    let give = () => {}
    const held = new Promise<void>((resolve) => (give = resolve))
    const claim = store.claim.bind(store)
    store.claim = async (_limit, options) => {
      const claims = await claim(1, options)
      if (asked.length > 1) await held
      return claims
    }
    const one = start(2)
    await time.pass(10)
    let isStopped = false
    const stopping = one.stop().then(() => (isStopped = true))
    give()
    await time.pass(10)
    should([0, 1].map((n) => taskOf(n).signal.aborted)).deepEqual([true, true])
    taskOf(0).end()
    await time.pass(10)
    should(isStopped).be.false()
    taskOf(1).end()
    await stopping
    should(returned).deepEqual(['work-0', 'work-1'])
    const before = [asked.length, renewed.length]
    await time.pass(60_000)
    should([asked.length, renewed.length]).deepEqual(before)
  })
})

describe('a worker', () => {
  let store: Store
  let worker: Worker | undefined
  const failures: unknown[] = []
  const failed = (error: unknown) => void failures.push(error)
  beforeEach(() => {
    // Long enough for a busy machine to renew the lease in time.
    store = storeOf({ kind: 'items', leaseMs: 1_500 })
    failures.length = 0
  })
  afterEach(async () => {
    await worker?.stop()
    await store.close()
  })

  it('works on due items, a limited number at a time, and again when they are due again', async () => {
    let now = 0
    let peak = 0
    const times = new Map<string, number>()
    worker = startWorker({
      store,
      parallel: 3,
      failed,
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
      store,
      parallel: 1,
      failed,
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
    await store.close()
    store = storeOf({ kind: 'items', leaseMs: 20 })
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
      store,
      parallel: 2,
      failed,
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
      store,
      parallel: 2,
      failed,
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
