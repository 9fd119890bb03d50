/** One night of an office, and the consent by QR code on a phone, from a person's view in a real browser. @rest */
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import type { Browser, Page } from 'playwright-core'
import { root } from '../support/house'
import { type MailServer, startMailServer } from '../support/servers/mail-server'
import { type NodeRedProcess, startRuntime } from '../support/node-red/installed'
import { deployFlows, launchBrowser, openEditor, patience } from '../support/node-red/editor'
import { addNode, linkPackage } from '../support/node-red/user-folder'
import { startParties } from '../support/parties'
import { type Service, startService } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { complaintsOf, shouldSuitEverybody } from './support/look'
import { nightFlows } from './support/night-flows'
import { scanPixels } from '../support/qr-code'
import { type RunningExample, runExample } from '../support/examples/running-example'

const minute = 60_000
const hour = 60 * minute

/** The connection to the service, which can be cut. */
interface Line {
  readonly url: string
  /** Also closes open connections. */
  cut(isCut: boolean): void
  close(): Promise<void>
}

async function startLine(to: string): Promise<Line> {
  const open = new Set<Socket>()
  let isDown = false
  const end = () => open.forEach((one) => one.destroy())
  const server: Server = createServer((socket) => {
    if (isDown) return void socket.destroy()
    const other = connect(Number(new URL(to).port), '127.0.0.1')
    for (const one of [socket, other]) {
      open.add(one)
      one.on('error', () => undefined).on('close', () => open.delete(one))
    }
    socket.pipe(other).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(isCut) {
      isDown = isCut
      if (isCut) end()
    },
    close() {
      end()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

/** Reads repeatedly how far the system clock is ahead. */
const bentClock = `const { readFileSync } = require('node:fs')
const { join } = require('node:path')
let ahead = 0
const read = () => { try { ahead = Number(readFileSync(join(__dirname, 'ahead'), 'utf8')) || 0 } catch {} }
const { now } = Date
Date.now = () => now() + ahead
read()
setInterval(read, 20).unref()
module.exports = () => {}
`

describe('one night', () => {
  const folder = temporaryFolder()
  const pictures = join(root, '.cache', 'pictures')
  let service: Service
  let line: Line
  let mail: MailServer
  let browser: Browser
  let red: NodeRedProcess
  let ahead = 0

  const start = async (flows = nightFlows({ service: line.url, mailPort: mail.port })) => {
    const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
    const editorTheme = { tours: false, projects: { enabled: false }, codeEditor: { lib: 'ace' } }
    red = await startRuntime(installation, folder.path, flows, { editorTheme })
  }
  const pass = (milliseconds: number) => {
    ahead += milliseconds
    writeFileSync(join(folder.path, 'nodes', 'ahead'), String(ahead))
  }
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(red.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    should(answer.ok).be.true()
    return (await answer.json()) as { documentId: string }
  }
  const lease = async (number: number, hours = 1000) => {
    const deadline = new Date(Date.now() + ahead + hours * hour).toISOString()
    return (await post('/lease', { title: `Lease, Storgata ${number}`, deadline })).documentId
  }
  const cancel = async (id: string) => {
    // In the morning, a token from the evening has expired.
    const { call } = await startParties(service)
    await call('POST', `/signature/documents/${id}/cancel?reason=moved`, {})
  }
  const came = (subject: string) => until(() => mail.subjects().includes(subject))
  const waiting = async () => {
    const view = await fetch(`${red.url}/eid/sidebar?rows=9`)
    return ((await view.json()) as { waiting: { count: number } }).waiting.count
  }

  before(async () => {
    mkdirSync(pictures, { recursive: true })
    linkPackage(folder.path, ['node-red-node-email'])
    addNode(folder.path, 'bent-clock', bentClock)
    pass(0)
    service = await startService()
    ;[line, mail, browser] = await Promise.all([startLine(service.url), startMailServer(), launchBrowser()])
    await start([])
    await deployFlows(red, nightFlows({ service: line.url, mailPort: mail.port, withSecrets: true }))
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
    for (const one of [line, mail, service]) await one?.close()
    folder.remove()
  })

  it('sends one e-mail for each thing that needs a person, over a kill in the middle of an outage', async () => {
    const ids = [await lease(12), await lease(14), await lease(16, 6), await lease(18), await lease(20)]
    await until(async () => (await waiting()) === 5)
    const rows = [1, 2, 3, 4, 5, 6].map((unit) => ({
      unit: `A-${unit}`,
      title: `Lease, Kirkegata ${unit}`,
      email: unit % 3 === 0 ? 'not an address' : 'ola.nordmann@example.com',
    }))
    await post('/list', rows)
    await came('List finished with failures: May')
    await cancel(ids[0] ?? '')
    await came('Canceled: Lease, Storgata 12')

    line.cut(true)
    // The first failed call starts the outage.
    await until(async () => (await outage()) !== undefined)
    for (let passed = 0; passed < 5; passed++) pass(minute)
    await came('Service unavailable: Our company')
    const evening = mail.subjects()
    red.kill()
    await cancel(ids[1] ?? '')
    await start()
    await until(async () => (await outage()) !== undefined)
    for (let passed = 0; passed < 5; passed++) pass(minute)
    line.cut(false)
    await came('Canceled: Lease, Storgata 14')
    await until(() => mail.subjects().filter((one) => one.startsWith('Service unavailable')).length === 2)
    should(evening).deepEqual([
      'List finished with failures: May',
      'Canceled: Lease, Storgata 12',
      'Service unavailable: Our company',
    ])

    await service.sandbox.clock.advance(7 * hour)
    pass(7 * hour)
    await came('Expired: Lease, Storgata 16')
    // A second e-mail about anything would have come before this one.
    await cancel(ids[3] ?? '')
    await came('Canceled: Lease, Storgata 18')
    should(mail.subjects().sort()).deepEqual([
      'Canceled: Lease, Storgata 12',
      'Canceled: Lease, Storgata 14',
      'Canceled: Lease, Storgata 18',
      'Expired: Lease, Storgata 16',
      'List finished with failures: May',
      'Service unavailable: Our company',
      'Service unavailable: Our company',
    ])
    const list = mail.texts().find((one) => one.includes('4 of 6 rows done, 2 failed'))
    should(list).match(/Failed rows: 3 \(A-3\): Lease, Kirkegata 3; 6 \(A-6\): Lease, Kirkegata 6/)
    should(mail.texts().join('\n')).not.match(/127\.0\.0\.1/)
  })

  const outage = async () => {
    const view = (await (await fetch(`${red.url}/eid/sidebar`)).json()) as { clients: { unavailableSince?: number }[] }
    return view.clients.find(({ unavailableSince }) => unavailableSince !== undefined)?.unavailableSince
  }

  it('is on the page in the morning, for people who do not open the editor', async () => {
    const httpCredentials = { username: 'kari', password: 'correct horse' }
    const context = await browser.newContext({ locale: 'nb-NO', httpCredentials })
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    const complaints = complaintsOf(page)
    const titles = async (section: string) => {
      await page.goto(`${red.url}/contracts#${section}`)
      await page.reload()
      await page.locator('.rows > li').first().waitFor()
      await page.screenshot({ path: join(pictures, `night-${section}.png`), fullPage: true })
      return page.locator('.rows h2').allInnerTexts()
    }
    should(await titles('waiting')).deepEqual(['Lease, Storgata 20'])
    should(await titles('expired')).deepEqual(['Lease, Storgata 16'])
    const failed = await titles('failed')
    for (const number of [12, 14, 18])
      should(failed.filter((title) => title === `Lease, Storgata ${number}`)).have.length(1)
    should(await titles('lists')).deepEqual(['leases (May)'])
    const body = await page.locator('.rows').innerText()
    should(body).match(/Rader: 3 A-3 Lease, Kirkegata 3: .*; 6 A-6 Lease, Kirkegata 6: /)
    should(body).not.match(/\b(failed|Nothing was|rows of)\b/)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await titles('failed')
    await page.screenshot({ path: join(pictures, 'night-phone-dark.png') })
    await page.setViewportSize({ width: 1280, height: 720 })
    await shouldSuitEverybody(page)
    should(complaints).be.empty()
    await context.close()
  })

  it('is taken off the list in the sidebar when a person has dealt with it', async () => {
    const page = await openEditor(browser, red)
    await page.evaluate(() => {
      ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('eid-sidebar')
    })
    await page.locator('#eid-sidebar-waiting .eid-row', { hasText: 'Storgata 20' }).waitFor()
    await page.locator('#eid-sidebar-waiting [data-key=remind]').first().click()
    await until(async () => (await service.requests('remindDocument')).length === 1)
    const list = page.locator('#eid-sidebar-batches .eid-row').filter({ hasText: 'A-3' })
    await list.scrollIntoViewIfNeeded()
    await page.screenshot({ path: join(pictures, 'night-sidebar.png') })
    await list.locator('[data-key=dismiss]').click()
    await list.waitFor({ state: 'detached' })
    should(page.errors).deepEqual([])
    await page.context().close()
  })
})

describe('the consent by QR code, on a phone', () => {
  let example: RunningExample
  let browser: Browser
  before(async () => {
    example = await runExample('Consent by QR code')
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await example?.stop()
  })

  /** Reads the code from the picture of the page, as a camera does. */
  const scan = async (page: Page) => {
    const picture = (await page.screenshot()).toString('base64')
    const { rgba, width, height } = await page.evaluate(async (png) => {
      const image = new Image()
      image.src = `data:image/png;base64,${png}`
      await image.decode()
      // Half the width and height has a quarter of the pixels. They are returned as one text, which the browser passes
      // on quickly.
      const size = { width: image.width >> 1, height: image.height >> 1 }
      const context = Object.assign(document.createElement('canvas'), size).getContext('2d')
      context?.drawImage(image, 0, 0, size.width, size.height)
      const pixels = context?.getImageData(0, 0, size.width, size.height).data ?? new Uint8ClampedArray()
      const letters = Array.from(pixels, (byte) => String.fromCharCode(byte))
      return { rgba: btoa(letters.join('')), ...size }
    }, picture)
    return scanPixels(new Uint8ClampedArray(Buffer.from(rgba, 'base64')), width, height)
  }

  it('leads from the code on the poster to a signed consent', async () => {
    const { red } = example
    await example.deploy({ '': { env: [{ name: 'NODE_RED_ADDRESS', value: red.url, type: 'str' }] } })
    for (const colorScheme of ['light', 'dark'] as const) {
      const wall = await browser.newPage({ viewport: { width: 800, height: 1100 }, colorScheme })
      await wall.goto(`${red.url}/eid-example/poster`)
      should(await scan(wall)).equal(`${red.url}/eid-example/consent`)
      await wall.close()
    }
    const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
    await phone.goto(`${red.url}/eid-example/consent`)
    await shouldSuitEverybody(phone)
    await phone.getByLabel('First name').fill('Ola')
    await phone.getByLabel('Last name').fill('Nordmann')
    await phone.getByLabel('E-mail').fill('ola.nordmann@example.com')
    await phone.getByRole('button', { name: 'Read and sign' }).dblclick()
    const frame = phone.frameLocator('iframe')
    await frame.getByRole('button', { name: /^Sign/ }).first().click()
    await until(() => example.times('consent kept') === 1)
    should(await example.titles()).deepEqual(['Consent to pictures'])
    should(red.output()).match(/sign_success, confirmed/)
    should(example.times('problem')).equal(0)
  })
})
