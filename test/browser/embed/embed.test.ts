/** "embed" end to end in a browser: from the first message to the final output, and in a page of another origin. @rest */
import should from 'should'
import type { Browser, Page } from 'playwright-core'
import { type NodeRed, launchBrowser, startNodeRed } from '../../support/node-red/editor'
import { until } from '../../support/time'
import embed from '../../../nodes/embed/embed'
import identification from '../../../nodes/identification-session/identification-session'
import { type Flow, removeFlow, startFlow } from '../../support/flow'
import { identify } from '../../support/parties'
import { type Embedded, appIn, post, startEmbedded } from '../support/embedded'
import { type PublicSide, startPublicSide } from '../../support/public-site'
import { type Site, framing, startSite } from '../support/site'

const place = { z: 'f', x: 1, y: 1 }
const keep = (id: string, name: string) => ({
  ...place,
  id,
  type: 'function',
  func: `const all = global.get('${name}') || []; all.push(msg.payload); global.set('${name}', all)`,
  outputs: 0,
  wires: [],
})

/**
 * `POST /sign` and `POST /identify` make a page and return its address; `GET /seen` returns what came out of the nodes.
 */
const flows = [
  { id: 'f', type: 'tab' },
  { id: 'c', type: 'eid-client' },
  { ...place, id: 'in1', type: 'http in', url: '/sign', method: 'post', wires: [['create']] },
  { ...place, id: 'create', type: 'eid-create-document', client: 'c', wires: [['each']] },
  {
    ...place,
    id: 'each',
    type: 'function',
    func: 'for (const one of msg.signers.slice(1)) node.send({ ...msg, req: undefined, res: undefined, link: one.url, extra: true }); msg.link = msg.signers[0].url; return msg',
    outputs: 1,
    wires: [['embed']],
  },
  { ...place, id: 'in2', type: 'http in', url: '/identify', method: 'post', wires: [['session']] },
  { ...place, id: 'session', type: 'eid-identification-session', client: 'c', wires: [['link']] },
  {
    ...place,
    id: 'link',
    type: 'function',
    func: 'msg.link = msg.payload.url; return msg',
    outputs: 1,
    wires: [['embed']],
  },
  {
    ...place,
    id: 'embed',
    type: 'eid-embed',
    client: 'c',
    url: 'link',
    urlType: 'msg',
    wires: [['messages'], ['finals'], ['page']],
  },
  keep('messages', 'messages'),
  keep('finals', 'finals'),
  {
    ...place,
    id: 'page',
    type: 'function',
    func: "if (msg.extra) { global.set('second', msg.embedUrl); return } msg.payload = msg.embedUrl; return msg",
    outputs: 1,
    wires: [['answer']],
  },
  { ...place, id: 'answer', type: 'http response', wires: [] },
  { ...place, id: 'in3', type: 'http in', url: '/seen', method: 'get', wires: [['tell']] },
  {
    ...place,
    id: 'tell',
    type: 'function',
    func: "msg.payload = { messages: global.get('messages') || [], finals: global.get('finals') || [], second: global.get('second') }; return msg",
    outputs: 1,
    wires: [['answer']],
  },
]

interface Seen {
  messages: { type: string }[]
  finals: { type: string; confirmed: boolean; status?: string }[]
  second?: string
}

describe('pages of our own in a browser', () => {
  let red: NodeRed
  let browser: Browser

  before(async () => {
    red = await startNodeRed({ flows })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })

  const seen = async () => (await (await fetch(`${red.url}/seen`)).json()) as Seen
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    return (await fetch(red.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }
  const open = async (address: string) => {
    const page = await browser.newPage({ colorScheme: 'dark' })
    await page.goto(new URL(address, red.url).href)
    return page
  }
  const untilSeen = (done: (now: Seen) => boolean): Promise<Seen> =>
    until(async () => {
      const now = await seen()
      return done(now) && now
    })

  it('lets two signers sign, each in a page, and confirms with the service', async () => {
    const host = new URL(red.url).host
    const signer = (id: string) => ({
      externalSignerId: id,
      redirectSettings: { redirectMode: 'iframe_with_webmessaging', domain: host },
      signatureType: { mechanism: 'pkisignature' },
    })
    const address = await post('/sign', {
      title: 'Rental agreement',
      externalId: 'embed-1',
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
      signers: [signer('ola-1'), signer('kari-1')],
    })
    const first = await open(address)
    await sign(first)
    await untilSeen(({ finals }) => finals.length === 1)
    const { second } = await untilSeen((now) => now.second !== undefined)
    await sign(await open(second ?? ''))
    const { messages, finals } = await untilSeen((now) => now.finals.length === 2)
    should(messages.map((one) => one.type)).containDeepOrdered([
      'app_started',
      'sign_success',
      'app_started',
      'sign_success',
    ])
    should(finals.map((one) => [one.type, one.confirmed])).deepEqual([
      ['sign_success', true],
      ['sign_success', true],
    ])
  })

  it('takes no message from another origin', async () => {
    const before = await seen()
    const page = await open(await post('/identify', sessionIn(red)))
    await page.evaluate(() => window.postMessage(JSON.stringify({ sessionId: 'forged', status: 'success' }), '*'))
    // The first message that arrives is the frame's next one, not the forged one.
    await frameOf(page).locator('button[value="abort"]').click()
    const { messages } = await untilSeen(({ finals }) => finals.length > before.finals.length)
    should(messages.slice(before.messages.length).map((one) => one.type)).deepEqual(['aborted'])
  })

  it('identifies a person in the frame, and confirms with the service', async () => {
    const before = (await seen()).finals.length
    const page = await open(await post('/identify', sessionIn(red)))
    await frameOf(page).locator('button[value="success"]').click()
    const { finals } = await untilSeen((now) => now.finals.length === before + 1)
    should(finals.at(-1)).have.properties({ confirmed: true })
  })
})

const sessionIn = (red: NodeRed) => ({
  flow: 'iframe',
  allowedProviders: ['no_eid_mobile'],
  iframeSettings: { parentDomains: [new URL(red.url).origin], postMessageTargetOrigin: new URL(red.url).origin },
})

const frameOf = (page: Page) => page.frameLocator('iframe')

async function sign(page: Page): Promise<void> {
  await frameOf(page).locator('#sign').click()
}

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
