/** "webhook" with repeated events that lack the id that the service usually gives them. */
import { createHmac } from 'node:crypto'
import should from 'should'
import node from '../../../nodes/webhook/webhook'
import { removeFlow, startFlow } from '../../support/flow'
import { startPublicSide, type PublicSide } from '../../support/public-site'

describe('webhook, called again,', () => {
  let site: PublicSide
  const secret = 'first secret'
  const post = async (body: string) => {
    const headers = { 'X-EID-Signature': createHmac('sha256', secret).update(body).digest('hex') }
    return (await fetch(`${site.url}/eid/webhook`, { method: 'POST', headers, body })).status
  }

  before(async () => void (site = await startPublicSide()))
  after(() => site.close())
  afterEach(removeFlow)

  it('knows an event again whose id is a number, and one without an id by its content', async () => {
    const flow = await startFlow({ type: 'eid-webhook', module: node, secrets: { secret }, modules: [site.module] })
    const bodies = ['{"id":5,"type":"t"}', '{"type":"t"}', '{"id":"","type":"t"}', '{"id":null,"type":"u"}']
    for (const body of bodies) should([await post(body), await post(body)]).deepEqual([204, 204])
    const ids = []
    for (const _body of bodies) ids.push((await flow.next()).eventId)
    should(ids.sort()).deepEqual(['5', undefined, undefined, undefined])
    should(await post('{"id":"last","type":"t"}')).equal(204)
    should((await flow.next()).eventId).equal('last')
  })
})
