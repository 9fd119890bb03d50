/** "wait" against the sandbox: ends that are errors, temporary and lasting faults, and refused messages. */
import should from 'should'
import { listPending } from '../../../lib/runtime/monitor/pending'
import node from '../../../nodes/wait/wait'
import { RED } from '../../support/errors'
import { removeFlow, startFlow } from '../../support/flow'
import { passOn, serve } from '../../support/servers/http-server'
import { act, identify, type Parties } from '../../support/parties'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'
import { until, untilCount } from '../../support/time'
import { saying } from '../../support/wording'

describe('wait, errors', () => {
  let service: Service
  let parties: Parties
  const start = (settings: object = {}, client: object = {}, credentials: object = {}) =>
    startFlow({
      type: 'eid-wait',
      module: node,
      outputs: 3,
      settings: { pollInterval: '0.05', ...settings },
      client: { baseUrl: service.url, retries: 0, ...client },
      credentials,
    })

  useParties((sides) => ({ service, parties } = sides))
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    await removeFlow()
    for (const close of closing.splice(0)) await close()
  })

  for (const [name, settings, send, code, words] of [
    ['failed', { what: 'session', raiseFailed: true }, 'abort', 'EID_FAILED', saying('wait', 'errors.EID_FAILED')],
    [
      'reached its own limit',
      { what: 'session', raiseExpired: true, timeout: '0.2' },
      undefined,
      'EID_EXPIRED',
      saying('wait', 'errors.waitedLong'),
    ],
  ] as const) {
    it(`raises ${code} when a wait that ${name} is to be an error`, async () => {
      const { id, url } = await parties.createSession()
      const flow = await start(settings)
      flow.send({ sessionId: id, payload: 'as it came in' })
      if (send) await identify(url, send)
      const caught = await flow.caught()
      should(caught.error.code).equal(code)
      should(caught.error.message).containEql(id).and.match(words)
      should(caught).have.properties({ payload: 'as it came in', sessionId: id })
      should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 0 })
    })
  }

  it('takes its own error off the message when it ends well, and leaves that of another node', async () => {
    const flow = await start({ what: 'session' })
    const { id, url } = await parties.createSession()
    for (const source of ['n', 'other'])
      flow.send({ sessionId: id, error: { message: 'It failed.', source: { id: source } } })
    await identify(url, 'success')
    const errors = [await flow.next(), await flow.next()].map(({ error }) => error)
    should(errors.filter((error) => error !== undefined)).deepEqual([
      { message: 'It failed.', source: { id: 'other' } },
    ])
  })

  it('refuses a command with a wrong id, and ends or wakes no wait', async () => {
    const flow = await start({ pollInterval: '3600', maxInterval: '3600' })
    const asked = async () => (await service.requests('getDocumentStatus')).length
    for (const name of ['command-1', 'command-2'])
      flow.send({ documentId: (await parties.createDocument(name)).documentId })
    await untilCount(asked, 2)
    const wrong = [['x'], { a: 1 }, 'a/b', true, '']
    for (const documentId of wrong)
      for (const command of [{ reset: true }, { flush: true }]) {
        flow.send({ ...command, documentId })
        const { error } = await flow.caught()
        should(error.code).equal('EID_INVALID_INPUT')
        should(error.message).match(documentId === '' ? /msg\.documentId has no value/ : /is not an id/)
      }
    should((await listPending(RED)).items).have.length(2)
    should(await asked()).equal(2)
    flow.send({ reset: true, documentId: null })
    await untilCount(async () => (await listPending(RED)).items.length, 0)
    should(flow.waiting().caught).equal(0)
  })

  it('names the document in the error about its end, without people in the title', async () => {
    const flow = await start({ raiseFailed: true })
    for (const [name, words] of [
      ['Storgata 1', /^The document \S+ \(“Contract Storgata 1”\) has ended: canceled\./],
      ['for Ola Nordmann', /^The document \S+ \(“Contract for .*”\) has ended/],
    ] as const) {
      const { documentId } = await parties.createDocument(name)
      flow.send({ documentId, payload: { signers: [{ signerInfo: { firstName: 'Ola', lastName: 'Nordmann' } }] } })
      await parties.call('POST', `/signature/documents/${documentId}/cancel?reason=moved`, {})
      const { error } = await flow.caught()
      should(error.message)
        .match(words)
        .and.not.match(/Ola|Nordmann/)
    }
  })

  it('does not name a session by its reference, because this may be the name of a person', async () => {
    const flow = await start({ what: 'session', raiseFailed: true })
    const redirect = 'https://example.com/'
    const redirectSettings = { successUrl: redirect, abortUrl: redirect, errorUrl: redirect }
    const wanted = { flow: 'redirect', allowedProviders: ['no_eid_mobile'], redirectSettings }
    const body = { ...wanted, externalReference: 'Ola Nordmann' }
    const { id } = await parties.call<{ id: string }>('POST', '/identification/v2/sessions', body)
    flow.send({ sessionId: id })
    await parties.call('POST', `/identification/v2/sessions/${id}/invalidate`)
    const { error } = await flow.caught()
    should(error.message).startWith(`The session ${id} has ended: `)
    should(JSON.stringify([error.message, error.cause])).not.match(/Nordmann/)
  })

  for (const what of ['signed', 7]) {
    it(`refuses a message when the flow file holds a goal that does not exist: ${what}`, async () => {
      const flow = await start({ what })
      flow.send({ documentId: 'doc-1' })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).startWith('Wait for must be one of: document, first-signature,')
    })
  }

  for (const [field, value, words] of [
    ['maxInterval', '0', 'Check at least every (s) must be more than 0'],
    ['maxInterval', '-5', 'Check at least every (s) must be more than 0'],
    ['pollInterval', '0', 'must be more than 0'],
  ] as const) {
    it(`refuses a pause of zero or less: ${field} ${value}`, async () => {
      const flow = await start({ [field]: value })
      flow.send({ documentId: 'doc-1' })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).containEql(words)
    })
  }

  it('reads the list of many documents as often as its longest pause says, also one from the environment', async () => {
    process.env.EID_TEST_PAUSE = '0.5'
    try {
      const ids = await Promise.all(
        Array.from({ length: 30 }, async (_one, number) => (await parties.createDocument(`many-${number}`)).documentId),
      )
      const flow = await start({ maxInterval: 'EID_TEST_PAUSE', maxIntervalType: 'env' })
      for (const documentId of ids) flow.send({ documentId })
      await untilCount(async () => (await service.requests('listDocuments')).length, 3)
    } finally {
      delete process.env.EID_TEST_PAUSE
    }
  })

  it('keeps waiting while the service is down, and shows that', async () => {
    const { documentId, signers } = await parties.createDocument('wait-6')
    await service.fault({ kind: 'status', operation: 'getDocumentStatus', status: 500, count: 3 })
    const flow = await start()
    flow.send({ documentId })
    await until(() => flow.statuses.find(({ text }) => text === 'service failed (500)'))
    await act(signers[0]?.url ?? '')
    should(await flow.next(0)).have.property('status', 'signed')
    should(flow.waiting().caught).equal(0)
  })

  for (const environment of ['sandbox', 'live']) {
    it(`says of a document that is not there what the sandbox forgets, only there (${environment})`, async () => {
      const { documentId } = await parties.createDocument('wait-forgotten')
      await service.fault({ kind: 'status', operation: 'getDocumentStatus', status: 404 })
      const flow = await start({}, { environment }, { clientId: 'sandbox', clientSecret: 'sandbox' })
      flow.send({ documentId })
      const { error } = await flow.caught()
      should(error).match({ code: 'EID_NOT_FOUND', message: new RegExp(documentId) })
      should(saying('wait', 'errors.forgotten').test(error.message)).equal(environment === 'sandbox')
    })
  }

  for (const [status, code] of [
    [404, 'EID_NOT_FOUND'],
    [403, 'EID_FORBIDDEN'],
    [422, 'EID_REFUSED'],
  ] as const) {
    it(`gives up at ${status}`, async () => {
      const { documentId } = await parties.createDocument('wait-7')
      await service.fault({ kind: 'status', operation: 'getDocumentStatus', status })
      const flow = await start()
      flow.send({ documentId })
      should((await flow.caught()).error.code).equal(code)
      const other = await parties.createDocument('another')
      const about = async (id: string) =>
        (await service.requests('getDocumentStatus')).filter(({ path }) => path.includes(id)).length
      flow.send({ documentId: other.documentId })
      await until(async () => (await about(other.documentId)) > 3)
      should(await about(documentId)).equal(1)
    })
  }

  for (const status of [401, 403]) {
    it(`keeps waiting while the service refuses the client for a while (${status}), once it has answered`, async () => {
      const { documentId, signers } = await parties.createDocument(`wait-refused-${status}`)
      const flow = await start({ maxInterval: '0.1' })
      flow.send({ documentId })
      await untilCount(async () => (await service.requests('getDocument')).length, 1)
      await until(() => flow.statuses.some(({ text = '' }) => text.includes('0 of 1')))
      await service.fault({ kind: 'status', operation: 'getDocumentStatus', status, count: 6 })
      await until(() => flow.statuses.find(({ fill }) => fill === 'red' || fill === 'yellow'))
      await act(signers[0]?.url ?? '')
      should(await flow.next(0)).have.property('status', 'signed')
      should(flow.waiting().caught).equal(0)
    })
  }

  for (const [status, type, body] of [
    [404, 'text/html', '<html><body><h1>404 Not Found</h1></body></html>'],
    [404, 'text/plain', 'default backend - 404'],
    [404, 'application/json', '{"message":"no Route matched with those values"}'],
    [410, 'text/html', '<html><body>Gone</body></html>'],
    [400, 'text/html', '<html><body>Bad Request</body></html>'],
    [451, 'text/plain', ''],
  ] as const) {
    it(`keeps waiting while a gateway answers in place of the service (${status} ${type}), once it has answered`, async () => {
      let isAway = false
      let count = 0
      const gateway = await serve((incoming, response) => {
        const to = new URL(incoming.url ?? '', service.url)
        if (!isAway || !to.pathname.startsWith('/signature/'))
          return passOn(incoming, response, to, { ...incoming.headers, host: to.host })
        count++
        response.writeHead(status, { 'Content-Type': type }).end(body)
      })
      closing.push(gateway.close)
      const { documentId, signers } = await parties.createDocument('wait-gateway')
      const flow = await start({ maxInterval: '0.1' }, { baseUrl: gateway.url })
      flow.send({ documentId })
      await until(() => flow.statuses.some(({ text = '' }) => text.includes('0 of 1')))
      isAway = true
      await until(() => count > 2)
      await act(signers[0]?.url ?? '')
      isAway = false
      should(await flow.next(0)).have.property('status', 'signed')
      should(flow.waiting().caught).equal(0)
    })
  }

  it('ends when the service itself no longer knows the document, though it has answered before', async () => {
    const { documentId } = await parties.createDocument('wait-gone')
    const flow = await start({ maxInterval: '0.1' })
    flow.send({ documentId })
    await until(() => flow.statuses.some(({ text = '' }) => text.includes('0 of 1')))
    await service.fault({ kind: 'status', operation: 'getDocumentStatus', status: 404 })
    should((await flow.caught()).error.code).equal('EID_NOT_FOUND')
  })

  it('lists everything that is wrong with the message at once', async () => {
    const flow = await start({ timeout: 'msg.never', timeoutType: 'str', pollInterval: '-1' })
    flow.send({})
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    const paths = (error.cause.problems as { path: string }[]).map(({ path }) => path)
    should(paths.sort()).deepEqual(['documentId', 'pollInterval', 'timeout'])
    should(await service.requests('getDocumentStatus')).have.length(0)
  })

  it('says at once that the client has no credentials', async () => {
    const flow = await start({}, { environment: 'live', baseUrl: 'https://service.example' })
    flow.send({ documentId: 'any' })
    const { error } = await flow.caught()
    should(error.code).equal('EID_CONFIG')
    should(flow.waiting().completed).equal(0)
  })
})
