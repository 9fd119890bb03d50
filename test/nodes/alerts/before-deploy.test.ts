/** "alerts" reports nothing that happened before it was first deployed, except what is still overdue. */
import should from 'should'
import alerts from '../../../nodes/alerts/alerts'
import type { ApiClient } from '../../../lib/api/client'
import { nodeError } from '../../../lib/api/errors/errors'
import { openMetrics } from '../../../lib/runtime/monitor/client-metrics'
import { registerEnded, type EndedItem } from '../../../lib/runtime/monitor/ended'
import type { Occurred } from '../../../lib/runtime/monitor/occurrences'
import { pendingChanged, registerPending, type PendingItem } from '../../../lib/runtime/monitor/pending'
import type { NewItem, Store } from '../../../lib/store/store'
import { createCollector } from '../../../nodes/alerts/collector'
import { RED } from '../../support/errors'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { until } from '../../support/time'

const day = 86_400_000
const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const node = { id: 'w', name: 'wait', flow: 'Leases' }

describe('what happened before alerts was deployed', () => {
  const undo: (() => void)[] = []
  afterEach(async () => {
    for (const one of undo.splice(0)) one()
    await removeFlow()
  })

  const start = () =>
    startFlow({
      type: 'eid-alerts',
      module: alerts,
      settings: { client: '' },
      client: { baseUrl: 'http://127.0.0.1:9' },
    })
  const next = async (flow: Flow) => (await flow.next()).payload as FlowMessage
  /** Resolves in a later millisecond, so that everything so far happened earlier than everything that follows. */
  const later = () => {
    const now = Date.now()
    return until(() => Date.now() > now)
  }
  /** A client whose calls end with this error. */
  const clientOf = (id: string, code: 'EID_CREDENTIALS' | 'EID_NETWORK') => {
    const metrics = openMetrics(RED, { id, name: id, environment: 'live' })
    undo.push(() => metrics.close(true))
    const error = nodeError(code, `errors.${code}`, { reason: 'refused' })
    const api = metrics.instrument({
      send: () => Promise.reject(error),
      tokenUntil: () => undefined,
    } as unknown as ApiClient)
    return () =>
      api
        .send('ping')
        .catch(() => undefined)
        .then(() => pendingChanged(RED))
  }

  it('includes credentials that were rejected; once they are rejected again, they are reported', async () => {
    const old = clientOf('old', 'EID_CREDENTIALS')
    const fresh = clientOf('fresh', 'EID_CREDENTIALS')
    await old()
    await later()
    const flow = await start()
    await later()
    await fresh()
    should(await next(flow)).have.properties({ kind: 'credentials-rejected', title: 'fresh' })
    should(flow.waiting().out).equal(0)
    await old()
    should(await next(flow)).have.properties({ kind: 'credentials-rejected', title: 'old' })
  })

  it('includes an outage; if the service is still unavailable, the outage is reported from its beginning', async () => {
    const real = Date.now
    const old = clientOf('old', 'EID_NETWORK')
    const fresh = clientOf('fresh', 'EID_CREDENTIALS')
    const began = real() - day
    Date.now = () => began
    await old()
    Date.now = real
    const flow = await start()
    await later()
    await fresh()
    should(await next(flow)).have.property('title', 'fresh')
    should(flow.waiting().out).equal(0)
    await old()
    const since = new Date(began).toISOString()
    should(await next(flow)).have.properties({ kind: 'service-unavailable', title: 'old', since })
  })

  it('includes a page closed without signing, and the deletion of a document', async () => {
    const pending = (title: string, left: string): PendingItem => ({
      wait: title,
      kind: 'document',
      id: title,
      title,
      since: at(0),
      node,
      client: 'c',
      waitingFor: [{ name: 'Kari Nordmann', last: { what: 'left', at: left } }],
    })
    const signed = (title: string, when: string): EndedItem => ({
      wait: title,
      what: 'document',
      kind: 'document',
      id: title,
      title,
      who: [],
      node,
      client: 'c',
      since: at(-9 * day),
      when,
      outcome: 'signed',
    })
    const waits = [pending('left before', at(-1000)), pending('left after', at(1000))]
    const source = { find: () => Promise.resolve(undefined), askNow: () => Promise.resolve(false) }
    undo.push(
      registerPending(RED, 'w', {
        ...source,
        list: () => Promise.resolve(waits),
        stopWaiting: () => Promise.resolve(false),
      }),
      registerEnded(RED, 'w', {
        list: () => Promise.resolve([signed('deleted before', at(-8 * day)), signed('last day', at(-6.5 * day))]),
      }),
    )
    const flow = await start()
    const said = [await next(flow), await next(flow)].map(({ title }) => title)
    should(said.sort()).deepEqual(['last day', 'left after'])
    should(flow.waiting().out).equal(0)
  })
})

describe('what happened before alerts was deployed, when the clock is wrong', () => {
  const first = Date.parse('2031-05-20T08:00:00Z')
  let now: number
  const said: string[] = []
  const kept = new Map<string, NewItem | undefined>()
  const store = {
    add: (id: string, item?: NewItem) => Promise.resolve(!kept.has(id) && Boolean(kept.set(id, item))),
    get: (id: string) => Promise.resolve(kept.get(id)),
  } as unknown as Store
  /** Starts the node again at this time by its clock. */
  const started = (at: number) => {
    now = at
    const place = { node: { id: 'x', name: '', flow: '' }, label: '' }
    return createCollector(RED, {
      store,
      clock: { epochNow: () => now },
      wanted: new Set(['expired', 'failed']),
      overdueDays: 3,
      client: '',
      shared: false,
      locate: () => place,
      sentenceOf: () => '',
      othersOf: () => '',
      kept: () => Promise.resolve([]),
      noteEnded: () => Promise.resolve(),
      say: ({ title }) => Promise.resolve(void said.push(title)),
    })
  }
  const expired = (title: string, at: number) => {
    const when = new Date(at).toISOString()
    const item = {
      wait: 'w',
      what: 'document',
      kind: 'document',
      id: 'd',
      title,
      who: [],
      client: 'c',
      outcome: 'expired',
    }
    return { what: 'ended', at, item: { ...item, node, since: when, when } } as Occurred
  }
  beforeEach(() => {
    said.length = 0
    kept.clear()
  })

  it('stays unreported when the clock was years ahead at the first start, and what happens later is reported', async () => {
    await started(first + 3650 * day).heard(expired('ahead', first + 3650 * day))
    const collector = started(first)
    await collector.heard(expired('old', first - day))
    now += 1000
    await collector.heard(expired('new', now))
    should(said).deepEqual(['ahead', 'new'])
  })

  it('stays unreported when the clock was years ahead at the first start and is set right without another', async () => {
    const collector = started(first + 3650 * day)
    await collector.heard(expired('ahead', now))
    now = first
    await collector.heard(expired('old', first - day))
    await collector.heard(expired('at once', now))
    now += 30 * day
    await collector.heard(expired('a month later', now))
    should(said).deepEqual(['ahead', 'at once', 'a month later'])
  })
})
