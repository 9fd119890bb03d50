/** "deposit cancel" against the sandbox. */
import should from 'should'
import node from '../../nodes/deposit-cancel/deposit-cancel'
import { startFlow, stopFlow } from '../support/flow'
import { startService, type Service } from '../support/service'

describe('deposit cancel', () => {
  let service: Service
  const start = (settings: object = {}) =>
    startFlow({ type: 'eid-deposit-cancel', module: node, settings, client: { baseUrl: service.url, retries: 3 } })
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('cancels a deposit that is not fully funded, and says what was done', async () => {
    const flow = await start()
    flow.send({ depositId: 'deposit-unfunded-1', kept: 1 })
    const msg = await flow.next()
    should(msg.payload).deepEqual({ id: 'deposit-unfunded-1', operation: 'cancelDeposit' })
    should(msg).have.properties({ depositId: 'deposit-unfunded-1', statusCode: 200, kept: 1 })
    should(flow.statuses.at(-1)?.text).equal('deposit canceled')
  })

  it('gives the next node the id, wherever it came from', async () => {
    const flow = await start({ depositId: 'payload.deposit', depositIdType: 'msg' })
    flow.send({ payload: { deposit: 'deposit-unfunded-1' } })
    should(await flow.next()).have.property('depositId', 'deposit-unfunded-1')
  })

  it('passes on the refusal of a fully funded one', async () => {
    const flow = await start()
    flow.send({ depositId: 'deposit-funded-1' })
    const { error } = await flow.caught()
    should(error.code).equal('EID_REFUSED')
    should(error.cause).have.properties({ status: 422, outcome: 'not-done' })
  })

  for (const kind of ['close-after', 'slow', 'status'] as const) {
    it(`never repeats a call that may have taken effect (${kind})`, async () => {
      const flow = await start()
      await service.fault({ operation: 'cancelDeposit', kind, status: 500, delay: 1000, after: true, count: 5 })
      flow.send({ depositId: 'deposit-unfunded-1', requestTimeout: 200 })
      should((await flow.caught()).error.cause.outcome).equal('unknown')
      should(await service.requests('cancelDeposit')).have.length(1)
    })
  }

  it('needs an id', async () => {
    const flow = await start()
    for (const depositId of [undefined, '', 'a/b', '..', 'x\n', {}]) {
      flow.send({ depositId })
      should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
    }
    should(await service.requests()).have.length(0)
  })
})
