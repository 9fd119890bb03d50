/** Events of the sandbox: the queue with its locks, and real calls to webhooks. */
import should from 'should'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signatureOf } from '../../sandbox/notification/deliver'
import type { Delivery, ServiceEvent } from '../../sandbox/notification/state'
import { startCaller, type Caller, type ErrorBody } from './caller'

interface WebhookBody extends ErrorBody {
  id: number
  name: string
  active: boolean
  events: string[]
  config: { url: string; secret?: string; deliveryLogging: string }
  lastResponse?: { code: number }
}

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

describe('sandbox: notification', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const mock = async (eventType: string) =>
    (await caller.call<ServiceEvent>('POST', '/notification/events/mock', { eventType })).json
  const pull = async (query = '') =>
    (await caller.call<ServiceEvent[]>('GET', `/notification/events${query}`)).json.map(({ id }) => id)
  const peek = async () =>
    (await caller.call<ServiceEvent[]>('GET', '/notification/events/peek')).json.map(({ id }) => id)

  describe('queue', () => {
    it('gives events of the service in one envelope', async () => {
      const release = { category: 'TENANT', username: 'ola' }
      await caller.call('POST', '/deposit/personal/deposit-funded-1/terminate', release)
      const { json } = await caller.call<ServiceEvent[]>('GET', '/notification/events')
      should(json[0]).have.keys('id', 'timestamp', 'accountId', 'type', 'payload', 'tags')
      should(json[0]).containDeep({
        type: 'deposit_terminated',
        payload: { depositId: 'deposit-funded-1' },
        tags: null,
      })
    })

    it('keeps pulled events locked for ten minutes', async () => {
      const { id } = await mock('document_signed')
      ;(await pull()).should.deepEqual([id])
      ;(await pull()).should.be.empty()
      ;(await peek()).should.deepEqual([id])
      await caller.sandbox.clock.advance(10 * 60 * 1000 - 1000)
      ;(await pull()).should.be.empty()
      await caller.sandbox.clock.advance(1000)
      ;(await pull()).should.deepEqual([id])
    })

    it('does not lock what is only peeked at', async () => {
      const { id } = await mock('document_signed')
      ;(await peek()).should.deepEqual([id])
      ;(await pull()).should.deepEqual([id])
    })

    it('gives a hundred at a time, oldest first', async () => {
      const ids: string[] = []
      for (let index = 0; index < 103; index++) ids.push((await mock('document_read')).id)
      ;(await pull()).should.deepEqual(ids.slice(0, 100))
      ;(await pull()).should.deepEqual(ids.slice(100))
    })

    it('filters by type and by tags', async () => {
      const signed = await mock('document_signed')
      const shared = await mock('share_created')
      ;(await pull('?eventType=share_created')).should.deepEqual([shared.id])
      ;(await pull('?tags=other')).should.be.empty()
      ;(await pull('?eventType=document_signed,share_created&tags=mock')).should.deepEqual([signed.id])
    })

    it('forgets what was handled, one or many', async () => {
      const ids = [await mock('a'), await mock('b'), await mock('c'), await mock('d')].map(({ id }) => id)
      const [first = '', second = '', third = '', fourth = ''] = ids
      ;(await caller.call('POST', `/notification/events/${first}/handle`)).status.should.equal(200)
      ;(await caller.call('POST', `/notification/events/${first}/handle`)).status.should.equal(404)
      ;(await caller.call('POST', '/notification/events/handle', [second, third, 'gone'])).status.should.equal(200)
      ;(await peek()).should.deepEqual([fourth])
      ;(await caller.call('POST', '/notification/events/handle', { ids: [fourth] })).status.should.equal(400)
      ;(await caller.call('POST', '/notification/events/clear')).status.should.equal(200)
      ;(await peek()).should.be.empty()
    })

    it('names its types', async () => {
      const { json } = await caller.call<{ name: string }[]>('GET', '/notification/events/types')
      json.map(({ name }) => name).should.containDeep(['document_signed', 'share_created', 'deposit_fully_funded'])
      should(json[0]).have.keys('id', 'name', 'description')
    })

    it('tags simulated events', async () => {
      should((await mock('document_signed')).tags).deepEqual(['mock'])
      ;(await caller.call('POST', '/notification/events/mock', {})).status.should.equal(400)
    })
  })

  describe('webhooks', () => {
    let receiver: Server
    let url: string
    let status: number
    let received: Received[]
    let arrived: () => void
    before((done) => {
      receiver = createServer((request, response) => {
        let body = ''
        request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        request.on('end', () => {
          received.push({ headers: request.headers, body })
          response.writeHead(status).end('noted')
          response.on('close', () => arrived())
        })
      }).listen(0, '127.0.0.1', () => {
        url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
        done()
      })
    })
    beforeEach(() => {
      received = []
      status = 200
      arrived = () => undefined
    })
    after((done) => void receiver.close(done))

    /** Waits until this many calls have come in. */
    const calls = async (count: number) => {
      while (received.length < count) await new Promise<void>((resolve) => (arrived = resolve))
      return received
    }
    const config = () => ({ url, secret: 'your-secret-token', deliveryLogging: 'always' })
    const post = (body: unknown) => caller.call<WebhookBody>('POST', '/notification/webhooks', body)
    const create = async (more: object = {}) => {
      const answer = await post({ name: 'flow', active: true, events: ['*'], config: config(), ...more })
      answer.status.should.equal(201)
      return answer.json
    }
    const types = () => received.map(({ body }) => (JSON.parse(body) as ServiceEvent).type)
    const deliveries = async (id: number) =>
      (await caller.call<Delivery[]>('GET', `/notification/webhooks/${id}/deliveries`)).json

    it('signs as published', () => {
      const expected = 'def564b8df06ae55c788493cb414068b2cf017385d96ecb39aa3e844fdbbcdea'
      signatureOf('{"message":"Hello, world"}', 'your-secret-token').should.equal(expected)
    })

    it('pings a new webhook, signed over the very bytes', async () => {
      const webhook = await create()
      should(webhook.id).be.a.Number()
      should(webhook.config.secret).not.equal('your-secret-token')
      const [ping] = await calls(1)
      types().should.deepEqual(['ping'])
      should(ping?.headers['x-eid-signature']).equal(signatureOf(ping?.body ?? '', 'your-secret-token'))
      ;(await peek()).should.be.empty()
      await caller.call('POST', `/notification/webhooks/${webhook.id}/ping`)
      await calls(2)
      types().should.deepEqual(['ping', 'ping'])
    })

    it('sends the events that it is set to, as they are in the queue', async () => {
      await create({ events: ['document_signed'] })
      await create({ active: false })
      await create({ tags: ['other'] })
      await calls(3)
      await mock('share_created')
      const event = await mock('document_signed')
      const last = (await calls(4))[3]
      should(JSON.parse(last?.body ?? '')).deepEqual(event)
    })

    it('takes another name for the header, and signs nothing without a secret', async () => {
      await caller.open('POST', '/sandbox/signature-header', { name: 'X-Other' })
      const { id } = await create()
      should((await calls(1))[0]?.headers['x-other']).match(/^[0-9a-f]{64}$/)
      await caller.call('PATCH', `/notification/webhooks/${id}`, { config: { secret: '' } })
      await caller.call('POST', `/notification/webhooks/${id}/ping`)
      should((await calls(2))[1]?.headers['x-other']).be.undefined()
    })

    it('keeps the latest attempts, as the webhook is set', async () => {
      const always = await create()
      const failed = await create({ config: { ...config(), deliveryLogging: 'failed' } })
      const never = await create({ config: { url } })
      await calls(3)
      status = 500
      for (let index = 0; index < 11; index++) await mock('document_read')
      await calls(36)
      while ((await deliveries(failed.id)).length < 10) await new Promise(setImmediate)
      const list = await deliveries(always.id)
      list.should.have.length(10)
      should(list[0]).containDeep({ webhookId: always.id, responseStatusCode: 500, responseBody: 'noted', url })
      ;(await deliveries(never.id)).should.be.empty()
      const { json } = await caller.call<WebhookBody>('GET', `/notification/webhooks/${failed.id}`)
      should(json.lastResponse?.code).equal(500)
    })

    it('reaches no other machine', async () => {
      const { id } = await create({ config: { ...config(), url: 'https://flows.example.com/hook' } })
      let list: Delivery[] = []
      while (list.length === 0) list = await deliveries(id)
      should(list[0]).containDeep({
        responseStatusCode: 0,
        errorMessage: 'The sandbox delivers to loopback addresses only.',
      })
    })

    it('changes the named fields and leaves the rest', async () => {
      const { id } = await create()
      const { json } = await caller.call<WebhookBody>('PATCH', `/notification/webhooks/${id}`, { events: ['a', '*'] })
      json.should.containDeep({ name: 'flow', active: true, events: ['*'], config: { url, deliveryLogging: 'always' } })
    })

    it('removes a webhook', async () => {
      const { id } = await create()
      ;(await caller.call('DELETE', `/notification/webhooks/${id}`)).status.should.equal(204)
      ;(await caller.call('GET', `/notification/webhooks/${id}`)).status.should.equal(404)
      ;(await caller.call<object[]>('GET', '/notification/webhooks')).json.should.be.empty()
    })

    it('says what a webhook lacks', async () => {
      const lacking = await post({ events: [] })
      lacking.status.should.equal(400)
      lacking.json.errors.map(({ field }) => field).should.deepEqual(['name', 'active', 'config.url', 'events'])
      const wrong = await post({
        name: 'n',
        active: 'yes',
        events: ['*'],
        config: { url: 'file:///x', deliveryLogging: 'x' },
      })
      wrong.json.errors.map(({ field }) => field).should.deepEqual(['active', 'config.url', 'config.deliveryLogging'])
    })
  })
})
