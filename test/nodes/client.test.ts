/** The client: the meaning of its settings, one token for all nodes, and the route for Test connection. */
import should from 'should'
import helper from 'node-red-node-test-helper'
import { fields } from '../../nodes/client/client.fields'
import node from '../../nodes/document/document'
import { startFlow, stopFlow } from '../support/flow'
import { startPublicSide, type PublicSide } from '../support/public-site'
import type { NodeModuleLike } from '../support/node-types'
import { until } from '../support/time'
import { startService, type Service } from '../support/service'

describe('client', () => {
  let service: Service
  let admin: PublicSide
  const start = (client: object = {}, more: object = {}) =>
    startFlow({
      type: 'eid-document',
      module: node,
      modules: [admin.module],
      settings: { operation: 'list' },
      client,
      ...more,
    })
  const test = async (settings: object, credentials: object = {}, id = 'c') => {
    const answer = await fetch(`${admin.url}/eid/client/test`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id, settings, credentials }),
    })
    return (await answer.json()) as { ok: boolean; text: string; code?: string }
  }

  before(async () => {
    service = await startService()
    admin = await startPublicSide('httpAdmin')
  })
  after(async () => {
    await service.close()
    await admin.close()
  })
  beforeEach(() => service.reset())
  afterEach(async () => {
    delete process.env.EID_TEST_URL
    delete process.env.EID_TEST_SECRET
    helper.settings({})
    await stopFlow()
  })

  it('puts in values of the environment, also for credentials', async () => {
    process.env.EID_TEST_URL = service.url
    process.env.EID_TEST_SECRET = 'sandbox'
    const credentials = { clientId: 'sandbox', clientSecret: '${EID_TEST_SECRET}' }
    const flow = await start({ environment: 'live', baseUrl: '${EID_TEST_URL}' }, { credentials })
    flow.send({})
    should((await flow.next()).statusCode).equal(200)
  })

  it('asks for exactly the scopes that are set, at the token address that is set', async () => {
    const flow = await start({
      baseUrl: service.url,
      tokenUrl: `${service.url}/oauth/connect/token`,
      scopes: ' document_read  event ',
    })
    flow.send({})
    await flow.next()
    const [asked] = await service.requests('token')
    should(String(asked?.body)).equal('grant_type=client_credentials&scope=document_read+event')
    should(asked?.headers.authorization).equal('Basic ***')
  })

  it('asks for everything in the sandbox until a scope is ticked, and for nothing of the live service', async () => {
    // A new service, for which there is no token yet.
    const own = await startService()
    const settings = { baseUrl: own.url, scopes: fields.scopes.initial }
    const credentials = { clientId: 'sandbox', clientSecret: 'sandbox' }
    for (const environment of ['sandbox', 'live']) {
      const flow = await start({ ...settings, environment }, { credentials })
      flow.send({})
      await until(async () => (await own.requests('token')).length === (environment === 'live' ? 2 : 1))
      await stopFlow()
    }
    const [sandbox, live] = await own.requests('token')
    await own.close()
    should(String(sandbox?.body)).match(/scope=document_read.*share_write.*deposit_write/)
    should(String(live?.body)).match(/scope=$/)
  })

  it('uses its own time-out before that of the message, and that before the one of Node-RED', async () => {
    const slow = () => service.fault({ operation: 'listDocuments', kind: 'slow', delay: 700 })
    let flow = await start({ baseUrl: service.url, timeout: 5 })
    await slow()
    flow.send({ requestTimeout: 100 })
    should((await flow.next()).statusCode).equal(200)
    await stopFlow()
    helper.settings({ httpRequestTimeout: 100 })
    flow = await start({ baseUrl: service.url })
    await slow()
    flow.send({})
    should((await flow.caught()).error.code).equal('EID_TIMEOUT')
    await slow()
    flow.send({ requestTimeout: 5000 })
    should((await flow.next()).statusCode).equal(200)
  })

  it('has no time-out of its own as it is dropped on the canvas', async () => {
    const flow = await start({ baseUrl: service.url, timeout: fields.timeout.initial })
    await service.fault({ operation: 'listDocuments', kind: 'slow', delay: 700 })
    flow.send({ requestTimeout: 100 })
    should((await flow.caught()).error.code).equal('EID_TIMEOUT')
  })

  it('limits the calls that are on their way at once', async () => {
    const flow = await start({ baseUrl: service.url, concurrency: 2 })
    await service.fault({ operation: 'listDocuments', kind: 'slow', delay: 100, count: 6 })
    const started = Date.now()
    for (let n = 0; n < 6; n++) flow.send({ n })
    for (let n = 0; n < 6; n++) await flow.next()
    should(Date.now() - started).be.aboveOrEqual(290)
  })

  it('uses the default number of retries if the flow file contains something else', async () => {
    for (const retries of [null, false, ' ', []]) {
      const flow = await start({ baseUrl: service.url, retries })
      await service.fault({ kind: 'status', status: 503, operation: 'listDocuments', count: 1 })
      flow.send({})
      should((await flow.next()).statusCode).equal(200)
      await stopFlow()
    }
  })

  it('marks nodes that talk to the simulated service', async () => {
    const shown: unknown[] = []
    type Events = { on(event: string, listener: (status: unknown) => void): void }
    const watch: NodeModuleLike = (RED) =>
      (RED as unknown as { events: Events }).events.on('node-status', (one) => shown.push(one))
    await start({ baseUrl: service.url }, { modules: [admin.module, watch] })
    should(shown).matchAny({ id: 'n', status: { fill: 'grey', shape: 'ring', text: 'sandbox' } })
  })

  describe('Test connection', () => {
    const settings = () => ({ environment: 'live', baseUrl: service.url })

    it('says what is missing to a person who is in the form already', async () => {
      for (const settings of [{ environment: 'live' }, { environment: 'live', baseUrl: service.url }]) {
        const { ok, text } = await test(settings)
        should(ok).be.false()
        should(text)
          .match(/missing\. Fill .*above\.$/)
          .and.not.match(/Open the client/i)
      }
    })

    it('reaches the service with the typed values, before anything is deployed', async () => {
      await start({ baseUrl: service.url })
      const answer = await test(settings(), { clientId: 'sandbox', clientSecret: 'sandbox' }, 'not-deployed')
      should(answer.ok).be.true()
      should(answer.text)
        .match(/127\.0\.0\.1:\d+/)
        .and.match(/60 minutes/)
    })

    const troubles: readonly [string, () => object, object, string, RegExp][] = [
      ['a wrong secret', settings, { clientId: 'sandbox', clientSecret: 'nope' }, 'EID_CREDENTIALS', /secret/],
      [
        'a missing scope',
        () => ({ ...settings(), scopes: 'identify' }),
        { clientId: 'few', clientSecret: 'few' },
        'EID_INVALID_SCOPE',
        /identify/,
      ],
      ['no secret', settings, { clientId: 'sandbox' }, 'EID_CONFIG', /client secret/],
      [
        'an address where nothing is',
        () => ({ ...settings(), baseUrl: 'http://127.0.0.1:9' }),
        { clientId: 'a', clientSecret: 'b' },
        'EID_NETWORK',
        /Nothing answers/,
      ],
      [
        'no web address',
        () => ({ ...settings(), baseUrl: 'service' }),
        { clientId: 'a', clientSecret: 'b' },
        'EID_CONFIG',
        /https/,
      ],
      [
        'http in the live environment',
        () => ({ ...settings(), baseUrl: 'http://service.example' }),
        { clientId: 'a', clientSecret: 'b' },
        'EID_CONFIG',
        /https/,
      ],
      [
        'an unset variable',
        () => ({ ...settings(), baseUrl: '${EID_NEVER_SET}' }),
        { clientId: 'a', clientSecret: 'b' },
        'EID_CONFIG',
        /EID_NEVER_SET/,
      ],
    ]
    for (const [what, typed, credentials, code, says] of troubles) {
      it(`explains ${what} in words`, async () => {
        await start({ baseUrl: service.url })
        const answer = await test(typed(), credentials)
        should(answer).have.properties({ ok: false, code })
        should(answer.text).match(says)
      })
    }

    it('sends a stored secret to the stored address only', async () => {
      const credentials = { clientId: 'sandbox', clientSecret: 'sandbox' }
      await start(settings(), { credentials })
      const elsewhere = await startService()
      const masked = { clientId: 'sandbox', clientSecret: '__PWRD__' }
      const answer = await test({ ...settings(), baseUrl: elsewhere.url }, masked)
      should(answer.ok).be.false()
      should(await elsewhere.requests()).have.length(0)
      await elsewhere.close()
    })
  })
})
