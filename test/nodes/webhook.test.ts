/** "webhook" over HTTP: signatures, raw bytes, repeated events, registration with the sandbox, and closing. */
import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import should from 'should'
import type { HttpHandler, Runtime } from '../../lib/runtime/node-red/node-red'
import embed from '../../nodes/embed/embed'
import node from '../../nodes/webhook/webhook'
import { removeFlow, startFlow, stopFlow, type FlowOptions } from '../support/flow'
import { startPublicSide, type PublicSide } from '../support/public-site'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'

describe('webhook', () => {
  let service: Service
  let site: PublicSide
  const secret = 'first secret'
  const start = (settings: object = {}, secrets: object = { secret }, more: Partial<FlowOptions> = {}) =>
    startFlow({
      type: 'eid-webhook',
      module: node,
      settings,
      secrets,
      client: { baseUrl: service.url, environment: 'sandbox' },
      modules: [site.module],
      ...more,
    })
  const sign = (body: string | Buffer, key = secret) => createHmac('sha256', key).update(body).digest('hex')
  const eventOf = (id: string = randomUUID(), type = 'document_signed') =>
    JSON.stringify({ id, type, payload: { documentId: 'doc-1' }, tags: null })
  const post = async (body: string | Buffer, signature = sign(body), path = '/eid/webhook') => {
    const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature }
    return (await fetch(site.url + path, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) })).status
  }

  before(async () => {
    service = await startService()
    site = await startPublicSide()
  })
  after(async () => {
    await service.close()
    await site.close()
  })
  beforeEach(() => service.reset())
  afterEach(removeFlow)

  it('lets a signed event in, with the id that the next node looks for', async () => {
    const flow = await start()
    should(await post(eventOf('let-in'))).equal(204)
    const { payload, ...msg } = await flow.next()
    should(msg).have.properties({ topic: 'document_signed', eventId: 'let-in', documentId: 'doc-1' })
    should(payload).deepEqual(JSON.parse(eventOf('let-in')))
  })

  it('refuses forged, missing and mis-spelt signatures', async () => {
    const flow = await start()
    const body = eventOf()
    const wrong = ['', sign(body, 'another secret'), sign(body).toUpperCase(), sign(body).slice(1), `${sign(body)}0`]
    for (const signature of wrong) should(await post(body, signature)).equal(401)
    should(await post(body.replace('doc-1', 'doc-2'), sign(body))).equal(401)
    const shown = await until(() => flow.statuses.find(({ text }) => text === 'call refused: wrong signature'))
    should(shown).have.properties({ fill: 'red', shape: 'ring' })
    // The refused calls produce no message: the first message is that of the next accepted call.
    should(await post(eventOf('good'))).equal(204)
    should((await flow.next()).eventId).equal('good')
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  it('takes the published example of a signature', async () => {
    await start({}, { secret: 'your-secret-token' })
    const signature = 'def564b8df06ae55c788493cb414068b2cf017385d96ecb39aa3e844fdbbcdea'
    should(await post('{"message":"Hello, world"}', signature)).equal(204)
  })

  it('accepts the second secret while one is being replaced', async () => {
    const flow = await start({}, { secret: 'new', secret2: secret })
    should(await post(eventOf('by-old'))).equal(204)
    should(await flow.next()).have.property('eventId', 'by-old')
    const body = eventOf('by-new')
    should(await post(body, sign(body, 'new'))).equal(204)
    should(await flow.next()).have.property('eventId', 'by-new')
  })

  it('takes nothing without a secret', async () => {
    const flow = await start({}, {})
    const body = eventOf()
    should(await post(body, sign(body, ''))).equal(401)
    should(await post(body, '')).equal(401)
    await until(() => flow.statuses.some(({ fill, text }) => fill === 'red' && text === 'no secret: all calls refused'))
    should(flow.waiting().out).equal(0)
  })

  it('checks the signature over the received bytes, not over their meaning', async () => {
    const flow = await start()
    const body = '{ "type":"document_signed",\n\t"id":"r\\u00e5",  "n": 1.0 }'
    should(await post(JSON.stringify(JSON.parse(body)), sign(body))).equal(401)
    should(await post(body)).equal(204)
    should((await flow.next()).eventId).equal('rå')
  })

  it('refuses calls whose body was read before, unless the bytes were kept', async () => {
    const kept = eventOf('kept')
    const earlier: object[] = [{ body: JSON.parse(kept) as unknown }, { body: {}, rawBody: Buffer.from(kept) }]
    const flow = await start(
      {},
      { secret },
      {
        module(RED) {
          const httpNodeMiddleware: HttpHandler = (request, _response, next) => {
            Object.assign(request, earlier.shift())
            next()
          }
          node({ ...RED, httpNode: RED.httpNode, settings: { ...RED.settings, httpNodeMiddleware } })
        },
      },
    )
    should(await post(kept)).equal(500)
    await until(() => flow.statuses.some(({ text }) => text === 'call refused: already read'))
    should(await post(kept)).equal(204)
    should((await flow.next()).eventId).equal('kept')
  })

  it('refuses anything but an event, and anything too large', async () => {
    const flow = await start()
    for (const body of ['[]', 'null', '"text"', '{', '']) should(await post(body)).equal(400)
    const large = Buffer.alloc(1024 * 1024 + 1, ' ')
    should(await post(large)).equal(413)
    should(await postInParts(`${site.url}/eid/webhook`, large)).equal(413)
    should(await post(eventOf())).equal(204)
    await flow.next()
  })

  it('serves POST on its own path only', async () => {
    await start({ path: 'hooks/one/' })
    should((await fetch(`${site.url}/hooks/one`)).status).equal(404)
    should(await post(eventOf(), undefined, '/hooks/one/more')).equal(404)
    should(await post(eventOf(), undefined, '/hooks')).equal(404)
    const body = eventOf()
    should(await post(body, sign(body), '/hooks/one')).equal(204)
  })

  it('takes letters of every language in its path', async () => {
    const flow = await start({ path: '/på vent' })
    const body = eventOf()
    should(await post(body, sign(body), '/på vent')).equal(204)
    await flow.next()
  })

  it('lets an event in once, however often and however fast it comes', async () => {
    const flow = await start()
    const body = eventOf('again')
    should(await Promise.all(Array.from({ length: 20 }, () => post(body)))).matchEach(204)
    should(await post(eventOf('other'))).equal(204)
    should((await flow.next()).eventId).equal('again')
    should((await flow.next()).eventId).equal('other')
    should(flow.waiting().out).equal(0)
  })

  it('remembers events over a deploy', async () => {
    const flow = await start()
    should(await post(eventOf('before'))).equal(204)
    await flow.next()
    await flow.redeploy({ name: 'changed' })
    should(await post(eventOf('before'))).equal(204)
    should(await post(eventOf('after'))).equal(204)
    should((await flow.next()).eventId).equal('after')
  })

  it('names a secret that the environment does not have, and takes nothing', async () => {
    const flow = await start({}, { secret: '${EID_NO_SUCH_SECRET}' })
    const { error } = await flow.caught()
    should(error.code).equal('EID_CONFIG')
    should(error.message).match(/EID_NO_SUCH_SECRET.*Secret/)
    const body = eventOf()
    should(await post(body, sign(body, '${EID_NO_SUCH_SECRET}'))).equal(503)
  })

  it('gives a path to one node only', async () => {
    const twin = { id: 'twin', z: 'f', type: 'eid-webhook', wires: [] }
    const flow = await start({}, { secret }, { more: [twin] })
    const { error } = await flow.caught()
    should(error).have.properties({ code: 'EID_INVALID_INPUT' })
    should(error.message).match(/Path is not available/)
    should(error.source.id).equal('twin')
  })

  it('does not take the root', async () => {
    const flow = await start({ path: '/' })
    should((await flow.caught()).error.message).match(/Path cannot be the root/)
  })

  /** Loads the nodes in the same order as Node-RED. */
  const withEmbed = (RED: Runtime) => [embed, node].forEach((load) => load(RED))

  it('may lie below the path of embed', async () => {
    const pages = { id: 'pages', z: 'f', type: 'eid-embed', client: 'c', path: '/hooks', wires: [[], [], []] }
    const flow = await start({ path: '/hooks/webhook' }, { secret }, { more: [pages], module: withEmbed })
    should(await post(eventOf('below'), undefined, '/hooks/webhook')).equal(204)
    should(await flow.next()).have.property('eventId', 'below')
    should((await fetch(`${site.url}/hooks/webhook`)).status).equal(410)
  })

  it('gives a path to one node only, of whatever kind', async () => {
    const twin = { id: 'twin', z: 'f', type: 'eid-embed', client: 'c', path: '/eid/webhook', wires: [[], [], []] }
    const flow = await start({}, { secret }, { more: [twin], module: withEmbed })
    flow.send({ payload: { url: service.url } }, 'twin')
    const { error } = await flow.caught()
    should(error.source.id).equal('twin')
    should(error.message).match(/Path is not available/)
  })

  it('asks its callers to come back after the end of the flow', async () => {
    await start()
    await stopFlow()
    should(await post(eventOf())).equal(503)
  })

  describe('registering', () => {
    const registering = () => ({ register: true, publicUrl: site.url, events: 'document_signed, document_canceled' })
    const webhooks = () => [...service.sandbox.world.notification.webhooks.values()]

    it('makes the webhook, answers its ping and receives what happens', async () => {
      const flow = await start(registering())
      await until(() => webhooks().length === 1)
      should(webhooks()[0]).have.properties({
        url: `${site.url}/eid/webhook`,
        active: true,
        secret,
        events: ['document_signed', 'document_canceled'],
      })
      await until(() => flow.statuses.some(({ text }) => text === 'ping received'))
      service.sandbox.world.emit('document_signed', { documentId: 'doc-9' }, [])
      should(await flow.next()).have.properties({ topic: 'document_signed', documentId: 'doc-9' })
    })

    it('updates the webhook that has its address', async () => {
      const flow = await start(registering())
      await until(() => webhooks().length === 1)
      await flow.redeploy({ events: '*' })
      await until(() => webhooks()[0]?.events[0] === '*')
      should(webhooks().length).equal(1)
      should((await service.requests('updateWebhook')).length).equal(1)
    })

    it('pings when a message comes in, and registers again on demand', async () => {
      const flow = await start(registering())
      await until(() => webhooks().length === 1)
      flow.send({ payload: 1 })
      await flow.completed()
      should((await service.requests('pingWebhook')).length).equal(1)
      flow.send({ topic: 'register' })
      await flow.completed()
      should((await service.requests('updateWebhook')).length).equal(1)
    })

    it('reports when the service refuses, and tries again with the next message', async () => {
      await service.fault({ operation: 'listWebhooks', kind: 'status', status: 403 })
      const flow = await start(registering())
      should((await flow.caught()).error.code).equal('EID_FORBIDDEN')
      await until(() => flow.statuses.some(({ fill, text }) => fill === 'red' && text === 'scope missing: event'))
      flow.send({})
      await flow.completed()
      should(webhooks().length).equal(1)
    })

    it('needs an address, a secret and the tick', async () => {
      const unticked = await start()
      unticked.send({})
      should((await unticked.caught()).error.message).match(/Register webhook is not ticked/)
      await stopFlow()
      const nowhere = await start({ ...registering(), publicUrl: '' })
      should((await nowhere.caught()).error.message).match(/Public address is missing/)
      await stopFlow()
      const open = await start(registering(), {})
      should((await open.caught()).error.message).match(/Secret is missing/)
      should(webhooks().length).equal(0)
    })
  })
})

/** Sends a body without its length. */
function postInParts(url: string, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST' }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.write(body.subarray(0, 1000))
    sent.end(body.subarray(1000))
  })
}
