/** "request" against the sandbox: any call, with a token that is never sent to another host. */
import should from 'should'
import fc from 'fast-check'
import { operations } from '../../lib/api/operations/operations'
import { knownCalls } from '../../nodes/client/known-calls'
import node from '../../nodes/request/request'
import { anyText } from '../support/any-text'
import { startFlow, stopFlow } from '../support/flow'
import { startServer } from '../support/servers/server'
import { startService, type Service } from '../support/service'
import { sentence } from '../support/wording'

describe('request', () => {
  let service: Service
  const start = (settings: object, client: object = {}) =>
    startFlow({ type: 'eid-request', module: node, settings, client: { baseUrl: service.url, ...client } })
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  it('sends a query, and returns an object', async () => {
    const flow = await start({ path: '/signature/documents/summary', query: '{"limit":5,"title":"a & b"}' })
    flow.send({ kept: 1 })
    const msg = await flow.next()
    should(msg.payload).have.property('data').which.is.an.Array()
    should(msg).have.properties({ statusCode: 200, kept: 1 })
    const [asked] = await service.requests('listDocuments')
    should(asked?.query).deepEqual({ limit: '5', title: 'a & b' })
  })

  it('keeps the query that a path brings, and adds to it', async () => {
    const flow = await start({ path: '/signature/documents/summary?limit=5&title=O%27Brien', query: '{"offset":0}' })
    flow.send({})
    await flow.next()
    const [asked] = await service.requests('listDocuments')
    should(asked?.query).deepEqual({ limit: '5', title: "O'Brien", offset: '0' })
  })

  it('puts ids of the message where their names are in braces, and refuses what is not an id', async () => {
    const flow = await start({ path: '/deposit/personal/{depositId}' })
    flow.send({ depositId: 'deposit-funded-1' })
    should((await flow.next()).payload).have.property('id', 'deposit-funded-1')
    flow.send({})
    const { error } = await flow.caught()
    should(error.message).match(/^Deposit id is missing: msg.depositId has no value. Nothing was sent/)
    for (const depositId of ['../summary', 'a/b', 'a?b', '', {}, '\n']) {
      flow.send({ depositId })
      should((await flow.caught()).error).match({ code: 'EID_INVALID_INPUT', cause: { outcome: 'not-done' } })
    }
    should(await service.requests('getDeposit')).have.length(1)
  })

  it('offers every known call, by the ids that nodes leave on a message', () => {
    const calls = knownCalls()
    should(calls).have.length(Object.keys(operations).length)
    should(calls).containEql('GET /signature/documents/{documentId}/signers/{signerId}')
    should(calls).containEql('DELETE /share/buckets/{shareId}')
    should(calls).containEql('POST /notification/events/{eventId}/handle')
    should(calls.filter((one) => !/^(GET|POST|PUT|PATCH|DELETE) \/[\w{}/-]+$/.test(one))).be.empty()
  })

  it('sends a body, and gives text or a Buffer', async () => {
    const path = '/notification/events/mock'
    const settings = { method: 'POST', path, body: '{"eventType":"document_signed"}', bodyType: 'json' }
    let flow = await start({ ...settings, response: 'text' })
    flow.send({})
    should((await flow.next()).payload).be.a.String()
    await stopFlow()
    flow = await start({ ...settings, response: 'buffer' })
    flow.send({})
    should(Buffer.isBuffer((await flow.next()).payload)).be.true()
    should((await service.requests('mockEvent'))[0]?.body).deepEqual({ eventType: 'document_signed' })
  })

  it('says what was done when the service says nothing', async () => {
    const flow = await start({ method: 'POST', path: '/deposit/personal/deposit-unfunded-1/cancel' })
    flow.send({})
    should((await flow.next()).payload).have.property('operation', 'POST /deposit/personal/deposit-unfunded-1/cancel')
  })

  const elsewhere = [
    'http://other.example/x',
    '//other.example/x',
    '/\\other.example',
    'signature',
    '/../x',
    '/a/%2e%2e/x',
    '/a\nb',
    '/a?b=\n1',
    '/a?b=\t1',
    '/a?b=1#c',
    '/a\\\\other.example/x',
    '@other.example/x',
    '/a#b',
    '/%ZZ',
  ]
  for (const path of elsewhere) {
    it(`refuses ${JSON.stringify(path)}`, async () => {
      const flow = await start({ path: 'path', pathType: 'msg' })
      flow.send({ path })
      should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
      should(await service.requests()).have.length(0)
    })
  }

  it('never leaves the client’s address, whatever the path is', async () => {
    const flow = await start({ path: 'path', pathType: 'msg' }, { retries: 0 })
    await fc.assert(
      fc.asyncProperty(anyText(), async (text) => {
        flow.send({ path: text })
        const msg = await Promise.race([flow.next(), flow.caught()])
        should(JSON.stringify(msg.error ?? {})).not.match(/ENOTFOUND|EAI_AGAIN/)
      }),
      { numRuns: 200 },
    )
  })

  for (const [path, calls, outcome] of [
    ['/deposit/personal/deposit-funded-1/terminate', 1, 'unknown'],
    ['/deposit/personal/', 1, 'unknown'],
    ['/signature/documents/document-unsigned/cancel?reason=x', 1, 'unknown'],
  ] as const) {
    it(`repeats POST ${path} as the rule of that call says when a gateway answers 503`, async () => {
      const flow = await start({ method: 'POST', path }, { retries: 2 })
      await service.fault({
        method: 'POST',
        path: path.split('?')[0],
        kind: 'status',
        status: 503,
        retryAfter: '0',
        count: 9,
      })
      flow.send({ payload: {} })
      should((await flow.caught()).error.cause.outcome).equal(outcome)
      should(
        (await service.requests()).filter((one) => one.method === 'POST' && path.startsWith(one.path)),
      ).have.length(calls)
    })
  }

  it('never retries an unknown call once it has left, even when the service asks for it', async () => {
    const server = await startServer()
    server.answer(...Array.from({ length: 5 }, () => ({ status: 503, headers: { 'Retry-After': '0' } })))
    try {
      for (const [method, calls] of [
        ['PUT', 1],
        ['GET', 3],
      ] as const) {
        const flow = await start({ method, path: '/not/in/the/table' }, { baseUrl: server.url, retries: 2 })
        const before = server.calls.length
        flow.send({ payload: {} })
        should((await flow.caught()).error.cause.outcome).equal('unknown')
        should(server.calls.length - before).equal(calls)
        await stopFlow()
      }
    } finally {
      await server.close()
    }
  })

  it('is no success when the service reports an error under a good status', async () => {
    const flow = await start({ method: 'POST', path: '/deposit/personal/deposit-funded-1/terminate' })
    const body = { message: 'Not funded', code: 'X' }
    await service.fault({ operation: 'terminateDeposit', kind: 'status', status: 200, body })
    flow.send({ payload: {} })
    should((await flow.caught()).error).match({ code: 'EID_SERVICE', cause: { outcome: 'unknown' } })
  })

  it('says that a path does not exist, and names an id only where there is one', async () => {
    const flow = await start({ path: '/nonsense' })
    flow.send({})
    const { error } = await flow.caught()
    should(error.code).equal('EID_NOT_FOUND')
    should(error.message).equal(
      sentence('client', 'errors.wrongPath', { path: '/nonsense', done: '@outcomes.notDone' }),
    )
  })

  it('repeats only what changes nothing', async () => {
    for (const [method, count] of [
      ['GET', 2],
      ['POST', 1],
    ] as const) {
      await service.reset()
      const flow = await start({ method, path: '/notification/webhooks' }, { retries: 1 })
      await service.fault({ path: '/notification/webhooks', kind: 'status', status: 500, count: 9 })
      flow.send({ payload: {} })
      await flow.caught()
      const calls = (await service.requests()).filter((one) => one.path === '/notification/webhooks')
      should(calls).have.length(count)
      await stopFlow()
    }
  })
})
