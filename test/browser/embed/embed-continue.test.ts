/**
 * "embed" inside a page of another origin: that page is notified of a confirmed end, and the visitor continues at the
 * address that the node names. A real "identify" creates the session, without return addresses.
 *
 * @rest
 */
import should from 'should'
import type { Page } from 'playwright-core'
import embed from '../../../nodes/embed/embed'
import identification from '../../../nodes/identification-session/identification-session'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { identify } from '../../support/parties'
import { until } from '../../support/time'
import { appIn, post, startEmbedded, type Embedded } from '../support/embedded'
import { startPublicSide, type PublicSide } from '../../support/public-site'
import { framing, startSite, type Site } from '../support/site'

describe('the page of embed, when it is over', () => {
  let world: Embedded
  let site: PublicSide
  let caller: Site
  let flow: Flow
  before(async () => {
    ;[world, site, caller] = [await startEmbedded(), await startPublicSide(), await startSite()]
  })
  beforeEach(() => world.reset())
  afterEach(removeFlow)
  after(async () => {
    await world?.close()
    await site?.close()
    await caller?.close()
  })

  /**
   * Starts "identify" and "embed", one after the other, with the address at which to continue; returns the page and the
   * session.
   */
  const start = async (settings: object = {}) => {
    flow = await startFlow({
      type: 'eid-embed',
      module: embed,
      modules: [site.module, identification],
      outputs: 3,
      settings: {
        publicUrl: site.url,
        frameAncestors: caller.alias,
        continueAt: `${caller.alias}/thanks?session={sessionId}`,
        ...settings,
      },
      client: { baseUrl: world.service.url },
      more: [{ id: 's', z: 'f', type: 'eid-identification-session', client: 'c', flow: 'iframe', wires: [['n']] }],
    })
    caller.put('/thanks', 'Thank you')
    flow.send({}, 's')
    const made = await flow.next(2)
    return { address: String(made.embedUrl), id: String(made.sessionId), url: String(made.url) }
  }
  const heard = (page: Page) => page.evaluate('window.heard') as Promise<{ origin: string; data: unknown }[]>

  it('notifies the page around it once the service has confirmed the end, and leads the visitor on', async () => {
    const { address, id, url } = await start()
    const page = await world.tab()
    const outer = new URL(caller.put('/shop', framing(address)))
    await page.goto(caller.alias + outer.pathname)
    const app = await appIn(page, world.service)
    // The app reports success, but the service does not confirm it.
    await post(app, JSON.stringify({ sessionId: id, status: 'success' }))
    should((await flow.next(1)).payload).have.properties({ confirmed: false })
    should(await heard(page)).deepEqual([])
    await identify(url)
    const notices = page.waitForFunction('heard.length > 0 && JSON.stringify(heard)')
    await post(app, JSON.stringify({ sessionId: id, status: 'success' }))
    should((await flow.next(1)).payload).have.properties({ confirmed: true })
    const notice = { source: 'eid-embed', kind: 'session', status: 'success', confirmed: true, sessionId: id }
    should(JSON.parse(String(await (await notices).jsonValue()))).deepEqual([{ origin: site.url, data: notice }])
    const inner = page.frameLocator('iframe')
    should(await inner.getByRole('link', { name: 'Continue' }).getAttribute('target')).equal('_top')
    await inner.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL(`${caller.alias}/thanks?session=${id}`)
  })

  it('follows the address by itself where nothing is around it', async () => {
    const { address, id, url } = await start()
    const page = await world.tab()
    await page.goto(address)
    const app = await appIn(page, world.service)
    await identify(url)
    await post(app, JSON.stringify({ sessionId: id, status: 'success' }))
    await page.waitForURL(`${caller.alias}/thanks?session=${id}`)
    should(page.complaints).be.empty()
  })

  it('notifies no page before the end is confirmed, and no page that is not named', async () => {
    const { address, id, url } = await start({ frameAncestors: `${caller.url} https://other.example` })
    const end = async () => (await fetch(`${address}/end`)).status
    should(await end()).equal(204)
    should((await fetch(`${address.slice(0, -4)}none/end`)).status).equal(410)
    const page = await world.tab()
    await page.goto(caller.alias + new URL(caller.put('/stranger', framing(address))).pathname)
    await until(() => (page.frames().length > 1 ? true : undefined))
    await identify(url)
    should(await end()).equal(204)
    should(await heard(page)).deepEqual([])
    should(id).not.be.empty()
  })

  it('refuses an address to continue at without an id, or that is not a web address', async () => {
    flow = await startFlow({
      type: 'eid-embed',
      module: embed,
      modules: [site.module],
      outputs: 3,
      settings: { what: 'session', url: 'url', continueAt: 'at', continueAtType: 'msg' },
      client: { baseUrl: world.service.url },
    })
    for (const [at, words] of [
      ['https://shop.example/{sessionId}', 'needs {sessionId}'],
      ['https://shop.example/{price}', 'needs {price}'],
      ['javascript:alert(1)', 'Continue at'],
    ] as const) {
      flow.send({ url: `${world.service.url}/x`, at })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).containEql(words)
    }
  })
})
