/**
 * Every type of a typed input, in the requests that are sent: what it reads, and its error if the value cannot be
 * determined.
 */
import should from 'should'
import node from '../../../nodes/request/request'
import { startFlow, stopFlow, type Flow } from '../../support/flow'
import { startService, type Service } from '../../support/service'

const event = { eventType: 'document_signed' }

describe('typed inputs', () => {
  let service: Service
  let flow: Flow
  const start = async (settings: object) => {
    const call = { method: 'POST', path: '/notification/events/mock' }
    flow = await startFlow({
      type: 'eid-request',
      module: node,
      settings: { ...call, ...settings },
      client: { baseUrl: service.url },
    })
  }
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(async () => {
    process.env.EID_TYPED = '/notification/events/mock'
    await service.reset()
  })
  afterEach(async () => {
    delete process.env.EID_TYPED
    await stopFlow()
  })

  const good: readonly [string, object, object][] = [
    ['a property of the message', { body: 'a.b[0]', bodyType: 'msg' }, { a: { b: [event] } }],
    ['JSON', { body: JSON.stringify(event), bodyType: 'json' }, {}],
    ['JSONata', { body: '{"eventType": kind & "_signed"}', bodyType: 'jsonata' }, { kind: 'document' }],
    [
      'JSONata with a function of its own',
      { body: '($f := function() { kind }; {"eventType": $f()})', bodyType: 'jsonata' },
      { kind: event.eventType },
    ],
    ['the flow context', { body: 'kept', bodyType: 'flow' }, {}],
    ['the global context', { body: 'kept', bodyType: 'global' }, {}],
    ['the environment', { body: 'payload', bodyType: 'msg', path: 'EID_TYPED', pathType: 'env' }, { payload: event }],
  ]
  for (const [what, settings, msg] of good) {
    it(`${what} is read for every message`, async () => {
      await start(settings)
      flow.node().context().flow.set('kept', event)
      flow.node().context().global.set('kept', event)
      flow.send({ ...msg })
      await flow.next()
      should((await service.requests('mockEvent'))[0]?.body).deepEqual(event)
      await flow.completed()
    })
  }

  const bad: readonly [string, object, object, string][] = [
    ['JSONata that is none', { body: '{"a": ', bodyType: 'jsonata' }, {}, 'body'],
    ['JSONata that fails', { body: '$number("x")', bodyType: 'jsonata' }, {}, 'body'],
    ['JSON that is none', { query: '{"a": ', queryType: 'json' }, {}, 'query'],
    ['a variable that is not set, for a required setting', { path: 'EID_TYPED_UNSET', pathType: 'env' }, {}, 'path'],
    ['a context that is empty, for a required setting', { path: 'nothing', pathType: 'flow' }, {}, 'path'],
    ['a property of nothing, for a required setting', { path: 'a.b.c', pathType: 'msg' }, { a: 1 }, 'path'],
    ['a number where an object is wanted', { query: 'n', queryType: 'msg' }, { n: 5 }, 'query'],
  ]
  for (const [what, settings, msg, path] of bad) {
    it(`${what} is refused before any call, by name`, async () => {
      await start(settings)
      flow.send({ ...msg, kept: 'as it came' })
      const caught = await flow.caught()
      should(caught.error.code).equal('EID_INVALID_INPUT')
      should(caught.error.cause.outcome).equal('not-done')
      should(caught.error.cause.problems).be.an.Array().and.have.length(1)
      should((caught.error.cause.problems as { path: string }[])[0]?.path).equal(path)
      should(caught.kept).equal('as it came')
      should(await service.requests()).deepEqual([])
    })
  }
})
