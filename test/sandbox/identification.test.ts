/** Identification sessions of the sandbox, v2: their rules, their lifecycle, and the user's page. */
import should from 'should'
import { startCaller, type Caller, type ErrorBody } from './caller'

interface SessionBody extends ErrorBody {
  id: string
  url: string
  status: string
  expires: string
  created: string
  securityReference?: string
  identity?: Record<string, unknown>
  error?: { message: string; code: string; providerCode: string | null }
}

interface ListBody extends ErrorBody {
  limit: number
  nextCursor: string | null
  data: Record<string, unknown>[]
}

interface EndBody extends ErrorBody {
  sessionId: string
  status: string
  redirect?: string
  targetOrigin?: string
}

const MINUTE = 60 * 1000

describe('sandbox: identification v2', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  const redirectSettings = {
    successUrl: 'https://app.example.com/ok?a=1#top',
    abortUrl: 'https://app.example.com/abort',
    errorUrl: 'https://app.example.com/error',
  }
  const iframeSettings = {
    parentDomains: ['https://app.example.com'],
    postMessageTargetOrigin: 'https://app.example.com',
  }
  const post = (body: unknown) => caller.call<SessionBody>('POST', '/identification/v2/sessions', body)
  const create = async (more: object = {}) => (await post({ flow: 'redirect', redirectSettings, ...more })).json
  const get = async (id: string) => (await caller.call<SessionBody>('GET', `/identification/v2/sessions/${id}`)).json
  const list = async (query = '') => (await caller.call<ListBody>('GET', `/identification/v2/sessions${query}`)).json
  const invalidate = (id: string) => caller.call('POST', `/identification/v2/sessions/${id}/invalidate`)
  const finish = (url: string, body: object) => caller.open<EndBody>('POST', url, body)
  const headless = (phoneNumber: string) =>
    create({
      flow: 'headless',
      allowedProviders: ['no_eid_mobile'],
      prefilledInput: { phoneNumber, dateOfBirth: '1985-12-24' },
      include: ['name', 'phone_number', 'date_of_birth'],
    })
  const asBrowser = (path: string, init: RequestInit = {}) =>
    fetch(path, { redirect: 'manual', ...init, headers: { Accept: 'text/html', ...init.headers } })

  it('creates a session that can be used for ten minutes', async () => {
    const { status, json } = await post({ flow: 'redirect', redirectSettings, externalReference: 'case-1' })
    status.should.equal(201)
    json.should.containDeep({ status: 'created', flow: 'redirect', language: 'en', externalReference: 'case-1' })
    const life = Date.parse(json.expires) - Date.parse(json.created)
    life.should.equal(10 * MINUTE)
    ;(await get(json.id)).should.deepEqual(json)
  })

  const refused: [string, object, string[]][] = [
    ['no flow', {}, ['flow']],
    ['an unknown flow', { flow: 'toString' }, ['flow']],
    [
      'redirect without addresses',
      { flow: 'redirect', redirectSettings: { successUrl: 'no address' } },
      ['redirectSettings.successUrl', 'redirectSettings.abortUrl', 'redirectSettings.errorUrl'],
    ],
    [
      'iframe without parents',
      { flow: 'iframe' },
      ['iframeSettings.parentDomains', 'iframeSettings.postMessageTargetOrigin'],
    ],
    [
      'headless with several providers',
      { flow: 'headless', allowedProviders: ['se_eid', 'sms_otp'] },
      ['allowedProviders'],
    ],
    [
      'headless without phone and date',
      { flow: 'headless', allowedProviders: ['no_eid_mobile'], prefilledInput: { phoneNumber: '99999999' } },
      ['prefilledInput.phoneNumber', 'prefilledInput.dateOfBirth'],
    ],
  ]
  for (const [name, body, fields] of refused) {
    it(`refuses ${name}`, async () => {
      const { status, json } = await post(body)
      status.should.equal(400)
      json.errors.map(({ field }) => field).should.deepEqual(fields)
    })
  }

  it('returns the id at the provider alone, and more only when it was asked for', async () => {
    const bare = await create()
    await finish(bare.url, {})
    Object.keys((await get(bare.id)).identity ?? {}).should.deepEqual(['providerId'])
    const full = await create({ include: ['name', 'date_of_birth', 'phone_number', 'nin'] })
    await finish(full.url, { firstName: 'Kari' })
    const { identity, status } = await get(full.id)
    status.should.equal('success')
    should(identity).containEql({
      firstName: 'Kari',
      middleName: '',
      lastName: 'Nordmann',
      fullName: 'Kari Nordmann',
      dateOfBirth: '1990-01-01',
      phoneNumber: '+4799999999',
      nin: '00000000000',
    })
  })

  it('appends the session to the success address only', async () => {
    const success = await create()
    const ended = await finish(success.url, { action: 'success' })
    ended.json.should.containEql({
      sessionId: success.id,
      status: 'success',
      redirect: `https://app.example.com/ok?a=1&sessionId=${success.id}#top`,
    })
    const aborted = await finish((await create()).url, { action: 'abort' })
    aborted.json.should.containEql({ status: 'aborted', redirect: redirectSettings.abortUrl })
  })

  it('carries an error object when it fails', async () => {
    const { id, url } = await create()
    const ended = await finish(url, { action: 'fail' })
    ended.json.should.containEql({ status: 'error', redirect: redirectSettings.errorUrl })
    const { status, error, identity } = await get(id)
    status.should.equal('failed')
    should(error).have.keys('message', 'code', 'providerCode')
    should(identity).be.undefined()
  })

  it('is user_initiated once the page is open, and of no use after ten minutes', async () => {
    const { id, url } = await create()
    await caller.open('GET', url)
    ;(await get(id)).status.should.equal('user_initiated')
    await caller.sandbox.clock.advance(10 * MINUTE)
    ;(await finish(url, {})).status.should.equal(410)
    const { status, error } = await get(id)
    status.should.equal('timed_out')
    should(error?.code).be.a.String()
  })

  it('forgets personal data one hour after creation', async () => {
    const { id, url } = await create({ include: ['name', 'nin'], externalReference: 'case-1' })
    await finish(url, {})
    await caller.sandbox.clock.advance(59 * MINUTE)
    should((await get(id)).identity).be.ok()
    await caller.sandbox.clock.advance(MINUTE)
    await caller.renew()
    const session = await get(id)
    const { status, environment, ...rest } = session as SessionBody & { environment: object }
    status.should.equal('success')
    Object.keys(environment).should.deepEqual(['userAgent'])
    Object.keys(rest)
      .sort()
      .should.deepEqual(['created', 'expires', 'externalReference', 'flow', 'id', 'language', 'provider'])
    should(caller.sandbox.world.identification.sessions.get(id)?.person).be.undefined()
  })

  it('lists what has ended, newest first, in pages, without personal data', async () => {
    const ids: string[] = []
    for (let index = 0; index < 27; index++) {
      const { id, url } = await create({ include: ['name', 'nin'] })
      await finish(url, {})
      ids.unshift(id)
    }
    await create()
    const first = await list()
    first.limit.should.equal(25)
    const second = await list(`?cursor=${first.nextCursor}`)
    should(second.nextCursor).be.null()
    ;[...first.data, ...second.data].map(({ id }) => id).should.deepEqual(ids)
    JSON.stringify(first.data).should.not.match(/identity|Nordmann|00000000000|redirectSettings/)
    should((await list('?limit=3')).data).have.length(3)
  })

  it('invalidates an active session, with an empty response', async () => {
    const { id, url } = await create()
    ;(await invalidate(id)).should.containDeep({ status: 200, text: '' })
    ;(await invalidate(id)).status.should.equal(200)
    ;(await get(id)).status.should.equal('invalidated')
    ;(await finish(url, {})).status.should.equal(410)
    const done = await create()
    await finish(done.url, {})
    ;(await invalidate(done.id)).status.should.equal(422)
  })

  it('knows no other session', async () => {
    const { status, json } = await caller.call('GET', '/identification/v2/sessions/other')
    ;({ status, code: json.code }).should.deepEqual({ status: 404, code: 'ID-1000' })
  })

  it('lets a headless session succeed by itself after three seconds', async () => {
    const session = await headless('+4799999999')
    should(session.url).be.undefined()
    should(session.securityReference).match(/^[a-z]+ [a-z]+$/)
    await caller.sandbox.clock.advance(2000)
    ;(await get(session.id)).status.should.equal('created')
    await caller.sandbox.clock.advance(1000)
    const { status, identity } = await get(session.id)
    status.should.equal('success')
    should(identity).containEql({ fullName: 'Ola Nordmann', phoneNumber: '+4799999999', dateOfBirth: '1985-12-24' })
  })

  for (const [number, expected] of [
    ['+4790000001', 'user_aborted'],
    ['+4790000002', 'failed'],
    ['+4790000003', 'timed_out'],
  ] as const) {
    it(`ends ${expected} for ${number}`, async () => {
      const { id } = await headless(number)
      await caller.sandbox.clock.advance(3000)
      const { status, error } = await get(id)
      status.should.equal(expected)
      should(error).have.keys('message', 'code', 'providerCode')
    })
  }

  it('leaves an invalidated headless session alone', async () => {
    const { id } = await headless('+4799999999')
    await invalidate(id)
    await caller.sandbox.clock.advance(3000)
    ;(await get(id)).status.should.equal('invalidated')
  })

  it('lists languages and providers', async () => {
    const languages = await caller.call<{ id: string }[]>('GET', '/identification/v2/languages')
    languages.json.map(({ id }) => id).should.containEql('no')
    const list = await caller.call<Record<string, unknown>[]>('GET', '/identification/v2/id-providers?language=no')
    should(list.json[0]).have.keys('type', 'name', 'description', 'logoUrl', 'logoUrlNegative', 'logoWidth')
    ;(await caller.open('GET', String(list.json[0]?.logoUrl))).status.should.equal(200)
  })

  it('answers the page of the flow redirect with the way back', async () => {
    const { id, url } = await create()
    const body = new URLSearchParams({ action: 'success', provider: 'no_eid_mobile', firstName: 'Kari' })
    const response = await asBrowser(url, { method: 'POST', body })
    response.status.should.equal(303)
    should(response.headers.get('location')).equal(`https://app.example.com/ok?a=1&sessionId=${id}#top`)
  })

  it('lets only the parent domains frame the page, and posts only to the target origin', async () => {
    const { id, url } = await create({ flow: 'iframe', iframeSettings, redirectSettings: undefined })
    const shown = await asBrowser(url)
    should(shown.headers.get('content-security-policy')).match(/frame-ancestors https:\/\/app\.example\.com(;|$)/)
    const response = await asBrowser(url, { method: 'POST', body: new URLSearchParams({ action: 'abort' }) })
    const text = await response.text()
    text.should.containEql(
      `{"message":{"sessionId":"${id}","status":"aborted"},"targetOrigin":"https://app.example.com"}`,
    )
  })

  it('lets no page frame the page of the flow redirect', async () => {
    const shown = await asBrowser((await create()).url)
    should(shown.headers.get('content-security-policy')).match(/frame-ancestors 'none'/)
  })

  it('shows the page in the requested language and appearance, and ignores invalid colors', async () => {
    const topBar = { title: '<b>Bank', foregroundColor: '#fff', backgroundColor: 'red;}body{display:none' }
    const ui = { themeMode: 'dark', colorTheme: 'light_blue', topBar }
    const html = await (await asBrowser((await create({ language: 'no', ui })).url)).text()
    html.should.containEql('Hvordan vil du identifisere deg?')
    html.should.containEql('data-mode="dark"')
    html.should.containEql('&lt;b&gt;Bank')
    html.should.containEql('color: #fff')
    html.should.not.containEql('display:none')
  })

  it('refuses a provider that the session does not allow', async () => {
    const { url } = await create({ allowedProviders: ['se_eid'] })
    ;(await finish(url, { provider: 'no_eid_mobile' })).status.should.equal(400)
  })
})
