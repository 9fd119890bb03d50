/**
 * "embed": which addresses are framed and trusted, what a single visitor and many pages may cost, and at which
 * addresses pages are.
 */
import should from 'should'
import { sentence } from '../../support/wording'
import node from '../../../nodes/embed/embed'
import { until, untilCount } from '../../support/time'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { act, identify, type Parties } from '../../support/parties'
import type { PublicSide } from '../../support/public-site'
import type { Service } from '../../support/service'
import { useSides } from '../../support/service-and-site'

const mebibyte = 1024 * 1024

describe('embed, and whom it trusts', () => {
  let service: Service
  let parties: Parties
  let site: PublicSide
  const start = (settings: object = {}, client: object = {}) =>
    startFlow({
      type: 'eid-embed',
      module: node,
      modules: [site.module],
      outputs: 3,
      settings: { url: 'url', ...settings },
      client: { baseUrl: service.url, ...client },
      credentials: { clientId: 'sandbox', clientSecret: 'sandbox' },
    })
  const live = { environment: 'live' }
  const open = async (flow: Flow, msg: Record<string, unknown>) => {
    flow.send(msg)
    return site.url + new URL(String((await flow.next(2)).embedUrl), site.url).pathname
  }
  const post = async (page: string, message: object, origin = service.url) => {
    const body = JSON.stringify({ origin, data: JSON.stringify(message) })
    return (await fetch(`${page}/messages`, { method: 'POST', body })).status
  }
  const asked = async (operation: string) => (await service.requests(operation)).length

  useSides((sides) => ({ service, parties, site } = sides))
  afterEach(removeFlow)

  for (const [what, setting] of [
    ['document', 'Signing origins'],
    ['session', 'Identification origins'],
  ] as const) {
    it(`makes no page of a ${what} for a live client without origins, and names the setting`, async () => {
      const flow = await start({ what }, live)
      flow.send({ url: 'https://attacker.example/x', documentId: 'd', sessionId: 's' })
      const { error } = await flow.caught()
      should(error.code).equal('EID_CONFIG')
      should(error.message).containEql(setting)
      should(flow.waiting().out).equal(0)
    })
  }

  it('frames only pages of its origins for a live client', async () => {
    const flow = await start({ what: 'document' }, { ...live, signatureOrigins: 'https://sign.example' })
    flow.send({ url: 'https://attacker.example/x', documentId: 'd' })
    should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
    await open(flow, { url: 'https://sign.example/x', documentId: 'd' })
  })

  it('believes the word of an app from its own origins only', async () => {
    const client = {
      ...live,
      signatureOrigins: 'https://sign.example',
      identificationOrigins: 'https://identify.example',
    }
    const flow = await start({ what: 'document' }, client)
    const words = {
      signed: { type: 'sign_success', payload: { documentId: 'd' } },
      identified: { sessionId: 's', status: 'success' },
    }
    const page = await open(flow, { url: 'https://sign.example/x', documentId: 'd' })
    should(await post(page, words.identified, 'https://sign.example')).equal(403)
    should(await post(page, { type: 'spinner_on' }, 'https://sign.example')).equal(204)
    should((await flow.next(0)).payload).have.property('type', 'spinner_on')
    for (const [origin, data] of [
      ['https://sign.example', words.identified],
      ['https://identify.example', words.signed],
    ] as const) {
      flow.send({ payload: { origin, data: JSON.stringify(data) } })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).containEql(sentence('embed', 'problems.otherOrigin', { path: '', origin }).slice(2))
    }
    should(flow.waiting().out).equal(0)
  })

  describe('a session or document that someone else has finished', () => {
    it('is confirmed by no page that was made for another one', async () => {
      const flow = await start()
      const own = await parties.createSession()
      const foreign = await parties.createSession()
      await identify(foreign.url)
      const page = await open(flow, { url: own.url, sessionId: own.id })
      for (const sessionId of [foreign.id, `../sessions/${foreign.id}`]) {
        should(await post(page, { sessionId, status: 'success' })).equal(204)
        should(await flow.next(1)).have.properties({ confirmed: false, sessionId: own.id })
      }
      should(await asked('getSession')).equal(0)
    })

    it('has no page, because a page without the id of its own is refused', async () => {
      const flow = await start()
      const session = await parties.createSession()
      const document = await parties.createDocument('nobodys')
      for (const [what, url, words] of [
        ['session', session.url, /^Session id is missing\. /],
        ['document', document.signers[0]?.url, /^Document id is missing\. /],
        ['auto', document.signers[0]?.url, /^Document id is missing\. /],
      ] as const) {
        await flow.redeploy({ what })
        flow.send({ url })
        const { error } = await flow.caught()
        should(error).match({ code: 'EID_INVALID_INPUT', message: words })
      }
      should(flow.waiting().out).equal(0)
    })

    it('is confirmed for no message of a page elsewhere that does not say which one it is about', async () => {
      const flow = await start()
      const own = await parties.createSession()
      const foreign = await parties.createSession()
      await identify(foreign.url)
      const payload = { origin: service.url, data: JSON.stringify({ sessionId: foreign.id, status: 'success' }) }
      flow.send({ payload })
      should((await flow.caught()).error).match({ code: 'EID_INVALID_INPUT', message: /^Session id is missing\. / })
      flow.send({ payload, sessionId: own.id })
      should(await flow.next(1)).have.properties({ confirmed: false, sessionId: own.id })
    })
  })

  it('belongs to the browser in which the identification began: another one opens and reports nothing', async () => {
    const flow = await start()
    const session = await parties.createSession()
    const page = await open(flow, { url: session.url, sessionId: session.id })
    const visit = async (place: string, method: string, cookie = '') =>
      fetch(page + place, { method, headers: { cookie }, ...(place === '/messages' && { body: success }) })
    const success = JSON.stringify({
      origin: service.url,
      data: JSON.stringify({ sessionId: session.id, status: 'success' }),
    })
    const begun = await visit('/begin', 'POST')
    const [cookie = '', ...rules] = (begun.headers.get('set-cookie') ?? '').split('; ')
    should(begun.status).equal(204)
    should(rules).deepEqual(['HttpOnly', 'SameSite=Lax'])
    await identify(session.url)
    for (const other of ['', cookie.replace(/=.*/, '=guessed')]) {
      const notice = await visit('', 'GET', other)
      should(notice.status).equal(403)
      const html = await notice.text()
      should(html).containEql('This page is open in another browser').and.not.containEql(session.id)
      for (const [place, method] of [
        ['/begin', 'POST'],
        ['/messages', 'POST'],
        ['/end', 'GET'],
      ] as const) {
        should((await visit(place, method, other)).status).equal(403)
      }
    }
    should(await asked('getSession')).equal(0)
    should((await visit('', 'GET', cookie)).status).equal(200)
    should((await visit('/begin', 'POST', cookie)).headers.has('set-cookie')).be.false()
    should((await visit('/messages', 'POST', cookie)).status).equal(204)
    should(await flow.next(1)).have.properties({ confirmed: true, sessionId: session.id })
  })

  it('refuses a framing address without a scheme, which no browser takes', async () => {
    for (const [setting, label] of [
      ['frameAncestors', 'Allowed parent pages'],
      ['frameSources', 'More allowed origins'],
    ] as const) {
      const flow = await start({ [setting]: 'https://our.example www.our.example' })
      flow.send({ url: 'https://sign.example/x', documentId: 'd' })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).containEql(label)
      await removeFlow()
    }
    const flow = await start({ frameAncestors: 'https://our.example/' })
    const { documentId, signers } = await parties.createDocument('framed')
    const page = await fetch(await open(flow, { url: signers[0]?.url, documentId }))
    should(page.headers.get('content-security-policy')).containEql('frame-ancestors https://our.example;')
  })

  it('makes one check at a time, however often a page reports its end', async () => {
    const flow = await start()
    const { documentId, signers } = await parties.createDocument('insisting')
    const page = await open(flow, { url: signers[0]?.url, documentId })
    const message = { type: 'sign_success', payload: { documentId } }
    const codes = await Promise.all(Array.from({ length: 60 }, () => post(page, message)))
    should(new Set(codes)).deepEqual(new Set([204]))
    // A check becomes outdated when the page reports again meanwhile. All reports that arrived during a check get one
    // message.
    should(await flow.next(1)).have.property('confirmed', false)
    // Each check makes three look-ups.
    should(await asked('getDocument')).be.within(3, 6)
    should(flow.waiting().out).equal(60)
    await act(signers[0]?.url ?? '')
    should(await post(page, message)).equal(204)
    should(await flow.next(1)).have.property('confirmed', true)
  })

  it('still confirms the end after other messages of the same page', async () => {
    const flow = await start()
    const { documentId, signers } = await parties.createDocument('second-thoughts')
    const page = await open(flow, { url: signers[0]?.url, documentId })
    for (const type of ['sign_error', 'sign_error', 'sign_success']) await post(page, { type, payload: { documentId } })
    await act(signers[0]?.url ?? '')
    await until(async () => ((await flow.next(1)).payload as { type: string }).type === 'sign_success')
  })

  it('limits the bytes of messages; the oldest page is forgotten first', async () => {
    const flow = await start({}, { signatureOrigins: 'https://sign.example' })
    const large = { url: 'https://sign.example/x', documentId: 'd', ballast: 'x'.repeat(4 * mebibyte) }
    const pages: string[] = []
    for (let number = 0; number < 17; number++) pages.push(await open(flow, { ...large }))
    should((await fetch(pages[0] ?? '')).status).equal(410)
    should((await fetch(pages.at(-1) ?? '')).status).equal(200)
  })

  it('refuses a message that is too large to be kept with a page, or nested too deep', async () => {
    const flow = await start()
    const { documentId, signers } = await parties.createDocument('too-much')
    const url = signers[0]?.url
    flow.send({ url, documentId, ballast: 'x'.repeat(9 * mebibyte) })
    should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
    let deep: object = {}
    for (let level = 0; level < 2000; level++) deep = { deep }
    flow.send({ url, documentId, deep })
    should((await flow.caught()).error.message).containEql('200 levels')
    should(flow.waiting().out).equal(0)
  })

  it('confirms a session of the older version', async () => {
    const flow = await start()
    const { Url, RequestId } = await parties.call<{ Url: string; RequestId: string }>(
      'POST',
      '/identification/session',
      {
        IdentityProvider: 'NO_EID_MOBILE',
        ReturnUrls: { Success: 'https://a.example/s', Abort: 'https://a.example/a', Error: 'https://a.example/e' },
        iFrame: { Domain: '127.0.0.1', WebMessaging: true },
      },
    )
    // Each version knows only its own sessions.
    await service.fault({ kind: 'status', operation: 'getSession', status: 404, count: 100 })
    const page = await open(flow, { url: Url, sessionId: RequestId, payload: { Url, RequestId } })
    await identify(Url)
    await post(page, { sessionId: RequestId, status: 'success' })
    should(await flow.next(1)).have.properties({ confirmed: true, status: 'success', sessionId: RequestId })
  })

  it('takes the address of the signer that is named', async () => {
    const flow = await start({ signer: 'signer-1' })
    const { documentId, signers } = await parties.createDocument('two-signers', 2)
    const listed = signers.map(({ id, url }, index) => ({ id, url, externalSignerId: `signer-${index}` }))
    const page = await open(flow, { documentId, signers: listed, url: signers[0]?.url })
    should(await (await fetch(page)).text()).containEql(JSON.stringify(signers[1]?.url))
    flow.send({ documentId, signers: listed.slice(0, 1) })
    const { error } = await flow.caught()
    should(error.cause.problems).have.length(1)
    should(error.message).containEql('signer-1')
  })

  it('says once that it does not know its own address', async () => {
    const flow = await start()
    const { documentId, signers } = await parties.createDocument('nowhere')
    for (let number = 0; number < 2; number++) await open(flow, { url: signers[0]?.url, documentId })
    await untilCount(() => flow.warnings.length, 1)
    should(flow.warnings.filter((one) => one.includes('public address'))).have.length(1)
  })
})
