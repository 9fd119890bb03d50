/**
 * "webhook" with real calls from the sandbox: other header names, rotated secrets, selected types, pings, and the order
 * of events.
 */
import should from 'should'
import type { HttpHandler } from '../../../lib/runtime/node-red/node-red'
import node from '../../../nodes/webhook/webhook'
import { removeFlow, startFlow, stopFlow, type FlowOptions } from '../../support/flow'
import { startPublicSide, type PublicSide } from '../../support/public-site'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'

describe('webhook, called by the service', () => {
  let service: Service
  let site: PublicSide
  const start = (settings: object = {}, secrets: object = { secret: 'new' }, more: Partial<FlowOptions> = {}) =>
    startFlow({
      type: 'eid-webhook',
      module: node,
      settings: { register: true, publicUrl: site.url, ...settings },
      secrets,
      client: { baseUrl: service.url },
      modules: [site.module],
      ...more,
    })
  const state = () => service.sandbox.world.notification
  const webhook = () => until(() => [...state().webhooks.values()][0])
  /** The delivery log of the service, once it has `count` entries. */
  const deliveries = async (count: number) => {
    const registered = await webhook()
    registered.deliveryLogging = 'always'
    return until(() => (registered.deliveries.length >= count ? registered.deliveries : undefined))
  }
  const emit = (documentId: string, type = 'document_signed') => {
    for (const one of state().webhooks.values()) one.deliveryLogging = 'always'
    service.sandbox.world.emit(type, { documentId }, [])
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
  afterEach(async () => {
    state().signatureHeader = 'X-EID-Signature'
    await removeFlow()
  })

  it('finds the signature in the header that the settings name, and in no other', async () => {
    state().signatureHeader = 'X-Brand-Signature'
    const flow = await start({ header: 'x-brand-SIGNATURE' })
    await until(() => flow.statuses.find(({ text }) => text === 'ping received'))
    emit('doc-1')
    should(await flow.next()).have.property('documentId', 'doc-1')
    const [latest] = await deliveries(1)
    should(latest?.requestHeaders).have.property('X-Brand-Signature')
    should(latest?.responseStatusCode).equal(204)
    state().signatureHeader = 'X-EID-Signature'
    emit('doc-2')
    should((await deliveries(2))[0]).have.properties({ responseStatusCode: 401 })
    should(flow.waiting().out).equal(0)
  })

  it('misses no event while a secret is replaced', async () => {
    await start({}, { secret: 'old' })
    const registered = await webhook()
    should(registered.secret).equal('old')
    await stopFlow()
    // The node knows both secrets, and registers the first one with the service.
    await service.fault({ operation: 'listWebhooks', kind: 'slow', delay: 400 })
    const rotating = await start({}, { secret: 'new', secret2: 'old' })
    emit('doc-1')
    should(await rotating.next()).have.property('documentId', 'doc-1')
    await until(() => registered.secret === 'new' || undefined)
    emit('doc-2')
    should(await rotating.next()).have.property('documentId', 'doc-2')
    await stopFlow()
    const rotated = await start({ register: false }, { secret: 'new' })
    emit('doc-3')
    // An event that was delivered in the turn of the deploy is sent once more, with a mark.
    const first = await rotated.next()
    should(first.redelivered === true ? await rotated.next() : first).have.property('documentId', 'doc-3')
    registered.secret = 'old'
    registered.deliveryLogging = 'always'
    emit('doc-4')
    const last = await until(() => registered.deliveries.find(({ requestBody }) => requestBody.includes('doc-4')))
    should(last).have.property('responseStatusCode', 401)
    should(rotated.waiting().out).equal(0)
  })

  it('is called for the types that it asks for only', async () => {
    const flow = await start({ events: 'document_signed; document_canceled share_created,deposit_terminated' })
    const registered = await webhook()
    should(registered.events).deepEqual(['document_signed', 'document_canceled', 'share_created', 'deposit_terminated'])
    emit('doc-1', 'document_read')
    emit('doc-2', 'document_canceled')
    should(await flow.next()).have.properties({ topic: 'document_canceled', documentId: 'doc-2' })
    should(flow.waiting().out).equal(0)
  })

  it('answers a ping that the service was asked for, and keeps it out of the flow', async () => {
    const flow = await start()
    await until(() => flow.statuses.find(({ text }) => text === 'ping received'))
    const registered = await webhook()
    registered.deliveryLogging = 'always'
    flow.send({})
    await flow.completed()
    const [ping] = await deliveries(1)
    should(ping).have.properties({ responseStatusCode: 204, errorMessage: '' })
    should(JSON.parse(ping?.requestBody ?? '')).have.property('type', 'ping')
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
  })

  it('answers before the flow gets to work', async () => {
    const order: string[] = []
    const httpNodeMiddleware: HttpHandler = (_request, response, next) => {
      response.end = new Proxy(response.end, {
        apply(end, self, args) {
          order.push('answered')
          return Reflect.apply(end, self, args) as unknown
        },
      })
      next()
    }
    const module = (RED: Parameters<typeof node>[0]) =>
      node({ ...RED, httpNode: RED.httpNode, settings: { ...RED.settings, httpNodeMiddleware } })
    const flow = await start({}, { secret: 'new' }, { module })
    flow.node('out0').on('input', () => void order.push('at work'))
    await until(() => flow.statuses.find(({ text }) => text === 'ping received'))
    order.length = 0
    emit('doc-1')
    await flow.next()
    should(order).deepEqual(['answered', 'at work'])
  })
})
