/**
 * "wait" woken by events that "events" and "webhook" of the same client receive: within seconds, before the next poll.
 */
import { createHmac } from 'node:crypto'
import should from 'should'
import events from '../../../nodes/events/events'
import node from '../../../nodes/wait/wait'
import webhook from '../../../nodes/webhook/webhook'
import { untilCount } from '../../support/time'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { act, startParties, type Parties } from '../../support/parties'
import { startPublicSide, type PublicSide } from '../../support/public-site'
import { createShare, receive } from '../../support/share-party'
import { startService, type Service } from '../../support/service'

const secret = 'of the webhook'

describe('wait, woken by events', () => {
  let service: Service
  let parties: Parties
  let flow: Flow
  let site: PublicSide
  /** Starts a wait that polls once, and then only every hour. */
  const start = async (more: object[], settings: object = {}) => {
    flow = await startFlow({
      type: 'eid-wait',
      module: node,
      outputs: 3,
      modules: [events, webhook, site.module],
      settings: { pollInterval: '3600', maxInterval: '7200', ...settings },
      client: { baseUrl: service.url, retries: 0 },
      more,
      moreSecrets: { w: { secret } },
    })
  }
  const pulling = (client = 'c') => ({ id: 'e', z: 'f', type: 'eid-events', client, interval: 0.05, wires: [[]] })
  const asked = async (operation: string, times: number) =>
    untilCount(async () => (await service.requests(operation)).length, times)

  before(async () => {
    service = await startService()
    site = await startPublicSide()
  })
  after(async () => {
    await site.close()
    await service.close()
  })
  beforeEach(async () => {
    await service.reset()
    parties = await startParties(service)
  })
  afterEach(removeFlow)

  it('ends by the event, with two questions', async () => {
    const { documentId, signers } = await parties.createDocument('woken')
    await start([pulling()])
    flow.send({ documentId })
    await asked('getDocument', 1)
    await act(signers[0]?.url ?? '')
    should(await flow.next(0)).have.properties({ documentId, status: 'signed' })
    // The next poll would be in an hour.
    should(await asked('getDocument', 2)).equal(2)
  })

  it('is woken by a webhook too, also for a share', async () => {
    const shareId = await createShare(service, parties, 10)
    await start([{ id: 'w', z: 'f', type: 'eid-webhook', path: '/woken', wires: [[]] }], { what: 'share' })
    flow.send({ shareId })
    await asked('getBucket', 1)
    await receive(service, shareId)
    const body = JSON.stringify({ id: 'event-1', type: 'share_downloaded', payload: { Id: shareId } })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature }
    const { status } = await fetch(`${site.url}/woken`, { method: 'POST', headers, body })
    should(status).equal(204)
    should(await flow.next(0)).have.properties({ shareId, status: 'received' })
  })

  it('is not woken by what changes nothing, nor by the events of another client', async () => {
    const one = await parties.createDocument('idle')
    const two = await parties.createDocument('rounds')
    const other = { id: 'c2', type: 'eid-client', baseUrl: service.url, retries: 0 }
    await start([pulling('c2'), other])
    flow.send({ documentId: one.documentId })
    await asked('getDocument', 1)
    service.sandbox.world.emit('document_signed', { documentId: one.documentId }, [])
    await untilCount(() => (service.sandbox.world.notification.events.size === 0 ? 1 : 0), 1)
    // When the second document is polled, the node would also have polled the first one again.
    flow.send({ documentId: two.documentId })
    await asked('getDocument', 2)
    should((await service.requests('getDocument')).filter(({ path }) => path.includes(one.documentId))).have.length(1)
  })
})
