/** A message that was completed, but that Node-RED cannot copy: nothing of it may look like a failure. */
import should from 'should'
import node from '../../../nodes/document/document'
import { made } from '../../support/hostile'
import { until } from '../../support/time'
import { startFlow, stopFlow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

describe('a success that cannot be passed to a Complete node', () => {
  let service: Service
  before(async () => (service = await startService()))
  after(() => service.close())
  afterEach(stopFlow)

  it('is warned about, and never caught as not done', async () => {
    const settings = { operation: 'list' }
    const flow = await startFlow({ type: 'eid-document', module: node, settings, client: { baseUrl: service.url } })
    flow.send({ deep: made.deep() })
    should((await flow.next()).statusCode).equal(200)
    await until(() => flow.warnings.length > 0 || flow.waiting().caught > 0)
    should(flow.waiting().caught).equal(0)
    should(flow.warnings).have.length(1)
    should(flow.warnings[0]).match(/message .*copied/)
  })
})
