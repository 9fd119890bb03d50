/** "identification session" against the sandbox: every operation and flow, the limits of time, and the older version. */
import should from 'should'
import node from '../../nodes/identification-session/identification-session'
import { startFlow, stopFlow, type Flow } from './flow'
import { startService, type Service } from './service'

const minute = 60_000
const redirectSettings = {
  successUrl: 'https://us.example/ok',
  abortUrl: 'https://us.example/abort',
  errorUrl: 'https://us.example/error',
}
const redirect = { flow: 'redirect', redirectSettings, include: ['name'], externalReference: "O'Brien & Sønn <AS> 007" }
const iframeSettings = { parentDomains: ['https://us.example'], postMessageTargetOrigin: 'https://us.example' }
const headless = {
  flow: 'headless',
  allowedProviders: ['no_eid_mobile'],
  prefilledInput: { phoneNumber: '+4799999999', dateOfBirth: '1990-01-01' },
}

describe('identification session', () => {
  let service: Service
  let more: readonly object[] = []
  const start = (settings: object = {}) =>
    startFlow({ type: 'eid-identification-session', module: node, settings, client: { baseUrl: service.url }, more })
  const use = (id: string, settings: object) => ({
    id,
    z: 'f',
    type: 'eid-identification-session',
    client: 'c',
    ...settings,
  })
  const body = async (operation = 'createSession') => (await service.requests(operation)).at(-1)?.body
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => {
    more = []
    return service.reset()
  })
  afterEach(stopFlow)

  for (const [what, payload, url] of [
    ['redirect', redirect, true],
    ['iframe', { flow: 'iframe', iframeSettings }, true],
    ['headless', headless, false],
  ] as const) {
    it(`creates a session with flow ${what} from an untouched payload`, async () => {
      const flow = await start()
      flow.send({ payload, kept: 1 })
      const msg = await flow.next()
      should(await body()).deepEqual(payload)
      should(msg.sessionId).be.a.String()
      should(msg).have.properties({ status: 'created', kept: 1 })
      should(typeof (msg.payload as { url?: string }).url === 'string').equal(url)
    })
  }

  it('makes the request from the form, and sends only the fields of the chosen flow', async () => {
    const flow = await start({
      flow: 'redirect',
      ...redirectSettings,
      allowedProviders: 'no_eid_mobile, sms_otp',
      include: '["name","nin"]',
      includeType: 'json',
      language: 'no',
      externalReference: 'ref',
      externalReferenceType: 'msg',
      parentDomains: 'https://never.example',
      phoneNumber: '+4799999999',
    })
    flow.send({ payload: { flow: 'headless' }, ref: '007' })
    await flow.next()
    should(await body()).deepEqual({
      flow: 'redirect',
      redirectSettings,
      allowedProviders: ['no_eid_mobile', 'sms_otp'],
      include: ['name', 'nin'],
      language: 'no',
      externalReference: '007',
    })
  })

  const wrong: readonly [string, object, string[]][] = [
    ['no flow', {}, ['flow']],
    ['another flow', { flow: 'popup' }, ['flow']],
    [
      'redirect without its addresses',
      { flow: 'redirect' },
      ['redirectSettings.successUrl', 'redirectSettings.abortUrl', 'redirectSettings.errorUrl'],
    ],
    [
      'iframe without its origins',
      { flow: 'iframe' },
      ['iframeSettings.parentDomains', 'iframeSettings.postMessageTargetOrigin'],
    ],
    ['headless without a provider', { flow: 'headless' }, ['allowedProviders']],
    [
      'a phone without number and birth date',
      { flow: 'headless', allowedProviders: ['no_eid_mobile'] },
      ['prefilledInput.phoneNumber', 'prefilledInput.dateOfBirth'],
    ],
    [
      'a birth date in another form',
      { ...headless, prefilledInput: { phoneNumber: '1', dateOfBirth: '010190' } },
      ['prefilledInput.dateOfBirth'],
    ],
  ]
  for (const [what, payload, paths] of wrong) {
    it(`refuses ${what} before any call`, async () => {
      const flow = await start()
      flow.send({ payload })
      const { error } = await flow.caught()
      should((error.cause.problems as { path: string }[]).map((one) => one.path)).deepEqual(paths)
      should(await service.requests()).have.length(0)
    })
  }

  it('gets a session: identity at first, and only what survives after an hour, which it says', async () => {
    const flow = await start({ operation: 'get' })
    const sessionId = await finish(service, await createRedirect(service))
    flow.send({ sessionId })
    const first = await flow.next()
    should(first.status).equal('success')
    should(first.payload).have.propertyByPath('identity', 'fullName')
    await service.sandbox.clock.advance(61 * minute)
    flow.send({ sessionId })
    const later = await flow.next()
    should(later.payload).not.have.property('identity')
    should(later).have.properties({ sensitiveDataDeleted: true, status: 'success' })
    should(flow.warnings.join()).match(/one hour/)
  })

  it('tells when a session was not used within ten minutes', async () => {
    const flow = await start({ operation: 'get' })
    const { id } = await createRedirect(service)
    await service.sandbox.clock.advance(11 * minute)
    flow.send({ sessionId: id })
    should((await flow.next()).status).equal('timed_out')
  })

  it('invalidates, and says what was done', async () => {
    const flow = await start({ operation: 'invalidate' })
    const { id } = await createRedirect(service)
    flow.send({ sessionId: id })
    const msg = await flow.next()
    should(msg.payload).deepEqual({ id, operation: 'invalidateSession' })
    should(msg.status).equal('invalidated')
  })

  it('lists ended sessions only, page after page, up to the limit', async () => {
    for (let n = 0; n < 130; n++) await finish(service, await createRedirect(service))
    await createRedirect(service)
    let flow = await start({ operation: 'list', limit: '1000' })
    flow.send({})
    should((await flow.next()).payload)
      .have.property('data')
      .with.length(130)
    await stopFlow()
    flow = await start({ operation: 'list', limit: '7' })
    flow.send({})
    should((await flow.next()).payload)
      .have.property('data')
      .with.length(7)
  })

  it('translates an older request, warns, and sends it as v2', async () => {
    const flow = await start()
    const payload = {
      IdentityProvider: 'NO_EID_MOBILE',
      ReturnUrls: {
        Success: 'https://us.example/ok',
        Abort: 'https://us.example/abort',
        Error: 'https://us.example/error',
      },
      Language: 'NO',
      GetSocialSecurityNumber: true,
      ExternalReference: '007',
    }
    flow.send({ payload })
    await flow.next()
    should(await body()).deepEqual({
      flow: 'redirect',
      allowedProviders: ['no_eid_mobile'],
      language: 'no',
      include: ['nin'],
      redirectSettings,
      externalReference: '007',
    })
    should(flow.warnings.join()).match(/older version/)
  })

  it('speaks the older version: create, get, invalidate, log and entry', async () => {
    more = [
      use('get', { operation: 'get', apiVersion: 'v1' }),
      use('invalidate', { operation: 'invalidate', apiVersion: 'v1' }),
      use('log', { operation: 'list', apiVersion: 'v1', year: '2026' }),
      use('entry', { operation: 'list', apiVersion: 'v1' }),
    ].map((one) => ({ ...one, wires: [['out0']] }))
    const flow: Flow = await start({ apiVersion: 'v1' })
    const payload = {
      ReturnUrls: { Success: 'https://us.example/[1]', Abort: 'https://us.example/a', Error: 'https://us.example/e' },
    }
    flow.send({ payload })
    const { sessionId } = await flow.next()
    should(sessionId).be.a.String()
    should(await body('v1CreateSession')).deepEqual(payload)

    flow.send({ sessionId }, 'get')
    const got = await flow.next()
    should(got.payload).have.property('Status', 'CREATED')
    should(got.status).equal('created')

    flow.send({ sessionId }, 'invalidate')
    await flow.next()
    should((await service.requests('v1InvalidateSession'))[0]).have.properties({
      method: 'PUT',
      query: { requetsId: sessionId },
    })

    flow.send({}, 'log')
    should((await flow.next()).payload).have.property('List')
    flow.send({ sessionId }, 'entry')
    should((await flow.next()).payload).have.property('Id', sessionId)
  })
})

interface Created {
  id: string
  url: string
}

/** Creates a session as another system would. */
async function createRedirect(service: Service): Promise<Created> {
  const basic = Buffer.from('sandbox:sandbox').toString('base64')
  const token = await fetch(`${service.url}/oauth/connect/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'identify' }),
  })
  const { access_token } = (await token.json()) as { access_token: string }
  const answer = await fetch(`${service.url}/identification/v2/sessions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(redirect),
  })
  return (await answer.json()) as Created
}

/** Identifies as the person would, on the identification page. */
async function finish(_service: Service, { id, url }: Created): Promise<string> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ action: 'success' }) })
  should(answer.status).be.below(400)
  return id
}
