/**
 * "wait" whose client is switched to another service: it pauses, shows that, and never trusts responses from the other
 * service.
 */
import should from 'should'
import { listPending, stopWaiting } from '../../../lib/runtime/monitor/pending'
import node from '../../../nodes/wait/wait'
import { viewOfWaiting } from '../../../plugins/sidebar/server/waiting'
import { actionsFor, inOrder } from '../../../lib/runtime/people/waits'
import { RED } from '../../support/errors'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { act, startParties, type Parties } from '../../support/parties'
import { startService, type Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'
import { until, untilCount } from '../../support/time'

describe('wait, whose client was given another service', () => {
  let service: Service
  let parties: Parties
  let live: Service
  let flow: Flow
  const start = async (settings: object = {}) => {
    const credentials = { clientId: 'sandbox', clientSecret: 'sandbox' }
    const other = { id: 'c2', type: 'eid-client', environment: 'live', baseUrl: live.url, retries: 0 }
    flow = await startFlow({
      type: 'eid-wait',
      module: node,
      outputs: 3,
      credentials,
      more: [other],
      moreSecrets: { c2: credentials },
      settings: { pollInterval: '0.05', maxInterval: '0.1', ...settings },
      client: { baseUrl: service.url, retries: 0 },
    })
  }
  const waiting = async () => (await listPending(RED)).items
  const standingStill = () => until(async () => (await waiting()).find((one) => one.service !== undefined))
  const asked = async (of: Service) => (await of.requests('getDocumentStatus')).length

  useParties((sides) => ({ service, parties } = sides))
  before(async () => void (live = await startService()))
  beforeEach(() => live.reset())
  afterEach(removeFlow)
  after(() => live.close())

  it('pauses and says so, asks the other service nothing, and resumes with its own', async () => {
    const { documentId, signers } = await parties.createDocument('sandbox-1')
    await start({ timeout: '1', timeoutUnit: 'seconds' })
    flow.send({ documentId })
    await untilCount(() => asked(service), 1)
    await flow.redeploy({ client: 'c2' })
    const item = await standingStill()
    should(item).have.properties({ id: documentId, service: service.url })
    should(item).not.have.properties(['nextQuestion', 'until'])
    should(actionsFor(item)).deepEqual(['stopWaiting'])
    // The row in the sidebar shows the service.
    const list = { items: [item], failures: [] }
    const placed = { ...list, items: await inOrder(list.items) }
    const [row] = (await viewOfWaiting(RED, placed, { rows: 1, find: '' }, Date.now())).rows
    should(row).have.property('service', service.url)
    await until(() =>
      flow.statuses.find(({ fill, text }) => fill === 'yellow' && text === '1 paused (another service)'),
    )
    should(flow.warnings.join()).containEql(service.url)
    // Waits at the right service are polled.
    const { documentId: liveId } = await (await startParties(live)).createDocument('live-1')
    flow.send({ documentId: liveId })
    await untilCount(() => asked(live), 2)
    await until(() => flow.statuses.find(({ text }) => text === 'waiting (1), 1 paused (another service)'))
    should((await live.requests()).filter(({ path }) => path.includes(documentId))).deepEqual([])
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
    await act(signers[0]?.url ?? '')
    await flow.redeploy({ client: 'c' })
    should(await flow.next(0)).have.properties({ documentId, status: 'signed' })
  })

  it('can be removed', async () => {
    const { documentId } = await parties.createDocument('sandbox-2')
    await start()
    flow.send({ documentId })
    await untilCount(() => asked(service), 1)
    await flow.redeploy({ client: 'c2' })
    const { wait } = await standingStill()
    should(await stopWaiting(RED, wait)).be.true()
    should(await waiting()).deepEqual([])
    await until(() => flow.statuses.at(-1)?.text !== '1 paused (another service)')
    should(await asked(live)).equal(0)
  })
})
