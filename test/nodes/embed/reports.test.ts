/** What pages report about their end, with a store that fails from time to time. */
import should from 'should'
import type { Store } from '../../../lib/store/store'
import type { Verdict } from '../../../nodes/embed/confirmation'
import type { Page } from '../../../nodes/embed/pages'
import { createReports, type Reports } from '../../../nodes/embed/reports'
import { until, untilCount } from '../../support/time'
import { storeOf } from '../../support/stores'

const clock = { now: () => performance.now() }
const page: Page = {
  kind: 'document',
  url: 'https://sign.example.com/1',
  origins: [],
  language: '',
  message: {},
  done: false,
  documentId: 'd1',
}
const message = { kind: 'document', type: 'sign_success', claimed: undefined } as const
const verdict = { confirmed: true, status: 'signed' } as Verdict

describe('the end that a page reports', () => {
  let reports: Reports | undefined
  afterEach(async () => void (await reports?.close()))

  /** The first two attempts to complete an item fail, as while a database is down. */
  const start = (ask: () => Promise<Verdict>, isFirst = true) => {
    const store = storeOf({ kind: 'ends' })
    const seen = { told: [] as boolean[], failures: [] as unknown[], finished: 0, failing: 2 }
    const shaky: Store = new Proxy(store, {
      get(target, name) {
        const own = Reflect.get(target, name) as ((...all: unknown[]) => Promise<unknown>) | number
        if (typeof own !== 'function') return own
        if (name !== 'complete') return own.bind(target)
        return (...all: unknown[]) => (seen.failing-- > 0 ? Promise.reject(new Error('away')) : own.apply(target, all))
      },
    })
    const pages = {
      isDone: () => Promise.resolve(false),
      isFirst: () => Promise.resolve(isFirst),
      finish: () => Promise.resolve(),
    }
    reports = createReports({
      store: shaky,
      pages,
      clock,
      ask,
      tell: (_report, _verdict, redelivered) => void seen.told.push(redelivered),
      finished: () => Promise.resolve(void seen.finished++),
      failed: (error, report) => void (report && seen.failures.push(error)),
    })
    reports.start()
    return { store, seen, reports }
  }

  it('comes out once when the store cannot record at once that it did', async () => {
    const { store, seen, reports: own } = start(() => Promise.resolve(verdict))
    ;(await own.keep({ id: 'p1', page, message }))()
    await until(async () => (await store.count()) === 0)
    should(seen.told).deepEqual([false])
    should(seen.finished).equal(1)
    // A later report counts as a new one.
    ;(await own.keep({ id: 'p1', page, message }))()
    await untilCount(() => seen.told.length, 2)
    should(seen.told).deepEqual([false, false])
  })

  it('comes out a moment later, as redelivered, if the Node-RED that got it first was killed', async () => {
    let asked = 0
    const { store, seen, reports: own } = start(() => (asked++, Promise.resolve(verdict)), false)
    ;(await own.keep({ id: 'p1', page, message }))()
    await until(async () => (await store.count()) === 0)
    should(seen.told).deepEqual([true])
    // The first answer was left to the other Node-RED.
    should(asked).equal(2)
  })

  it('comes out with a mark if it came out just before a kill, also when the page reports it again', async () => {
    const { store, seen, reports: own } = start(() => new Promise(() => undefined))
    seen.failing = 0
    await own.keep({ id: 'p1', page, message })
    // As far as a process gets that is killed just after the message left.
    await store.makeDue(['page/p1/sign_success'])
    await own.close()
    const [claim] = await until(async () => {
      await store.makeDue(['page/p1/sign_success'])
      const claims = await store.claim(1, { markedDelivered: true })
      return claims.length > 0 && claims
    })
    await store.returnClaims(claim ? [claim] : [])
    ;(await own.keep({ id: 'p1', page, message }))()
    should((await store.claim(1))[0]?.deliveryCount).equal(1)
  })

  it('fails once', async () => {
    const { store, seen, reports: own } = start(() => Promise.reject(new Error('refused')))
    ;(await own.keep({ id: 'p1', page, message }))()
    await until(async () => (await store.count()) === 0)
    should(seen.failures).have.length(1)
    should(seen.told).be.empty()
  })
})
