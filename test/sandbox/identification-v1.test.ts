/** The older identification calls of the sandbox: sessions of their own, under v1 names. */
import should from 'should'
import { startCaller, type Caller, type ErrorBody } from './caller'

interface CreatedBody extends ErrorBody {
  Url: string
  RequestId: string
}

interface V1Session extends ErrorBody {
  Status: string
  [name: string]: unknown
}

interface MobileBody extends ErrorBody {
  RequestId: string
  MerchantRef: string
  OK: boolean
  InvalidMobileNumberOrDateOfBirth: boolean
}

interface LogBody extends ErrorBody {
  NextLink: string
  TotalLinks: number
  List: { Id: string; Status: string }[]
}

describe('sandbox: identification v1', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const ReturnUrls = {
    Success: 'https://app.example.com/ok?id=[1]&ref=[2]',
    Abort: 'https://app.example.com/abort?id=[1]',
    Error: 'https://app.example.com/error?status=[0]&id=[1]',
  }
  const post = (body: object) => caller.call<CreatedBody>('POST', '/identification/session', body)
  const create = async (more: object = {}) => (await post({ ReturnUrls, ExternalReference: 'a b', ...more })).json
  const get = async (id: string) =>
    (await caller.call<V1Session>('GET', `/identification/session?requestId=${id}`)).json
  const finish = (url: string, body: object) =>
    caller.open<{ redirect?: string; targetOrigin?: string }>('POST', url, body)
  const year = () => new Date(caller.sandbox.clock.now()).getUTCFullYear()

  it('creates a session, and fills in its return addresses', async () => {
    const { Url, RequestId } = await create({ IdentityProvider: 'NO_EID_WEB', GetSocialSecurityNumber: true })
    ;(await get(RequestId)).Status.should.equal('CREATED')
    const { json } = await finish(Url, { action: 'success' })
    should(json.redirect).equal(`https://app.example.com/ok?id=${RequestId}&ref=a%20b`)
    ;(await get(RequestId)).should.containEql({
      Status: 'SUCCESS',
      IdentityProvider: 'NO_EID_WEB',
      Name: 'Ola Nordmann',
      DateOfBirth: '010190',
      SocialSecurityNumber: '00000000000',
    })
  })

  it('keeps the number to itself unless asked', async () => {
    const { Url, RequestId } = await create()
    await finish(Url, {})
    should((await get(RequestId)).SocialSecurityNumber).be.undefined()
  })

  it('shows a failed session as ERROR, with the status in the address', async () => {
    const { Url, RequestId } = await create()
    const { json } = await finish(Url, { action: 'fail' })
    should(json.redirect).equal(`https://app.example.com/error?status=ERROR&id=${RequestId}`)
    const session = await get(RequestId)
    session.Status.should.equal('ERROR')
    should(session.Error).have.keys('NativeErrorCode', 'ErrorCode', 'ErrorMessage')
  })

  it('names every return address that is missing', async () => {
    const { status, json } = await post({ ReturnUrls: { Success: 'https://app.example.com' }, iFrame: {} })
    status.should.equal(400)
    json.errors.map(({ field }) => field).should.deepEqual(['ReturnUrls.Abort', 'ReturnUrls.Error', 'iFrame.Domain'])
  })

  it('posts to the parent window when web messaging is on', async () => {
    const { Url } = await create({ iFrame: { Domain: 'app.example.com', WebMessaging: true } })
    const { json } = await finish(Url, { action: 'abort' })
    json.should.containEql({ targetOrigin: 'https://app.example.com' })
    should(json.redirect).be.undefined()
  })

  for (const [name, path, body] of [
    ['the misspelt query', '/identification/sessions/invalidate?requetsId=', undefined],
    ['the well-spelt query', '/identification/sessions/invalidate?requestId=', undefined],
    ['the singular path with a body', '/identification/session/invalidate', 'RequestId'],
  ] as const) {
    it(`invalidates by ${name}`, async () => {
      const { RequestId } = await create()
      const answer = body ? await caller.call('PUT', path, { RequestId }) : await caller.call('PUT', path + RequestId)
      answer.should.containDeep({ status: 200, text: '' })
      ;(await get(RequestId)).Status.should.equal('INVALIDATED')
    })
  }

  it('times out as TIMEOUT, and then is in the log', async () => {
    const { RequestId } = await create()
    ;(await caller.call<LogBody>('GET', `/identification/log/filter/${year()}`)).json.List.should.be.empty()
    await caller.sandbox.clock.advance(10 * 60 * 1000)
    ;(await get(RequestId)).Status.should.equal('TIMEOUT')
    const log = await caller.call<LogBody>('GET', `/identification/log/filter/${year()}?status=TIMEOUT`)
    log.json.List.map(({ Id }) => Id).should.deepEqual([RequestId])
    const entry = await caller.call<{ Status: string }>('GET', `/identification/log/requestId/${RequestId}`)
    entry.json.Status.should.equal('TIMEOUT')
    ;(await caller.call<LogBody>('GET', '/identification/log/filter/2001')).json.List.should.be.empty()
  })

  it('pages through the log by its links', async () => {
    for (let index = 0; index < 3; index++) {
      const { RequestId } = await create()
      await caller.call('PUT', `/identification/sessions/invalidate?requetsId=${RequestId}`)
    }
    const first = await caller.call<LogBody>('GET', `/identification/log/filter/${year()}?pageSize=2`)
    first.json.List.should.have.length(2)
    const path = first.json.NextLink.replace(caller.sandbox.url, '')
    const second = await caller.call<LogBody>('GET', path)
    second.json.should.containDeep({ NextLink: '', TotalLinks: 2 })
    second.json.List.should.have.length(1)
  })

  const mobile = (MobileNumber: string, DateOfBirth = '241285') =>
    caller.call<MobileBody>('POST', '/identification/no/eid/mobile', { MobileNumber, DateOfBirth })

  it('identifies by mobile without a page', async () => {
    const { json } = await mobile('99999999')
    json.should.containDeep({ OK: true, InvalidMobileNumberOrDateOfBirth: false })
    json.MerchantRef.should.match(/^[a-z]+ [a-z]+$/)
    await caller.sandbox.clock.advance(3000)
    ;(await get(json.RequestId)).should.containEql({ Status: 'SUCCESS', DateOfBirth: '241285' })
  })

  it('aborts for the documented number, also without its prefix', async () => {
    const { json } = await mobile('90000001')
    await caller.sandbox.clock.advance(3000)
    ;(await get(json.RequestId)).Status.should.equal('USERABORTED')
  })

  it('says so when number or date cannot be', async () => {
    ;(await mobile('12')).json.should.containDeep({ OK: false, InvalidMobileNumberOrDateOfBirth: true })
  })

  it('knows no session of v2, and is unknown there', async () => {
    const { RequestId, Url } = await create({ IdentityProvider: 'SWE_EID' })
    const v2 = await caller.call<{ id: string; url: string } & ErrorBody>('POST', '/identification/v2/sessions', {
      flow: 'redirect',
      redirectSettings: {
        successUrl: 'https://a.example',
        abortUrl: 'https://a.example',
        errorUrl: 'https://a.example',
      },
    })
    for (const [method, path] of [
      ['GET', `/identification/v2/sessions/${RequestId}`],
      ['POST', `/identification/v2/sessions/${RequestId}/invalidate`],
      ['GET', `/identification/session?requestId=${v2.json.id}`],
      ['GET', `/identification/session/status?requestId=${v2.json.id}`],
      ['PUT', `/identification/sessions/invalidate?requetsId=${v2.json.id}`],
      ['GET', `/identification/log/requestId/${v2.json.id}`],
    ] as const) {
      should((await caller.call(method, path)).status).equal(404, path)
    }
    for (const url of [Url, v2.json.url]) await finish(url, { action: 'success' })
    const listed = await caller.call<{ data: { id: string }[] }>('GET', '/identification/v2/sessions')
    should(listed.json.data.map(({ id }) => id)).deepEqual([v2.json.id])
    const log = await caller.call<LogBody>('GET', `/identification/log/filter/${year()}`)
    should(log.json.List.map(({ Id }) => Id)).deepEqual([RequestId])
  })
})
