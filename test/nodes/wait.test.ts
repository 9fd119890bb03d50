/** "wait" against the sandbox: every kind and every end, many waits, redeploys. */
import should from 'should'
import node from '../../nodes/wait/wait'
import { removeFlow, startFlow, type Flow } from '../support/flow'
import { act, identify, type Parties } from '../support/parties'
import { createShare, receive } from '../support/share-party'
import type { Service } from '../support/service'
import { useParties } from '../support/service-and-site'
import { until } from '../support/time'

const minute = 60_000

describe('wait', () => {
  let service: Service
  let parties: Parties
  const start = (settings: object = {}) =>
    startFlow({
      type: 'eid-wait',
      module: node,
      outputs: 3,
      settings: { pollInterval: '0.05', ...settings },
      client: { baseUrl: service.url, retries: 0 },
    })

  const askedAbout = async (id: string) =>
    (await service.requests('getDocumentStatus')).filter(({ path }) => path.includes(id)).length
  /** Lets the node poll another document a few times; by then, it has done everything else that it had to do. */
  const rounds = async (flow: Flow) => {
    const { documentId } = await parties.createDocument('rounds')
    flow.send({ documentId })
    await until(async () => (await askedAbout(documentId)) > 3)
  }

  useParties((sides) => ({ service, parties } = sides))
  afterEach(removeFlow)

  describe('document', () => {
    it('ends at the first output when signed, with the document and everything else on the message', async () => {
      const { documentId, signers } = await parties.createDocument('wait-1')
      const flow = await start()
      const req = { live: true, self: {} }
      req.self = req
      flow.send({ documentId, kept: { deep: [1] }, req })
      await asked(service, 'getDocumentStatus', 2)
      should(flow.waiting().out).equal(0)
      await until(() =>
        flow.statuses.find(({ fill, shape, text }) => `${fill} ${shape} ${text}`.startsWith('blue dot 0 of 1 signed')),
      )
      await act(signers[0]?.url ?? '')
      const msg = await flow.next(0)
      should(msg.payload).have.properties({ documentId, externalId: 'wait-1' })
      should(msg).have.properties({ documentId, status: 'signed', statusCode: 200, kept: { deep: [1] } })
      should(msg.req).equal(req)
      should((await flow.completed()).documentId).equal(documentId)
      await until(() => flow.statuses.at(-1)?.text === 'signed' || undefined)
    })

    it('ends at the second output when canceled', async () => {
      const { documentId } = await parties.createDocument('wait-2')
      const flow = await start()
      flow.send({ documentId })
      await parties.call('POST', `/signature/documents/${documentId}/cancel?reason=wrong`)
      await service.sandbox.clock.advance(minute)
      should(await flow.next(1)).have.property('status', 'canceled')
    })

    it('ends at the third output when the service says that it expired', async () => {
      const { documentId } = await parties.createDocument('wait-3')
      const flow = await start()
      flow.send({ documentId })
      await asked(service, 'getDocumentStatus', 1)
      await service.sandbox.clock.advance(46 * 24 * 60 * minute)
      should(await flow.next(2)).have.properties({ status: 'expired', timedOut: false })
    })

    it('ends at the third output when its own time is up, with the last response of the service', async () => {
      const { documentId } = await parties.createDocument('wait-4')
      const flow = await start({ timeout: '0.3', pollInterval: '3600', maxInterval: '3600' })
      const begun = Date.now()
      flow.send({ documentId })
      const msg = await flow.next(2)
      should(Date.now() - begun).be.aboveOrEqual(250)
      should(msg).have.properties({ status: 'unsigned', timedOut: true })
    })
  })

  describe('session', () => {
    const ends: [string, string, number][] = [
      ['success', 'success', 0],
      ['abort', 'user_aborted', 1],
      ['fail', 'failed', 1],
    ]
    for (const [action, status, output] of ends) {
      it(`ends at output ${output + 1} after ${action}`, async () => {
        const { id, url } = await parties.createSession()
        const flow = await start({ what: 'session' })
        flow.send({ sessionId: id, documentId: 'another-thing' })
        await asked(service, 'getSession', 1)
        await identify(url, action)
        const msg = await flow.next(output)
        should(msg).have.properties({ status, sessionId: id, documentId: 'another-thing' })
        should(msg.payload).have.properties({ id, status })
      })
    }

    it('ends at the second output when invalidated, at the third when its ten minutes are over', async () => {
      const one = await parties.createSession()
      const two = await parties.createSession()
      const flow = await start({ what: 'session', resourceId: 'payload.id' })
      flow.send({ payload: { id: one.id } })
      flow.send({ payload: { id: two.id } })
      await parties.call('POST', `/identification/v2/sessions/${one.id}/invalidate`)
      should(await flow.next(1)).have.properties({ status: 'invalidated', sessionId: one.id })
      await service.sandbox.clock.advance(11 * minute)
      should(await flow.next(2)).have.properties({ status: 'timed_out', sessionId: two.id, timedOut: false })
    })
  })

  describe('share', () => {
    it('ends at the first output when everyone has everything', async () => {
      const shareId = await createShare(service, parties, 10)
      const flow = await start({ what: 'share' })
      flow.send({ shareId })
      await asked(service, 'getBucket', 1)
      await receive(service, shareId)
      const msg = await flow.next(0)
      should(msg).have.properties({ status: 'received', shareId })
      should(msg.payload).have.properties({ id: shareId, done: true })
    })

    it('ends at the third output when it expired before everyone had everything', async () => {
      const shareId = await createShare(service, parties, 1)
      const flow = await start({ what: 'share' })
      flow.send({ shareId })
      await asked(service, 'getBucket', 1)
      await service.sandbox.clock.advance(2 * 24 * 60 * minute)
      should(await flow.next(2)).have.properties({ status: 'expired', shareId })
    })
  })

  it('ends at the first output when a deposit is terminated', async () => {
    const flow = await start({ what: 'deposit' })
    flow.send({ depositId: 'deposit-funded-1' })
    await asked(service, 'getDeposit', 1)
    await parties.call('POST', '/deposit/personal/deposit-funded-1/terminate', { category: 'TENANT', username: 'ops' })
    const msg = await flow.next(0)
    should(msg).have.properties({ status: 'TERMINATED', depositId: 'deposit-funded-1' })
    // The status names the end in the user's language.
    await until(() => flow.statuses.at(-1)?.text === 'released')
  })

  it('gives two messages when the same document is waited for twice', async () => {
    const { documentId, signers } = await parties.createDocument('wait-8')
    const flow = await start()
    flow.send({ documentId, number: 1 })
    flow.send({ documentId, number: 2 })
    await act(signers[0]?.url ?? '')
    const numbers = [(await flow.next(0)).number, (await flow.next(0)).number]
    should(numbers.sort()).deepEqual([1, 2])
  })

  it('continues after a redeploy, and ends each wait once', async () => {
    const documents = await Promise.all([1, 2, 3].map((number) => parties.createDocument(`wait-deploy-${number}`)))
    const flow = await start()
    for (const { documentId } of documents) flow.send({ documentId, payload: Buffer.from('kept'), at: new Date(0) })
    await asked(service, 'getDocumentStatus', 3)
    await flow.redeploy({ pollInterval: '0.06' })
    await Promise.all(documents.map(({ signers }) => act(signers[0]?.url ?? '')))
    const ended = await collected(flow, 3)
    should(ended.map((msg) => String(msg.documentId)).sort()).deepEqual(documents.map((one) => one.documentId).sort())
    should(ended[0]?.at).deepEqual(new Date(0))
    await rounds(flow)
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  it('keeps five hundred waits apart, a few questions at a time', async () => {
    const { documentId, signers } = await parties.createDocument('wait-many')
    const flow = await start({ pollInterval: '0.5' })
    for (let number = 0; number < 500; number++) flow.send({ documentId, number })
    await until(() => flow.statuses.find(({ text }) => text === 'waiting (500)'))
    await act(signers[0]?.url ?? '')
    const numbers = (await collected(flow, 500)).map((msg) => Number(msg.number))
    should(new Set(numbers).size).equal(500)
  })
})

const collected = (flow: Flow, count: number) => Promise.all(Array.from({ length: count }, () => flow.next(0)))

/** Waits until the service has had this many requests. */
const asked = (service: Service, operation: string, times: number) =>
  until(async () => ((await service.requests(operation)).length >= times ? true : undefined))
