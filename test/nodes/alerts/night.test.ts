/**
 * One night: the service is down for ten minutes, a document expires, another is canceled, a list has two bad rows, and
 * Node-RED is killed. By the morning, each thing that needs a person was reported once.
 *
 * @rest
 */
import should from 'should'
import { systemClock } from '../../../lib/store/clock'
import { createCollector } from '../../../nodes/alerts/collector'
import { alertKinds } from '../../../nodes/alerts/kinds'
import type { Alert } from '../../../nodes/alerts/alert'
import { openMetrics } from '../../../lib/runtime/monitor/client-metrics'
import { configError, nodeError } from '../../../lib/api/errors/errors'
import type { ApiClient } from '../../../lib/api/client'
import { openStore } from '../../../lib/store/open'
import { idOf } from '../../../nodes/alerts/alert'
import { temporaryFolder } from '../../support/temporary-folder'
import { startProcess } from '../../support/node-red/killable'
import { startParties } from '../../support/parties'
import { startService } from '../../support/service'
import { until } from '../../support/time'
import { RED } from '../../support/errors'

describe('a night with alerts', () => {
  it('reports an outage of ten minutes once when it begins and once when it is over, over a restart', async () => {
    const folder = temporaryFolder()
    const host = { nodeId: 'n', userDir: folder.path }
    const store = openStore(host, { kind: 'night', onStoreEvent: () => undefined })
    let now = Date.parse('2026-11-24T02:00:00Z')
    const real = systemClock.epochNow
    const clock = { epochNow: () => now }
    ;(systemClock as { epochNow: () => number }).epochNow = clock.epochNow
    const metrics = openMetrics(RED, { id: 'c-night', name: 'Live', environment: 'live' })
    let answer: () => Promise<never> = () => Promise.reject(configError('noClient'))
    const api = metrics.instrument({ send: () => answer(), tokenUntil: () => undefined } as unknown as ApiClient)
    const call = () => api.send('ping').catch(() => undefined)
    const said = new Map<string, Alert>()
    const collector = () =>
      createCollector(RED, {
        store,
        clock,
        wanted: new Set(alertKinds),
        overdueDays: 3,
        client: 'c-night',
        shared: false,
        locate: () => ({ node: { id: 'n', name: '', flow: '' }, label: '' }),
        sentenceOf: ({ text }) => text,
        othersOf: String,
        kept: () => Promise.resolve([]),
        noteEnded: () => Promise.resolve(),
        say(alert) {
          if (!said.has(idOf(alert))) said.set(idOf(alert), alert)
          return Promise.resolve()
        },
      })
    try {
      answer = () => Promise.reject(nodeError('EID_NETWORK', 'errors.EID_NETWORK', { reason: 'refused' }))
      let one = collector()
      for (let minute = 0; minute < 10; minute++) {
        await call()
        await one.look()
        now += 60_000
        // Restarts in the middle of the outage.
        if (minute === 5) one = collector()
      }
      answer = () => Promise.resolve({ status: 200, headers: {} } as never)
      await call()
      await one.look()
      await one.look()
      should([...said.values()].map(({ kind, since, until: end }) => ({ kind, since, end }))).eql([
        { kind: 'service-unavailable', since: Date.parse('2026-11-24T02:00:00Z'), end: undefined },
        { kind: 'service-unavailable', since: Date.parse('2026-11-24T02:00:00Z'), end: now },
      ])
    } finally {
      ;(systemClock as { epochNow: () => number }).epochNow = real
      metrics.close(true)
      await store.close()
      folder.remove()
    }
  })

  it('reports what ended once, though Node-RED is killed in between', async () => {
    const service = await startService()
    const folder = temporaryFolder()
    const parties = await startParties(service)
    const start = () =>
      startProcess({
        userDir: folder.path,
        flow: [
          { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
          { id: 'w', z: 'f', type: 'eid-wait', name: 'wait', client: 'c', pollInterval: '0.05', wires: [[], [], []] },
          { id: 'a', z: 'f', type: 'eid-alerts', wires: [['alerts']] },
          { id: 'alerts', z: 'f', type: 'helper' },
        ],
      })
    const cancel = async (title: string, red: Awaited<ReturnType<typeof start>>) => {
      const { documentId } = await parties.createDocument(title)
      red.send('w', { documentId })
      await parties.call('POST', `/signature/documents/${documentId}/cancel?reason=wrong`)
    }
    const first = await start()
    await cancel('lease-1', first)
    await until(() => first.arrived.length === 1)
    await first.kill()
    const second = await start()
    await cancel('lease-2', second)
    const titles = () => [...first.arrived, ...second.arrived].map(({ msg }) => msg)
    const fresh = () => titles().filter(({ redelivered }) => redelivered !== true)
    await until(() => fresh().length === 2)
    await second.kill()
    await service.close()
    folder.remove()
    should(fresh().map(({ topic }) => topic)).eql(['canceled', 'canceled'])
    should(new Set(fresh().map(({ payload }) => (payload as Alert['details'])?.documentId)).size).equal(2)
  })
})
