/** "embed" over HTTP: pages, every web message, forged and oversized messages, confirmation by the service. */
import should from 'should'
import node from '../../nodes/embed/embed'
import { removeFlow, startFlow, type Flow } from '../support/flow'
import { act, identify, type Parties } from '../support/parties'
import type { PublicSide } from '../support/public-site'
import type { Service } from '../support/service'
import { useSides } from '../support/service-and-site'
import { until } from '../support/time'

interface Told {
  type: string
  payload?: unknown
  documentId?: string
  sessionId?: string
  confirmed?: boolean
}

describe('embed', () => {
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
    })
  /** Makes a page; returns its address and the message of the third output. */
  const open = async (flow: Flow, msg: Record<string, unknown>) => {
    flow.send(msg)
    const made = await flow.next(2)
    const path = new URL(String(made.embedUrl), site.url).pathname.replace('/nr/', '/')
    return { made, url: site.url + path }
  }
  const post = async (page: string, message: unknown, origin = service.url) => {
    const data = typeof message === 'string' ? message : JSON.stringify(message)
    return send(page, JSON.stringify({ origin, data }))
  }
  const send = async (page: string, body: string, headers: Record<string, string> = {}) =>
    (await fetch(`${page}/messages`, { method: 'POST', headers, body })).status
  const openDocument = async (flow: Flow, name: string) => {
    const { documentId, signers } = await parties.createDocument(name)
    const url = signers[0]?.url ?? ''
    return { documentId, app: url, page: (await open(flow, { url, documentId, kept: name })).url }
  }

  useSides((sides) => ({ service, parties, site } = sides))
  afterEach(removeFlow)

  it('puts the address of a page on the message and passes it on', async () => {
    const flow = await start({ path: 'sign/here' })
    const { documentId, signers } = await parties.createDocument('embed-1')
    const { made, url } = await open(flow, { url: signers[0]?.url, documentId, res: 'of the visitor' })
    should(made).have.properties({ documentId, res: 'of the visitor' })
    should(String(made.embedUrl)).match(/^\/sign\/here\/[\w-]{43}$/)
    const page = await fetch(url)
    should(page.status).equal(200)
    const html = await page.text()
    should(html).containEql(`<html lang="en">`)
    should(html).containEql(JSON.stringify(signers[0]?.url))
    const policy = page.headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    should(html).containEql(`<script nonce="${nonce}">`)
    for (const part of ["default-src 'none'", `frame-src ${service.url};`, "frame-ancestors 'none'"]) {
      should(policy).containEql(part)
    }
    should(flow.statuses[0]?.text).equal('sandbox')
    await until(() => flow.statuses.find(({ text }) => text === '1 page open'))
  })

  it('makes the page as the message came in, whatever happens to its objects meanwhile', async () => {
    const flow = await start({ url: 'deal.url', documentId: 'deal.id' })
    const deal = { url: '', id: '' }
    for (const id of ['P1', 'P2', 'P3', 'P9']) {
      Object.assign(deal, { url: `${service.url}/sign/${id}`, id })
      if (id !== 'P9') flow.send({ deal })
    }
    for (const id of ['P1', 'P2', 'P3']) {
      const path = String((await flow.next(2)).embedUrl)
      should(await (await fetch(site.url + path)).text()).containEql(JSON.stringify(`${service.url}/sign/${id}`))
    }
  })

  it('puts the public address in front, and speaks the language of the signer or of the browser', async () => {
    const flow = await start({ publicUrl: 'https://flows.example.com/nr/', language: 'lang', languageType: 'msg' })
    const { documentId, signers } = await parties.createDocument('embed-2')
    const { made, url } = await open(flow, { url: signers[0]?.url, documentId, lang: 'NO' })
    should(String(made.embedUrl)).startWith('https://flows.example.com/nr/eid/')
    should(await (await fetch(url)).text()).containEql('Signer dokument')
    const headers = { 'Accept-Language': 'xx, nb-NO;q=0.9, en;q=0.5' }
    const langFor = async (msg: Record<string, unknown>) => {
      const { url: page } = await open(flow, { documentId, ...msg })
      return /<html lang="(\w+)">/.exec(await (await fetch(page, { headers })).text())?.[1]
    }
    const app = signers[0]?.url
    should(await langFor({ url: app })).equal('nb')
    // The results of "create document" and "identify" on the message contain this person's language.
    const payload = {
      signers: [
        { url: 'https://other.example', ui: { language: 'FI' } },
        { url: app, ui: { language: 'SV' } },
      ],
    }
    should(await langFor({ url: app, payload })).equal('sv')
    should(await langFor({ url: app, payload, lang: 'DE' })).equal('de')
    should(await langFor({ url: app, payload: { url: app, language: 'da' } })).equal('da')
    should(await langFor({ url: app, payload: { url: 'https://other.example', language: 'da' } })).equal('nb')
  })

  it('sends every type of the signer app on, with its payload and the id of the document', async () => {
    const flow = await start()
    const { documentId, page } = await openDocument(flow, 'embed-3')
    const about = { documentId }
    const messages: { type: string; payload?: unknown }[] = [
      { type: 'outdated_browser' },
      { type: 'app_started', payload: about },
      { type: 'eid_selected', payload: 'no_eid' },
      { type: 'document_read', payload: about },
      { type: 'language_changed', payload: 'NO' },
      { type: 'spinner_on' },
      { type: 'spinner_off' },
      { type: 'document_expired', payload: about },
      { type: 'sign_error', payload: { errorCode: 'SA-1020', documentId } },
      { type: 'sign_success', payload: about },
      { type: 'already_signed', payload: about },
      { type: 'user_canceled', payload: about },
      { type: 'something_new', payload: [1, { two: 3 }] },
    ]
    for (const message of messages) {
      should(await post(page, message)).equal(204)
      const msg = await flow.next(0)
      should(msg.payload).deepEqual({ ...message, documentId })
      should(msg).have.properties({ documentId, kept: 'embed-3' })
    }
  })

  it('trusts no result that the service does not confirm', async () => {
    const flow = await start()
    const { documentId, page, app } = await openDocument(flow, 'embed-4')
    await post(page, { type: 'sign_success', payload: { documentId } })
    const forged = await flow.next(1)
    should(forged.payload).have.properties({ type: 'sign_success', documentId, confirmed: false })
    should(forged).have.properties({ confirmed: false, status: 'unsigned', kept: 'embed-4' })
    await act(app)
    await post(page, { type: 'sign_success', payload: { documentId } })
    const real = await flow.next(1)
    should(real).have.properties({ confirmed: true, status: 'signed', statusCode: 200 })
    should((await fetch(page)).status).equal(410)
    // The app's later messages are accepted, but not a second end.
    should(await post(page, { type: 'spinner_off' })).equal(204)
    await post(page, { type: 'sign_success', payload: { documentId } })
    await post(page, { type: 'the_last' })
    await until(async () => ((await flow.next(0)).payload as Told).type === 'the_last')
    should((await service.requests('getDocument')).length).equal(4)
  })

  it('looks at the signer whose address is framed, and at no other document than the registered', async () => {
    const flow = await start()
    const { documentId, signers } = await parties.createDocument('embed-5', 2)
    const other = await parties.createDocument('embed-6')
    const [first, second] = signers
    await act(first?.url ?? '')
    await act(other.signers[0]?.url ?? '')
    const { url: page } = await open(flow, { url: second?.url, documentId })
    await post(page, { type: 'sign_success', payload: { documentId } })
    should(await flow.next(1)).have.properties({ confirmed: false, status: 'partialsigned' })
    await post(page, { type: 'sign_success', payload: { documentId: other.documentId } })
    should(await flow.next(1)).have.properties({ confirmed: false, documentId })
    await act(second?.url ?? '')
    await post(page, { type: 'sign_success', payload: { documentId } })
    should(await flow.next(1)).have.properties({ confirmed: true })
  })

  for (const [action, type, status] of [
    ['success', 'success', 'success'],
    ['abort', 'aborted', 'user_aborted'],
    ['fail', 'error', 'failed'],
  ] as const) {
    it(`confirms a session that ended with ${type}`, async () => {
      const flow = await start({ url: 'payload.url' })
      const session = await parties.createSession()
      const { url: page } = await open(flow, { payload: session, sessionId: session.id, documentId: 'from-before' })
      await identify(session.url, action)
      should(await post(page, { sessionId: session.id, status: type })).equal(204)
      const payload: Told = { type, payload: { sessionId: session.id, status: type }, sessionId: session.id }
      should((await flow.next(0)).payload).deepEqual(payload)
      const msg = await flow.next(1)
      should(msg.payload).deepEqual({ ...payload, confirmed: true })
      should(msg).have.properties({ status, sessionId: session.id, documentId: 'from-before' })
    })
  }

  it('lets in nothing from a wrong origin, nothing oversized, and nothing but web messages', async () => {
    const flow = await start()
    const { page } = await openDocument(flow, 'embed-7')
    const message = JSON.stringify({ type: 'app_started' })
    should(await post(page, message, 'https://attacker.example')).equal(403)
    should(await post(page, message, `${service.url}.attacker.example`)).equal(403)
    should(await post(page, 'not json')).equal(400)
    should(await post(page, '"text"')).equal(400)
    should(await post(page, '{"type":1}')).equal(400)
    should(await post(page, { type: 'app_started', payload: 'x'.repeat(20_000) })).equal(400)
    should(await send(page, 'x'.repeat(100_000))).equal(413)
    should(await send(page, 'not json')).equal(400)
    should(await send(page, JSON.stringify({ origin: service.url, data: { type: 'app_started' } }))).equal(400)
    const foreign = { 'Sec-Fetch-Site': 'cross-site' }
    should(await send(page, JSON.stringify({ origin: service.url, data: message }), foreign)).equal(403)
    should(await post(page, { type: 'the_last' })).equal(204)
    should((await flow.next(0)).payload).have.property('type', 'the_last')
    should(flow.waiting()).deepEqual({ out: 0, caught: 0, completed: 1 })
    await until(() => flow.statuses.find(({ text }) => text === 'web message refused'))
  })

  it('asks again about a final message that a deploy cuts off', async () => {
    const flow = await start()
    const { page, app } = await openDocument(flow, 'embed-cut')
    await act(app)
    await service.fault({ operation: 'getDocument', kind: 'slow', delay: 60_000 })
    should(await post(page, { type: 'sign_success' })).equal(204)
    await until(async () => (await service.requests('getDocument')).length > 0 || undefined)
    await flow.redeploy({ name: 'changed' })
    should(await flow.next(1)).have.properties({ confirmed: true, kept: 'embed-cut' })
    should(flow.waiting()).have.properties({ out: 1, caught: 0 })
  })

  it('knows no other tokens, and forgets its pages in time', async () => {
    const flow = await start({ lifetime: '0.005' })
    const { page } = await openDocument(flow, 'embed-8')
    should((await fetch(`${site.url}/eid/page/${'x'.repeat(43)}`)).status).equal(410)
    should((await fetch(`${page}/more`)).status).equal(404)
    should((await fetch(page)).status).equal(200)
    await until(async () => (await fetch(page)).status === 410)
    const gone = await fetch(page, { headers: { 'Accept-Language': 'nb' } })
    should(gone.status).equal(410)
    should(await gone.text()).containEql('Denne siden er ikke lenger gyldig')
    should(await post(page, { type: 'app_started' })).equal(410)
    await flow.redeploy({ lifetime: '' })
    const again = await openDocument(flow, 'embed-9')
    await flow.redeploy({ lifetime: '5' })
    should((await fetch(again.page)).status).equal(200)
  })

  it('limits how many messages a page may report', async () => {
    const flow = await start()
    const { page } = await openDocument(flow, 'embed-10')
    const codes = new Set<number>()
    for (let number = 0; number < 501; number++) codes.add(await post(page, { type: 'spinner_on' }))
    should([...codes]).deepEqual([204, 429])
  })

  it('takes a message that another page has received, and refuses a forged one', async () => {
    const flow = await start()
    const { documentId, signers } = await parties.createDocument('embed-11')
    await act(signers[0]?.url ?? '')
    const data = JSON.stringify({ type: 'sign_success', payload: { documentId } })
    flow.send({ payload: { origin: service.url, data }, documentId, kept: 1 })
    should(await flow.next(0)).have.properties({ documentId, kept: 1 })
    should((await flow.next(1)).payload).have.properties({ type: 'sign_success', documentId, confirmed: true })
    flow.send({ payload: { origin: 'https://attacker.example', data } })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.cause.problems).have.length(1)
    const other = JSON.stringify({ sessionId: 's-1', status: 'success' })
    await flow.redeploy({ signatureOrigins: `${service.url} https://sign.example` }, 'c')
    flow.send({ payload: { origin: 'https://sign.example', data: other }, sessionId: 's-1' })
    should((await flow.caught()).error.message).containEql('of the other kind')
    await flow.redeploy({}, 'c')
    flow.send({ payload: { origin: service.url, data: 'nonsense' } })
    should((await flow.caught()).error.message).containEql('payload.data')
    should(flow.waiting().out).equal(0)
  })

  it('frames only addresses of the origins that the client names', async () => {
    const client = { signatureOrigins: 'https://sign.example https://sign-test.example' }
    const flow = await start({}, client)
    const good = await open(flow, { url: 'https://sign-test.example/start?jwt=1', documentId: 'd' })
    const policy = (await fetch(good.url)).headers.get('content-security-policy') ?? ''
    should(policy).containEql('frame-src https://sign.example https://sign-test.example')
    for (const url of ['https://attacker.example/start', 'javascript:alert(1)', '', undefined]) {
      flow.send({ url })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
    }
  })

  it('reports with its message that the service could not be asked', async () => {
    const flow = await start({}, { retries: 0 })
    const { documentId, page } = await openDocument(flow, 'embed-12')
    await service.fault({ kind: 'status', operation: 'getDocument', status: 403 })
    await post(page, { type: 'sign_success', payload: { documentId } })
    const caught = await flow.caught()
    should(caught.error.code).equal('EID_FORBIDDEN')
    should(caught).have.properties({ documentId, kept: 'embed-12' })
  })

  it('keeps HTML in addresses out of the page', async () => {
    const flow = await start({}, { signatureOrigins: 'https://sign.example' })
    const app = 'https://sign.example/?a="></script><script>alert(1)</script>'
    const { url } = await open(flow, { url: app, documentId: 'd' })
    const html = await (await fetch(url)).text()
    should(html).not.containEql('<script>alert')
    should(html).not.containEql('"></script><')
  })
})
