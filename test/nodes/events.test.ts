/** "events" against the sandbox: both ways of acknowledging, filters, locks, outages, and closing. */
import should from 'should'
import node from '../../nodes/events/events'
import { fields } from '../../nodes/events/events.fields'
import { startFlow, stopFlow } from '../support/flow'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'
import { saying, sentence } from '../support/wording'

describe('events', () => {
  let service: Service
  const real = { wall: Date.now, now: performance.now.bind(performance) }
  const start = (settings: object = {}, client: object = {}) =>
    startFlow({
      type: 'eid-events',
      module: node,
      settings: { interval: 0.05, ...settings },
      client: { baseUrl: service.url, retries: 0, ...client },
    })
  const emit = (count: number, type = 'document_signed', tags: string[] = []) => {
    for (let n = 0; n < count; n++) service.sandbox.world.emit(type, { documentId: `doc-${n}` }, tags)
  }
  const queued = () => service.sandbox.world.notification.events.size
  const pulls = async () => (await service.requests('pullEvents')).length

  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(async () => {
    Date.now = real.wall
    performance.now = real.now
    await stopFlow()
  })

  it('hands out one message per event and marks them as handled', async () => {
    emit(2)
    const flow = await start()
    const msg = await flow.next()
    should(msg).have.properties({ topic: 'document_signed', documentId: 'doc-0', statusCode: 200 })
    const { id, ...event } = msg.payload as Record<string, unknown>
    should(id).be.a.String().and.equal(msg.eventId)
    should(event).containDeep({ type: 'document_signed', payload: { documentId: 'doc-0' } })
    should(await flow.next()).have.property('documentId', 'doc-1')
    await until(() => queued() === 0)
    should((await service.requests('handleEvents')).length).equal(1)
    await until(() => flow.statuses.some(({ fill, text }) => fill === 'green' && text === '2 events'))
  })

  it('says once that there are entries without an id, and hands out the others', async () => {
    const event = { id: 'e-1', type: 'document_signed', payload: { documentId: 'doc-1' } }
    const body = [{ ...event, id: 7 }, event, { type: 'document_signed' }, 'x']
    await service.fault({ operation: 'pullEvents', kind: 'status', status: 200, body, count: 9 })
    const flow = await start()
    should(await flow.next()).have.property('eventId', 'e-1')
    const before = await pulls()
    await until(async () => (await pulls()) > before + 2)
    const told = flow.warnings.filter((one) => saying('events', 'warnings.unfit').test(one))
    should(told).deepEqual([sentence('events', 'warnings.unfit', { count: 3 })])
  })

  it('gives the ids that the next node looks for, however the family spells them', async () => {
    const { world } = service.sandbox
    world.emit('share_created', { Id: 'share-1', ExternalId: 'x' }, [])
    world.emit('deposit_created', { depositId: 'deposit-1' }, [])
    const flow = await start()
    should(await flow.next()).have.property('shareId', 'share-1')
    should(await flow.next())
      .have.property('depositId', 'deposit-1')
      .and.not.have.property('shareId')
  })

  it('empties a full queue without waiting', async () => {
    emit(250)
    const flow = await start({ interval: 3600 })
    await until(() => flow.waiting().out === 250)
    await until(() => queued() === 0)
    should(await pulls()).equal(3)
  })

  it('polls at the set interval, every ten seconds by default', async () => {
    const begun = performance.now()
    await start({ interval: 1 })
    await until(async () => (await pulls()) === 3)
    should(performance.now() - begun).be.aboveOrEqual(1_990)
    should(fields.interval.initial).equal(10)
  })

  it('keeps an event until it comes back', async () => {
    emit(2)
    const flow = await start({ acknowledge: 'when-returned' })
    const first = await flow.next()
    const second = await flow.next()
    const before = await pulls()
    await until(async () => (await pulls()) > before + 2)
    should(queued()).equal(2)
    should(flow.waiting().out).equal(0)
    flow.send({ ...first, payload: 'worked on' })
    should((await flow.completed()).eventId).equal(first.eventId)
    should([...service.sandbox.world.notification.events.keys()]).deepEqual([second.eventId])
  })

  it('does not deliver an event again that a deploy kept it from marking as handled', async () => {
    emit(1)
    await service.fault({ operation: 'handleEvents', kind: 'status', status: 500, count: 1000 })
    const flow = await start()
    await flow.next()
    await flow.redeploy({ name: 'changed' })
    service.sandbox.world.faults.clear()
    service.sandbox.world.notification.locks.clear()
    await until(() => queued() === 0)
    should(flow.waiting().out).equal(0)
  })

  it('delivers an event again when the lock is over, and not before, also when the clock is an hour back', async () => {
    emit(1)
    const flow = await start({ acknowledge: 'when-returned' })
    const { eventId } = await flow.next()
    // The service loses its locks.
    service.sandbox.world.notification.locks.clear()
    const before = await pulls()
    await until(async () => (await pulls()) > before + 2)
    should(flow.waiting().out).equal(0)
    service.sandbox.world.notification.locks.clear()
    Date.now = () => real.wall() - 3_600_000
    performance.now = () => real.now() + 601_000
    should(await flow.next()).have.properties({ eventId, redelivered: true })
  })

  it('takes only the wanted types and tags', async () => {
    emit(1, 'document_created', ['rent'])
    emit(1, 'document_signed', ['rent'])
    emit(1, 'document_canceled', ['rent'])
    emit(1, 'document_signed', ['sale'])
    const flow = await start({ eventTypes: 'document_signed, document_canceled', tags: 'rent other' })
    should([(await flow.next()).topic, (await flow.next()).topic]).deepEqual(['document_signed', 'document_canceled'])
    const before = await pulls()
    await until(async () => (await pulls()) > before + 1)
    should(flow.waiting().out).equal(0)
    should(queued()).equal(2)
  })

  for (const [settings, topics] of [
    [{ eventTypes: 'a;b  c,d' }, ['a', 'b', 'c', 'd']],
    [{ tags: 'x' }, ['a', 'c']],
    [{ tags: 'x,y' }, ['a', 'b', 'c']],
    [{ eventTypes: 'b c', tags: 'x z' }, ['c']],
    [{ eventTypes: '', tags: ' ' }, ['a', 'b', 'c', 'd', 'e']],
    [{ eventTypes: 'A' }, []],
  ] as const) {
    it(`takes ${topics.length} of five with ${JSON.stringify(settings)}, and leaves the others to others`, async () => {
      for (const [type, tags] of [
        ['a', ['x']],
        ['b', ['y']],
        ['c', ['x', 'y']],
        ['d', []],
        ['e', []],
      ] as const) {
        emit(1, type, [...tags])
      }
      const flow = await start(settings)
      for (const topic of topics) should(await flow.next()).have.property('topic', topic)
      const before = await pulls()
      await until(async () => (await pulls()) > before + 1)
      should(flow.waiting().out).equal(0)
      should(queued()).equal(5 - topics.length)
      await stopFlow()
      const other = await start()
      await until(() => queued() === 0)
      should(other.waiting().out).equal(5 - topics.length)
    })
  }

  it('reports an outage once, asks less often, and recovers', async () => {
    await service.fault({ kind: 'status', operation: 'pullEvents', status: 503, count: 3 })
    emit(1)
    const flow = await start()
    const { error } = await flow.caught()
    should(error.code).equal('EID_SERVICE')
    await until(() => flow.statuses.at(-1)?.text === 'service failed (503)')
    should(await flow.next()).have.property('topic', 'document_signed')
    should(flow.waiting().caught).equal(0)
    await until(() => flow.statuses.at(-1)?.fill !== 'red')
    await service.fault({ kind: 'status', operation: 'pullEvents', status: 403 })
    should((await flow.caught()).error.code).equal('EID_FORBIDDEN')
  })

  it('never delivers an event twice that it could not mark as handled', async () => {
    await service.fault({ kind: 'status', operation: 'handleEvents', status: 500 })
    emit(3)
    const flow = await start()
    await flow.caught()
    await until(() => queued() === 0)
    should(flow.waiting().out).equal(3)
  })

  it('marks one by one when the list is refused', async () => {
    await service.fault({ kind: 'status', operation: 'handleEvents', status: 400 })
    emit(2)
    const flow = await start()
    await until(() => queued() === 0)
    should((await service.requests('handleEvent')).length).equal(2)
    should(flow.waiting()).containEql({ out: 2, caught: 0 })
  })

  it('takes the id from the property in the settings, and accepts one that is gone', async () => {
    emit(1)
    const flow = await start({ acknowledge: 'when-returned', interval: 3600, eventId: 'kept.id' })
    const { eventId } = await flow.next()
    flow.send({ kept: { id: eventId } })
    await flow.completed()
    should(queued()).equal(0)
    flow.send({ kept: { id: eventId } })
    await flow.completed()
    should(flow.waiting().caught).equal(0)
  })

  it('refuses a returning message without an id', async () => {
    const flow = await start({ acknowledge: 'when-returned', interval: 3600 })
    flow.send({ payload: 1 })
    should((await flow.caught()).error.cause.problems).deepEqual([
      { path: 'eventId', problem: 'Event id is missing: msg.eventId has no value' },
    ])
    should(flow.waiting().completed).equal(0)
  })

  it('says that no client is chosen, and that the answer is not a list', async () => {
    const flow = await start({ client: '' })
    should((await flow.caught()).error.code).equal('EID_CONFIG')
    await stopFlow()
    await service.fault({ kind: 'status', operation: 'pullEvents', status: 200, body: { events: [] } })
    const other = await start()
    should((await other.caught()).error.code).equal('EID_SERVICE')
  })

  it('continues when the service refuses to mark one of them, and does not deliver it again', async () => {
    emit(2)
    await service.fault({ operation: 'handleEvents', kind: 'status', status: 400, count: 1 })
    await service.fault({ operation: 'handleEvent', kind: 'status', status: 409, count: 1 })
    const flow = await start()
    const [first] = [await flow.next(), await flow.next()]
    should((await flow.caught()).error.code).equal('EID_REFUSED')
    await until(() => queued() === 1)
    should([...service.sandbox.world.notification.events.keys()]).deepEqual([first.eventId])
    service.sandbox.world.notification.locks.clear()
    emit(1, 'document_canceled')
    should((await flow.next()).topic).equal('document_canceled')
    await until(() => queued() === 1)
    should(flow.waiting()).containEql({ out: 0, caught: 0 })
  })

  for (const id of ['..', '.', 'a/b', '?a=b', '\ud800']) {
    it(`puts an event with the odd id ${JSON.stringify(id)} aside when the service refuses to mark it`, async () => {
      const body = [{ id, type: 'document_signed' }]
      await service.fault({ operation: 'pullEvents', kind: 'status', status: 200, body, count: 2 })
      await service.fault({ operation: 'handleEvents', kind: 'status', status: 400, count: 2 })
      const flow = await start()
      should((await flow.next()).eventId).equal(id)
      should((await flow.caught()).error.code).equal('EID_REFUSED')
      emit(1, 'document_canceled')
      should((await flow.next()).topic).equal('document_canceled')
      await until(() => queued() === 0)
      should(flow.waiting()).containEql({ out: 0, caught: 0 })
    })
  }

  it('stops while it waits for an answer and hands out nothing afterwards', async () => {
    await service.fault({ kind: 'slow', operation: 'pullEvents', delay: 600_000 })
    emit(1)
    const flow = await start()
    await until(async () => (await pulls()) > 0)
    await stopFlow()
    should(flow.waiting()).containEql({ out: 0, caught: 0 })
    should(queued()).equal(1)
  })
})
