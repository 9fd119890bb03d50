/** The table of docs/interface.md 9.5, row by row in both directions, and the older calls of 4.8, as they are sent. */
import should from 'should'
import node from '../../../nodes/identification-session/identification-session'
import { startFlow, stopFlow } from '../../support/flow'
import { identify, startParties, type Parties } from '../../support/parties'
import { startService, type Service } from '../../support/service'

const Success = 'https://us.example/ok/[1]'
const Abort = 'https://us.example/abort'
const Error = 'https://us.example/error'
const ReturnUrls = { Success, Abort, Error }
const redirectSettings = { successUrl: Success, abortUrl: Abort, errorUrl: Error }
const redirect = { flow: 'redirect', redirectSettings }
const iframeSettings = { parentDomains: ['https://us.example'], postMessageTargetOrigin: 'https://us.example' }
const page = (more: object) => ({ ReturnUrls, ...more })
const phone = { MobileNumber: '99999999', DateOfBirth: '010190' }
const prefilledInput = { phoneNumber: '+4799999999', dateOfBirth: '1990-01-01' }
const headless = { flow: 'headless', allowedProviders: ['no_eid_mobile'], prefilledInput }

/** The subject of the row, in v1 and in v2. */
const both: readonly [string, object, object][] = [
  [
    'IdentityProvider',
    page({ IdentityProvider: 'NO_EID_MOBILE' }),
    { ...redirect, allowedProviders: ['no_eid_mobile'] },
  ],
  ['ReturnUrls', page({}), redirect],
  ['Language', page({ Language: 'NO' }), { ...redirect, language: 'no' }],
  ['GetSocialSecurityNumber', page({ GetSocialSecurityNumber: true }), { ...redirect, include: ['nin'] }],
  ['ExternalReference', page({ ExternalReference: "O'Brien 007" }), { ...redirect, externalReference: "O'Brien 007" }],
  [
    'iFrame.Domain, iFrame.WebMessaging',
    { iFrame: { Domain: 'us.example', WebMessaging: true } },
    { flow: 'iframe', iframeSettings },
  ],
  ['MobileNumber, DateOfBirth', { IdentityProvider: 'NO_EID_MOBILE', ...phone }, headless],
  ['what neither version knows', page({ something: ['007'] }), { ...redirect, something: ['007'] }],
]

const toV2Only: readonly [string, object, object][] = [
  ['a phone without a provider', phone, headless],
  ['a number with its prefix', { ...phone, MobileNumber: '+4799999999' }, headless],
  ['no wish for the national id', page({ GetSocialSecurityNumber: false }), redirect],
  ['two wishes', page({ GetSocialSecurityNumber: true, include: ['name'] }), { ...redirect, include: ['name', 'nin'] }],
  ['a provider that is left open', page({ IdentityProvider: 'UNKNOWN' }), redirect],
  [
    'a provider with another name',
    page({ IdentityProvider: 'NO_EID_WEB' }),
    { ...redirect, allowedProviders: ['no_eid_netcentric'] },
  ],
  ['fields of v2 beside', page({ Language: 'NO', language: 'sv' }), { ...redirect, language: 'sv' }],
]

