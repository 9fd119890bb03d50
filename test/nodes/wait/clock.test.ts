/** "wait" while the system clock is set back or forward: pauses and limits continue unchanged. */
import should from 'should'
import node from '../../../nodes/wait/wait'
import { untilCount } from '../../support/time'
import { startFlow, removeFlow, type Flow } from '../../support/flow'
import { act, startParties, type Parties } from '../../support/parties'
import { startService, type Service } from '../../support/service'

const hour = 3_600_000

describe('wait, when the clock is set', () => {
  let service: Service
  let parties: Parties
  let flow: Flow
  const wall = Date.now
  const start = async (settings: object = {}) => {
    const client = { baseUrl: service.url, retries: 0 }
    const all = { pollInterval: '0.05', maxInterval: '0.1', ...settings }
    flow = await startFlow({ type: 'eid-wait', module: node, outputs: 3, settings: all, client })
  }
  /** Waits until this many more polls have reached the service. */
  const askedMore = async (count: number) => {
    const asked = async () => (await service.requests('getDocumentStatus')).length
    await untilCount(asked, (await asked()) + count)
  }

  // A new service for each test, because a token from before a change of the clock would be invalid after it.
  beforeEach(async () => {
    service = await startService()
    parties = await startParties(service)
  })
  afterEach(async () => {
    Date.now = wall
    await removeFlow()
    await service.close()
  })

  it('an hour back, it keeps asking', async () => {
    const { documentId, signers } = await parties.createDocument('clock-back')
    await start()
    flow.send({ documentId })
    await askedMore(1)
    Date.now = () => wall() - hour
    await askedMore(3)
    await act(signers[0]?.url ?? '')
    should(await flow.next(0)).have.property('status', 'signed')
  })

  it('an hour forward, a limit of ten minutes is not over', async () => {
    const { documentId, signers } = await parties.createDocument('clock-forward')
    await start({ timeout: '10', timeoutUnit: 'minutes' })
    flow.send({ documentId })
    await askedMore(1)
    Date.now = () => wall() + hour
    await askedMore(3)
    should(flow.waiting().out).equal(0)
    await act(signers[0]?.url ?? '')
    should(await flow.next(0)).have.property('status', 'signed')
  })
})
