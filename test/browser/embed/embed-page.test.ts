/**
 * The page of "embed" in a real browser: what it trusts, in which frames it works, and what it offers if nothing
 * arrives.
 *
 * @rest
 */
import should from 'should'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import { maxMessageLength } from '../../../nodes/embed/messages'
import { stopFlow, type Flow } from '../../support/flow'
import { act } from '../../support/parties'
import { appIn, post, startEmbedded, type Embedded } from '../support/embedded'
import { tabTo } from '../support/keyboard'
import { shouldSuitEverybody } from '../support/look'
import { framing, startSite, type Site } from '../support/site'
import { until } from '../../support/time'

/** The messages that the surrounding page received. */
type Heard = [{ data: object }]

describe('the page of embed', () => {
  let world: Embedded
  let caller: Site
  before(async () => {
    world = await startEmbedded()
    caller = await startSite()
  })
  beforeEach(() => world.reset())
  afterEach(stopFlow)
  after(async () => {
    await world?.close()
    await caller?.close()
  })

  /** Opens a document's page with the app in it, and reads the app's first messages. */
  const open = async (flow: Flow, name: string) => {
    const { documentId, app: link } = await world.document(name)
    const page = await world.tab()
    await page.goto(await world.register(flow, link, { documentId }))
    const app = await appIn(page, world.service)
    for (const type of ['app_started', 'document_read']) should((await flow.next(0)).payload).have.properties({ type })
    return { documentId, page, app, link }
  }
  const typeOf = async (flow: Flow) => ((await flow.next(0)).payload as { type: string }).type
  const ping = JSON.stringify({ type: 'spinner_off' })
  const plainLink = (page: Page | Frame) => page.getByRole('link', { name: 'Open in a new window' })

  describe('believes', () => {
    it('nothing oversized, nothing that is no JSON text, and no text without a type', async () => {
      const flow = await world.start()
      const { page, app } = await open(flow, 'noise')
      const long = JSON.stringify({ type: 'sign_success', payload: 'x'.repeat(20_000) })
      await post(app, long, 'x'.repeat(1_000_000), 'sign_success', '"sign_success"', '17', 'null', '{"type":', '')
      await post(
        app,
        { type: 'sign_success' },
        42,
        null,
        [ping],
        '[]',
        '{}',
        '{"type":1}',
        '{"status":"success"}',
        ping,
      )
      should(await typeOf(flow)).equal('spinner_off')
      // The page reports texts that look like messages, and the node refuses them; other texts are not reported.
      await until(() => page.reports.find((one) => one === ping))
      should(page.reports.slice(2)).deepEqual(['[]', '{}', '{"type":1}', '{"status":"success"}', ping])
      await until(() => flow.statuses.some(({ text }) => text === 'web message refused'))
      should(flow.waiting()).have.properties({ out: 0, caught: 0 })
    })

    it('a message of the greatest length, and none that is longer by one', async () => {
      const flow = await world.start()
      const { page, app } = await open(flow, 'longest')
      const bare = JSON.stringify({ type: 'spinner_on', payload: '' })
      const long = (length: number) => bare.replace('""', `"${'å'.repeat(length - bare.length)}"`)
      await post(app, long(maxMessageLength + 1), long(maxMessageLength), ping)
      should([await typeOf(flow), await typeOf(flow)]).deepEqual(['spinner_on', 'spinner_off'])
      await until(() => page.reports.find((one) => one === ping))
      should(page.reports.slice(2).map((one) => one.length)).deepEqual([maxMessageLength, ping.length])
      should(flow.waiting()).have.properties({ out: 0, caught: 0 })
    })

    it('types that it does not know, and passes them on as they are', async () => {
      const flow = await world.start()
      const { documentId, page, app } = await open(flow, 'unknown')
      await post(app, JSON.stringify({ type: 'something_new', payload: [1, { two: 'tre' }], more: true }))
      should((await flow.next(0)).payload).deepEqual({
        type: 'something_new',
        payload: [1, { two: 'tre' }],
        documentId,
      })
      should(await page.getByRole('status').innerText()).equal('')
      should(flow.waiting()).have.properties({ out: 0, caught: 0 })
    })

    it('only the frame, even when the client names the origin', async () => {
      const flow = await world.start(
        { frameAncestors: caller.url },
        { signatureOrigins: `${world.service.url} ${caller.url}` },
      )
      const { documentId, app: link } = await world.document(
        'around',
        `${new URL(caller.url).host} ${new URL(world.url).host}`,
      )
      const page = await world.tab()
      await page.goto(caller.put('/around', framing(await world.register(flow, link, { documentId }))))
      const app = await appIn(page, world.service)
      should([await typeOf(flow), await typeOf(flow)]).deepEqual(['app_started', 'document_read'])
      const forged = JSON.stringify({ type: 'sign_success', payload: { documentId } })
      await page.evaluate((data) => window.frames[0]?.postMessage(data, '*'), forged)
      const between = app.parentFrame()
      await between?.evaluate((data) => window.postMessage(data, '*'), forged)
      await post(app, ping)
      should(await typeOf(flow)).equal('spinner_off')
      await until(() => page.reports.find((one) => one === ping))
      should(page.reports).have.length(3)
      should(flow.waiting().out).equal(0)
    })

    it('no other origin that has come into the frame', async () => {
      const flow = await world.start({ frameSources: caller.url })
      const { documentId, page, app, link } = await open(flow, 'provider')
      const forged = JSON.stringify(JSON.stringify({ type: 'sign_success', payload: { documentId } }))
      // A page that acts as an identity provider: it is shown in the frame, and leads back to the app.
      const provider = caller.put(
        '/provider',
        `<script>parent.postMessage(${forged}, '*'); setTimeout(() => location.replace('${link}'))</script>`,
      )
      const shown = page.waitForEvent('framenavigated', (frame) => frame.url() === provider)
      await app.evaluate((to) => location.assign(to), provider)
      await shown
      should([await typeOf(flow), await typeOf(flow)]).deepEqual(['app_started', 'document_read'])
      should(page.reports.some((one) => one.includes('sign_success'))).be.false()
    })
  })

  describe('in the frame of another page', () => {
    const hostOf = (origin: string) => new URL(origin).host
    /** Opens the page inside a page of the caller, which has another host name. */
    const nest = async (flow: Flow, name: string, domain: string) => {
      const { documentId, app } = await world.document(name, domain)
      const { pathname } = new URL(caller.put('/nested', framing(await world.register(flow, app, { documentId }))))
      const page = await world.tab()
      await page.goto(caller.alias + pathname)
      return { documentId, page, inner: page.frameLocator('iframe') }
    }

    for (const [words, domain] of [
      ['with ports', () => `${hostOf(caller.alias)} ${hostOf(world.url)}`],
      ['without ports', () => 'localhost 127.0.0.1'],
    ] as const) {
      it(`still reports if all domains are named ${words} and the receiver comes last`, async () => {
        const flow = await world.start({ frameAncestors: caller.alias })
        const { documentId, page, inner } = await nest(flow, 'nested', domain())
        should([await typeOf(flow), await typeOf(flow)]).deepEqual(['app_started', 'document_read'])
        await inner.frameLocator('iframe').locator('#sign').click()
        should((await flow.next(1)).payload).have.properties({ type: 'sign_success', documentId, confirmed: true })
        await inner.getByRole('status').getByText('The document is signed.').waitFor()
        const [{ data }] = (await page.waitForFunction('heard[0] && heard').then((one) => one.jsonValue())) as Heard
        should(data).have.properties({ source: 'eid-embed', status: 'sign_success', documentId, confirmed: true })
      })
    }

    it('gets no messages if the receiver does not come last, and offers the plain link', async () => {
      const flow = await world.start({ frameAncestors: caller.alias, timeoutSeconds: '1' })
      const { page, inner } = await nest(flow, 'order', `${hostOf(world.url)} ${hostOf(caller.alias)}`)
      await inner.getByRole('link', { name: 'Open in a new window' }).waitFor()
      should(page.reports).deepEqual([])
    })

    it('is not shown by pages that the node does not name', async () => {
      const flow = await world.start()
      const { page } = await nest(flow, 'stranger', `${hostOf(caller.alias)} ${hostOf(world.url)}`)
      await until(() => (page.frames().length > 1 ? true : undefined))
      await page.waitForLoadState('load')
      should(await page.frames()[1]?.locator('iframe').count()).equal(0)
      should(page.reports).deepEqual([])
    })
  })

  it('of an identification is open in one browser only, and another one is told so', async () => {
    const flow = await world.start({ what: 'session' })
    const session = await world.session()
    const address = await world.register(flow, session.url, { sessionId: session.id })
    const first = await world.tab()
    const second = await world.tab()
    await first.goto(address)
    await appIn(first, world.service)
    await second.goto(address)
    await second.getByRole('heading', { name: 'This page is open in another browser' }).waitFor()
    await shouldSuitEverybody(second)
    await first.reload()
    await appIn(first, world.service)
    should(flow.waiting().out).equal(0)
  })

  describe('when nothing comes', () => {
    it('offers the plain link, for documents and sessions alike', async () => {
      const silent = createServer(() => undefined)
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
      const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
      try {
        const origins = { signatureOrigins: origin, identificationOrigins: origin }
        for (const what of ['document', 'session']) {
          const flow = await world.start({ timeoutSeconds: '1', what }, origins)
          const page = await world.tab()
          await page.goto(await world.register(flow, `${origin}/app?of=${what}`, { [`${what}Id`]: 'x' }), {
            waitUntil: 'commit',
          })
          await page.getByRole('status').getByText('This is taking longer than usual.').waitFor()
          should(await plainLink(page).getAttribute('href')).equal(`${origin}/app?of=${what}`)
          await tabTo(page, plainLink(page))
          await page.context().close()
          await stopFlow()
        }
      } finally {
        silent.closeAllConnections()
        silent.close()
      }
    })

    it('offers it too when the app refuses to be framed here', async () => {
      const flow = await world.start({ timeoutSeconds: '1' })
      const { documentId, app } = await world.document('elsewhere', 'flows.example.com')
      const page = await world.tab()
      await page.goto(await world.register(flow, app, { documentId }))
      await plainLink(page).waitFor()
    })

    it('still says that the browser is too old when the time is up', async () => {
      const flow = await world.start()
      const { documentId, app } = await world.document('old-1')
      const page = await world.tab()
      await page.clock.install()
      await page.goto(await world.register(flow, `${app}&outdated=1`, { documentId }))
      const old = page.getByRole('status').getByText('This browser is too old.')
      await old.waitFor()
      await page.clock.fastForward(60_000)
      should(await old.isVisible()).be.true()
      should(await plainLink(page).isVisible()).be.true()
    })

    it('hides the link again when the app starts after all', async () => {
      const flow = await world.start({ timeoutSeconds: '1' }, { signatureOrigins: caller.url })
      const start = `parent.postMessage(JSON.stringify({ type: 'app_started' }), '*')`
      const app = caller.put('/late', `<button onclick="${start.replaceAll('"', '&quot;')}">Start</button>`)
      const page = await world.tab()
      await page.goto(await world.register(flow, app, { documentId: 'd' }))
      await plainLink(page).waitFor()
      await page.frameLocator('iframe').getByRole('button').click()
      should(await typeOf(flow)).equal('app_started')
      await plainLink(page).waitFor({ state: 'hidden' })
      should(await page.getByRole('status').innerText()).equal('')
    })
  })

  describe('suits everyone', () => {
    it('with the app in it, with the plain link, and when it is over', async () => {
      const flow = await world.start()
      const { page, app, link, documentId } = await open(flow, 'look-1')
      await shouldSuitEverybody(page)
      await act(link)
      await post(app, JSON.stringify({ type: 'sign_success', payload: { documentId } }))
      await flow.next(1)
      await page.getByRole('status').getByText('The document is signed.').waitFor()
      await shouldSuitEverybody(page)
      await page.reload()
      await page.getByRole('heading', { name: 'This page is no longer valid' }).waitFor()
      await shouldSuitEverybody(page)
    })

    it('in an old browser, in each language of the service', async () => {
      for (const [language, lang, link] of [
        ['NO', 'nb', 'Åpne i et nytt vindu'],
        ['SV', 'sv', 'Öppna i ett eget fönster'],
        ['DA', 'da', 'Åbn i et eget vindue'],
        ['FI', 'fi', 'Avaa omaan ikkunaan'],
        ['DE', 'de', 'In einem eigenen Fenster öffnen'],
        ['NL', 'nl', 'In een eigen venster openen'],
      ] as const) {
        const flow = await world.start({ language })
        const { documentId, app } = await world.document(`look-${lang}`)
        const page = await world.tab()
        await page.goto(await world.register(flow, `${app}&outdated=1`, { documentId }))
        await page.getByRole('link', { name: link }).waitFor()
        should(await page.locator('html').getAttribute('lang')).equal(lang)
        await shouldSuitEverybody(page)
        await page.context().close()
        await stopFlow()
      }
    })

    it('on the pages of the signer app itself', async () => {
      const { app } = await world.document('look-3')
      const page = await world.tab()
      for (const query of ['', '&lang=NO', '&outdated=1']) {
        await page.goto(app + query)
        await shouldSuitEverybody(page)
      }
      await page.goto(app)
      await page.locator('#fail').click()
      await page.getByRole('status').getByText('Something went wrong.').waitFor()
      await shouldSuitEverybody(page)
      await page.goto(app.replace(/jwt=.*/, 'jwt=none'))
      await shouldSuitEverybody(page)
    })
  })
})