describe('the two versions of identification at the wire', () => {
  let service: Service
  const start = (settings: object) =>
    startFlow({ type: 'eid-identification-session', module: node, settings, client: { baseUrl: service.url } })
  const body = async (...operations: string[]) =>
    (await service.requests()).filter((one) => operations.includes(one.operation)).at(-1)?.body
  before(async () => (service = await startService()))
  after(() => service.close())
  beforeEach(() => service.reset())
  afterEach(stopFlow)

  for (const [what, older, newer] of [...both, ...toV2Only]) {
    it(`sends v1 as v2 and warns: ${what}`, async () => {
      const flow = await start({})
      flow.send({ payload: older })
      const msg = await flow.next()
      should(await body('createSession')).deepEqual(newer)
      should(msg).have.properties({ status: 'created', statusV1: 'CREATED' })
      should(flow.warnings.join()).match(/older version/)
    })
  }

  for (const [what, older, newer] of both) {
    it(`sends v2 as v1 when the node speaks v1: ${what}`, async () => {
      const flow = await start({ apiVersion: 'v1' })
      flow.send({ payload: newer })
      await Promise.race([flow.next(), flow.caught()])
      should(await body('v1CreateSession', 'v1StartMobile')).deepEqual(older)
      should(flow.warnings.join()).match(/written for v2/)
    })
  }

  it('sends v1 as it is when the node speaks v1', async () => {
    const flow = await start({ apiVersion: 'v1' })
    const payload = page({ IdentityProvider: 'NO_EID_WEB', Addonservices: { x: '01' } })
    flow.send({ payload, kept: 1 })
    const msg = await flow.next()
    should(await body('v1CreateSession')).deepEqual(payload)
    should(msg).have.properties({
      sessionId: (msg.payload as { RequestId: string }).RequestId,
      status: 'created',
      kept: 1,
    })
    should(flow.warnings).have.length(0)
  })

  it('makes a v1 request from the form, with a warning only if there are too many providers', async () => {
    const settings = { apiVersion: 'v1', flow: 'redirect', ...redirectSettings, include: 'nin', language: 'no' }
    let flow = await start(settings)
    flow.send({})
    await flow.next()
    should(await body('v1CreateSession')).deepEqual(page({ Language: 'NO', GetSocialSecurityNumber: true }))
    should(flow.warnings).have.length(0)
    await stopFlow()
    flow = await start({ ...settings, allowedProviders: 'no_eid_mobile, se_eid' })
    flow.send({})
    await flow.next()
    should(await body('v1CreateSession')).have.property('IdentityProvider', 'NO_EID_MOBILE')
    should(flow.warnings.join()).match(/one provider/)
  })

  for (const [what, payload, paths] of [
    ['a page', { Language: 'NO' }, ['ReturnUrls.Success', 'ReturnUrls.Abort', 'ReturnUrls.Error']],
    ['a frame', { iFrame: { WebMessaging: true } }, ['iFrame.Domain']],
    ['a phone', { MobileNumber: '99999999' }, ['DateOfBirth']],
  ] as const) {
    it(`says all that ${what} of v1 lacks before any call`, async () => {
      const flow = await start({ apiVersion: 'v1' })
      flow.send({ payload })
      const { error } = await flow.caught()
      should((error.cause.problems as { path: string }[]).map((one) => one.path)).deepEqual(paths)
      should(await service.requests()).have.length(0)
    })
  }

  it('starts on the phone, and recognizes a refusal in a successful response', async () => {
    const flow = await start({ apiVersion: 'v1' })
    flow.send({ payload: phone })
    should((await flow.next()).payload).have.properties({ OK: true })
    should(flow.statuses.at(-1)?.text).equal('started on the phone')
    flow.send({ payload: { ...phone, DateOfBirth: 'born 010190' } })
    const { error } = await flow.caught()
    should(error).have.properties({ code: 'EID_REFUSED' })
    should(error.message).match(/mobile number or the date of birth is invalid/)
    should(error.cause).have.properties({ status: 200, outcome: 'not-done', path: '/identification/no/eid/mobile' })
    should(JSON.stringify(error)).not.match(/99999999|010190/)
  })

  it('gets and invalidates by the query names of v1, with the status under both names', async () => {
    const parties = await startParties(service)
    const { id, url } = await createV1Session(parties)
    let flow = await start({ apiVersion: 'v1', operation: 'get' })
    await identify(url, 'abort')
    flow.send({ sessionId: id })
    const got = await flow.next()
    should(got.payload).have.property('Status', 'USERABORTED')
    should(got).have.properties({ status: 'user_aborted', statusV1: 'USERABORTED' })
    should((await service.requests('v1GetSession'))[0]?.query).deepEqual({ requestId: id })
    should(got.identity).equal(undefined)
    const { id: succeeded, url: page } = await createV1Session(parties)
    await identify(page)
    flow.send({ sessionId: succeeded })
    const { identity } = await flow.next()
    should(identity).have.properties({ provider: 'no_eid_mobile', fullName: 'Ola Nordmann' })
    should(identity).have.property('providerId').which.is.not.empty()
    await stopFlow()
    const other = await createV1Session(parties)
    flow = await start({ apiVersion: 'v1', operation: 'invalidate' })
    flow.send({ sessionId: other.id })
    should((await flow.next()).payload).deepEqual({ id: other.id, operation: 'v1InvalidateSession' })
    const [asked] = await service.requests('v1InvalidateSession')
    should(asked).have.properties({ method: 'PUT', query: { requetsId: other.id } })
    should(asked?.body).be.undefined()
  })

  it('makes a session invalid at the other address where the first does not exist', async () => {
    const { id } = await createV1Session(await startParties(service))
    await service.fault({ path: '/identification/sessions/invalidate', kind: 'status', status: 404, count: 1 })
    const flow = await start({ apiVersion: 'v1', operation: 'invalidate' })
    flow.send({ sessionId: id })
    should(await flow.next()).have.properties({ sessionId: id, status: 'invalidated' })
    const [asked] = await service.requests('v1InvalidateSessionByBody')
    should(asked?.body).deepEqual({ RequestId: id })
    flow.send({ sessionId: '00000000-0000-4000-8000-000000000000' })
    should((await flow.caught()).error).match({ code: 'EID_NOT_FOUND', cause: { outcome: 'not-done' } })
  })

  it('reads the log of a year page after page, and one entry of it', async () => {
    const parties = await startParties(service)
    let last = ''
    for (let n = 0; n < 130; n++) {
      const { id, url } = await createV1Session(parties)
      await identify(url)
      last = id
    }
    const year = String(new Date(service.sandbox.clock.now()).getUTCFullYear())
    for (const [limit, count] of [
      ['1000', 130],
      ['7', 7],
    ] as const) {
      const flow = await start({ apiVersion: 'v1', operation: 'list', year, limit })
      flow.send({ sessionId: last })
      const { List } = (await flow.next()).payload as { List: { Id: string }[] }
      should(new Set(List.map((one) => one.Id)).size).equal(count)
      await stopFlow()
    }
    const flow = await start({ apiVersion: 'v1', operation: 'list', entryId: 'sessionId', entryIdType: 'msg' })
    flow.send({ sessionId: last })
    const msg = await flow.next()
    should(msg.payload).have.property('Id', last)
    should(msg).have.property('status', 'success')
    flow.send({})
    should((await flow.caught()).error.cause.problems).matchAny({ path: 'entryId' })
  })

  it('lists the year even if an earlier node has left a session on the message', async () => {
    const { id } = await (await startParties(service)).createSession()
    const flow = await start({ apiVersion: 'v1', operation: 'list' })
    flow.send({ sessionId: id })
    should((await flow.next()).payload).have.property('List')
  })

  it('refuses an invalid year', async () => {
    const flow = await start({ apiVersion: 'v1', operation: 'list', year: 'year', yearType: 'msg' })
    for (const year of ['26', '../x', '2026/1']) {
      flow.send({ year })
      should((await flow.caught()).error.message).match(/year/)
    }
    should(await service.requests()).have.length(0)
  })
})

/** Creates a session of the older version, which the newer one does not find. */
async function createV1Session(parties: Parties): Promise<{ id: string; url: string }> {
  const ReturnUrls = { Success: 'https://a.example/s', Abort: 'https://a.example/a', Error: 'https://a.example/e' }
  const created = await parties.call<{ RequestId: string; Url: string }>('POST', '/identification/session', {
    IdentityProvider: 'NO_EID_MOBILE',
    ReturnUrls,
  })
  return { id: created.RequestId, url: created.Url }
}
