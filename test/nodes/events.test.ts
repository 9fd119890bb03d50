/** "events" against the sandbox's queue: both ways of marking, locks, filters, errors, close. */
import should from 'should'
import node from '../../nodes/events/events'
import { startFlow, stopFlow } from './flow'
import { pause, startParties, until, type Parties } from './parties'
import { startService, type Service } from './service'

interface ServiceEvent {
  id: string
  type: string
  payload: Record<string, unknown>
  tags: string[] | null
}

describe('events', () => {
  let service: Service
  let parties: Parties
  const start = (settings: object = {}, client: object = {}) =>
    startFlow({
      type: 'eid-events',
      module: node,
      settings: { interval: 0.1, ...settings },
      client: { baseUrl: service.url, retries: 0, ...client },
    })
  const mock = (eventType: string) => parties.call<ServiceEvent>('POST', '/notification/events/mock', { eventType })
  const left = () => parties.call<ServiceEvent[]>('GET', '/notification/events/peek')

  before(async () => {
    service = await startService()
  })
  after(() => service.close())
  beforeEach(async () => {
    await service.reset()
    parties = await startParties(service)
  })
  afterEach(stopFlow)

  it('gives one message per event and marks them handled', async () => {
    const events = [await mock('document_signed'), await mock('share_downloaded'), await mock('something_new')]
    const flow = await start()
    for (const event of events) {
      const msg = await flow.next()
      should(msg).have.properties({ payload: event, topic: event.type, eventId: event.id })
    }
    await until(async () => (await left()).length === 0 || undefined)
    await pause(300)
    should(flow.waiting().out).equal(0)
    should((await service.requests('handleEvents')).map(({ body }) => body)).deepEqual([events.map(({ id }) => id)])
  })

  it('drains a long queue without a pause', async () => {
    for (let number = 0; number < 250; number++) await mock(`type_${number}`)
    const flow = await start({ interval: 30 })
    for (let number = 0; number < 250; number++) should((await flow.next()).topic).equal(`type_${number}`)
    should((await service.requests('pullEvents')).length).equal(3)
  })

  it('marks an event when its message comes back, and gives it again when it never does', async () => {
    const [first, second] = [await mock('document_signed'), await mock('document_packaged')]
    const flow = await start({ acknowledge: 'when-returned' })
    const msg = await flow.next()
    await flow.next()
    await pause(300)
    should((await left()).map(({ id }) => id)).deepEqual([first.id, second.id])
    flow.send({ ...msg, payload: 'worked on' })
    should((await flow.completed()).eventId).equal(first.id)
    should((await left()).map(({ id }) => id)).deepEqual([second.id])
    should(flow.waiting().out).equal(0)
    await service.sandbox.clock.advance(11 * 60_000)
    should((await flow.next()).eventId).equal(second.id)
  })

  it('takes the id from where the settings say, and does not mind one that is gone', async () => {
    const event = await mock('document_signed')
    const flow = await start({ acknowledge: 'when-returned', eventId: 'payload.id' })
    const msg = await flow.next()
    flow.send({ payload: msg.payload })
    await flow.completed()
    flow.send({ payload: event })
    await flow.completed()
    should(await left()).deepEqual([])
  })

  it('refuses a message that comes back without an id', async () => {
    const flow = await start({ acknowledge: 'when-returned' })
    flow.send({ payload: 'lost' })
    const caught = await flow.caught()
    should(caught.error.cause.problems).deepEqual([{ path: 'eventId', problem: 'eventId is missing' }])
    should(caught.payload).equal('lost')
  })

  it('does not hand an event over twice when marking it failed', async () => {
    await service.fault({ kind: 'status', operation: 'handleEvents', status: 500 })
    const event = await mock('document_signed')
    const flow = await start()
    should((await flow.next()).eventId).equal(event.id)
    should((await flow.caught()).error.code).equal('EID_SERVICE')
    await service.sandbox.clock.advance(11 * 60_000)
    await until(async () => (await left()).length === 0 || undefined)
    should(flow.waiting().out).equal(0)
  })

  it('asks for the types and tags of the settings', async () => {
    await mock('document_read')
    const wanted = [await mock('document_signed'), await mock('document_canceled')]
    const flow = await start({ eventTypes: 'document_signed, document_canceled', tags: 'mock' })
    should([(await flow.next()).eventId, (await flow.next()).eventId]).deepEqual(wanted.map(({ id }) => id))
    await until(async () => ((await left()).length === 1 ? true : undefined))
    should((await left()).map(({ type }) => type)).deepEqual(['document_read'])
  })

  it('reports an outage once, asks more seldom, and recovers', async () => {
    await service.fault({ kind: 'status', operation: 'pullEvents', status: 500, count: 3 })
    const flow = await start()
    const { error } = await flow.caught()
    should(error.code).equal('EID_SERVICE')
    await until(() => flow.statuses.find(({ fill, text }) => fill === 'red' && text === 'service failed'))
    await mock('document_signed')
    should((await flow.next()).topic).equal('document_signed')
    should(flow.waiting().caught).equal(0)
    const times = (await service.requests('pullEvents')).map((one) => Date.parse((one as { at?: string }).at ?? ''))
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    // 0.2, 0.4 and 0.8 seconds after the failures.
    should(gaps.slice(0, 3).every((gap, index) => gap >= 180 * 2 ** index)).be.true()
  })

  it('reports that no client is chosen', async () => {
    const flow = await start({ client: '' })
    await until(() => flow.statuses.find(({ text }) => text === 'settings incomplete'))
    should((await flow.caught()).error.code).equal('EID_CONFIG')
  })

  it('asks nothing any more after close, also in mid-call', async () => {
    await service.fault({ kind: 'slow', operation: 'pullEvents', delay: 5000, count: 1 })
    const flow = await start()
    await pause(200)
    const begun = Date.now()
    await stopFlow()
    should(Date.now() - begun).below(1000)
    const before = (await service.requests('pullEvents')).length
    await pause(400)
    should(await service.requests('pullEvents')).have.length(before)
    should(flow.waiting().caught).equal(0)
  })
})
