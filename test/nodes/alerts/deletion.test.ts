/**
 * "alerts" before the service deletes a signed document: however long the service keeps it, and however many waits have
 * ended since.
 *
 * @rest
 */
import should from 'should'
import alerts from '../../../nodes/alerts/alerts'
import { createDeletions } from '../../../nodes/alerts/deletions'
import type { Alert } from '../../../nodes/alerts/alert'
import { registerEnded, type EndedItem } from '../../../lib/runtime/monitor/ended'
import { pendingChanged } from '../../../lib/runtime/monitor/pending'
import { systemClock } from '../../../lib/store/clock'
import { openStore } from '../../../lib/store/open'
import { startProcess, type Started } from '../../support/node-red/killable'
import { RED } from '../../support/errors'
import { removeFlow, startFlow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { act, startParties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'
import { until } from '../../support/time'

const day = 86_400_000
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()
const ended = (id: string, changes: Partial<EndedItem> = {}): EndedItem => ({
  wait: `w-${id}`,
  what: 'document',
  kind: 'document',
  id,
  title: id,
  who: [],
  since: ago(9 * day),
  when: ago(0),
  outcome: 'signed',
  node: { id: 'w', name: 'wait', flow: 'Leases' },
  client: 'c',
  ...changes,
})

describe('the warning before a deletion', () => {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())

  it('comes for a document that is no longer listed, because many have ended since', async () => {
    // If a document is kept for two days, the warning comes after one.
    const items = [ended('signed', { when: ago(day - 3_000), keptHours: 48 }), ended('first', { outcome: 'canceled' })]
    const undo = registerEnded(RED, 'w', { list: () => Promise.resolve(items) })
    try {
      const later = new Date(Date.now() + day).toISOString()
      for (const one of items.slice(1)) Object.assign(one, { when: later })
      const flow = await startFlow({
        type: 'eid-alerts',
        module: alerts,
        settings: { client: '' },
        client: { baseUrl: service.url },
      })
      should(await flow.next()).have.property('topic', 'canceled')
      // The first look has remembered both items by the time the next look finds this one.
      items.splice(0, 2, ended('second', { outcome: 'canceled', when: later }))
      pendingChanged(RED)
      const said = [await flow.next(), await flow.next()].map(({ payload }) => (payload as FlowMessage).documentId)
      should(said.sort()).eql(['second', 'signed'])
      should(flow.waiting().out).equal(0)
    } finally {
      undo()
      await removeFlow()
    }
  })

  it('comes on the last day of a document that is kept for a month, after a restart', async () => {
    const folder = temporaryFolder()
    const parties = await startParties(service)
    const flow = [
      { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
      { id: 'w', z: 'f', type: 'eid-wait', client: 'c', pollInterval: '0.05', wires: [['h'], [], []] },
      { id: 'a', z: 'f', type: 'eid-alerts', client: '', wires: [['alert']] },
      ...['h', 'alert'].map((id) => ({ id, z: 'f', type: 'helper' })),
    ]
    const topics = (red: Started) => red.arrived.filter(({ at }) => at === 'alert').map(({ msg }) => msg.topic)
    const cancel = async (red: Started, key: string) => {
      const { documentId } = await parties.createDocument(key)
      await parties.call('POST', `/signature/documents/${documentId}/cancel?reason=wrong`)
      red.send('w', { documentId })
    }
    const timeToLive = { deleteAfterHours: 744 }
    const { documentId, signers } = await parties.createDocument('kept-long', 1, { timeToLive })
    const first = await startProcess({ userDir: folder.path, flow })
    first.send('w', { documentId })
    await act(signers[0]?.url ?? '')
    await until(() => first.arrived.some(({ at }) => at === 'h'))
    // Each alert comes from a separate look, so the first look has remembered the document when the second one begins.
    for (const count of [1, 2]) {
      await cancel(first, `canceled-${count}`)
      await until(() => topics(first).length === count)
    }
    await first.kill()
    const second = await startProcess({ userDir: folder.path, flow, aheadMs: 30.5 * day })
    await until(() => topics(second).includes('not-archived-before-deletion'))
    await second.kill()
    folder.remove()
    should(topics(second).filter((topic) => topic === 'not-archived-before-deletion')).have.length(1)
  })

  it('is remembered once, and what cannot be remembered is said once', async () => {
    const folder = temporaryFolder()
    const host = { nodeId: 'n', userDir: folder.path }
    const store = openStore(host, { kind: 'deletions', maxItems: 2, onStoreEvent: () => undefined })
    const said: Alert[] = []
    const deletions = createDeletions({
      store,
      clock: systemClock,
      say: (alert) => Promise.resolve(void said.push(alert)),
      failed(error) {
        throw error
      },
    })
    const due = ended('due', { when: ago(30.5 * day), keptHours: 744 })
    deletions.start()
    await deletions.note([due, ended('over', { when: ago(20 * day) }), ended('canceled', { outcome: 'canceled' })])
    await until(() => said.length === 1)
    should(said[0]).containDeep({ kind: 'not-archived-before-deletion', details: { documentId: 'due' } })
    await until(async () => (await store.list()).every((one) => one.due === undefined))
    const many = ['one', 'two', 'three'].map((id) => ended(id))
    await deletions.note([due, ...many]).should.be.rejected()
    await deletions.note([due, ...many])
    await deletions.stop()
    await store.close()
    folder.remove()
    should(said).have.length(1)
  })
})
