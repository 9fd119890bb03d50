/** The page of "overview" in a real browser: for everyone, on a phone, in the dark, with 10,000 rows; and its form. @rest */
import should from 'should'
import { mkdirSync, readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import node from '../../nodes/overview/overview'
import wait from '../../nodes/wait/wait'
import type { OverviewView } from '../../nodes/overview/view'
import { type PendingItem, pendingChanged, registerPending } from '../../lib/runtime/monitor/pending'
import {
  loaded,
  accessibilityFindings,
  closeDialog,
  deploy,
  dragNode,
  isMarked,
  launchBrowser,
  openNode,
  patience,
  startNodeRed,
} from '../support/node-red/editor'
import { RED } from '../support/errors'
import { type Flow, removeFlow, startFlow } from '../support/flow'
import { startParties } from '../support/parties'
import { type PublicSide, startPublicSide } from '../support/public-site'
import { type Service, startService } from '../support/service'
import { until } from '../support/time'
import { pressOn } from './support/keyboard'
import { complaintsOf, shouldSuitEverybody } from './support/look'
import { join } from 'node:path'
import { type Desk, useEditor } from './support/desk'

const users = 'kari correct horse'
const hostile = '<img src=x onerror="document.title=1">"\'</script><script>document.title=2</script>'
const day = 86_400_000

function item(number: number, more: Partial<PendingItem> = {}): PendingItem {
  const since = new Date(Date.now() - day * (1 + (number % 20))).toISOString()
  return {
    wait: `w-${number}`,
    kind: 'document',
    id: `d-${number}`,
    title: `Lease, Storgata ${number}`,
    since,
    until: new Date(Date.now() + day * (number % 40) + day / 2).toISOString(),
    waitingFor: [{ name: number % 2 ? 'Kari Nordmann' : 'Ola Nordmann', since }],
    node: { id: 'elsewhere', name: 'wait for the tenant', flow: number % 3 ? 'Leases' : 'Employment' },
    client: 'c',
    ...more,
  }
}

describe('the page of overview', () => {
  let service: Service
  let site: PublicSide
  let browser: Browser
  let flow: Flow
  let forget = () => {}
  before(async () => {
    ;[service, site, browser] = [await startService(), await startPublicSide(), await launchBrowser()]
    mkdirSync('.cache/pictures', { recursive: true })
  })
  afterEach(async () => {
    forget()
    await browser.close()
    await removeFlow()
  })
  after(async () => {
    await service.close()
    await site.close()
  })

  const start = async (items: PendingItem[], settings: object = {}) => {
    flow = await startFlow({
      type: 'eid-overview',
      module: node,
      modules: [site.module, wait],
      settings: { client: '', ...settings },
      secrets: { users },
      client: { baseUrl: service.url },
      credentials: { clientId: 'sandbox', clientSecret: 'sandbox' },
      more: [{ id: 'w', z: 'f', type: 'eid-wait', client: 'c', wires: [['out0']] }],
    })
    const no = () => Promise.resolve(false)
    const find = () => Promise.resolve(undefined)
    forget = registerPending(RED, 'of-this-test', {
      list: () => Promise.resolve(items),
      find,
      askNow: no,
      stopWaiting: no,
    })
    pendingChanged(RED)
    await until(async () => (await fetch(`${site.url}/contracts`)).status === 401)
  }
  const open = async (options: object = {}): Promise<Page & { complaints: readonly string[] }> => {
    const httpCredentials = { username: 'kari', password: 'correct horse' }
    const context = await browser.newContext({ locale: 'en-GB', httpCredentials, ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    const complaints = complaintsOf(page)
    await page.goto(`${site.url}/contracts`)
    await page.locator('.rows > li').first().waitFor()
    return Object.assign(page, { complaints })
  }
  const picture = (page: Page, name: string) => page.screenshot({ path: `.cache/pictures/overview-${name}.png` })

  it('shows names and titles as text, and suits everyone, on a phone and in the dark', async () => {
    const left = { name: hostile, last: { what: 'left', at: new Date().toISOString() } } as const
    const late = { until: new Date(Date.now() - 1000).toISOString() }
    const items = [item(1, { title: hostile, waitingFor: [left], ...late }), ...[2, 3, 4, 5, 6].map((one) => item(one))]
    const paused = item(8, { service: 'sandbox.example.com', title: 'Lease, sent before going live' })
    await start([...items, item(7, { kind: 'deposit', waitingFor: [] }), paused], { mayAct: true })
    const page = await open()
    should(await page.title()).equal('Contracts')
    should(await page.locator('img').count()).equal(0)
    should(await page.locator('h2').first().innerText()).containEql(hostile)
    const pausedRow = page.locator('.rows > li', { hasText: 'before going live' })
    await pausedRow
      .getByText('Paused: this was sent to a service (sandbox.example.com) that is no longer used here')
      .waitFor()
    should(await pausedRow.getByRole('button').count()).equal(0)
    await picture(page, 'desktop-light')
    await page.getByRole('button', { name: /^Cancel….*Storgata 2$/ }).click()
    await shouldSuitEverybody(page)
    await picture(page, 'desktop-dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await picture(page, 'phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await picture(page, 'phone-light')
    should(page.complaints).be.empty()
  })

  it('looks as in the documentation', async () => {
    const last = { what: 'opened', at: new Date().toISOString() } as const
    const opened = { waitingFor: [{ name: 'Kari Nordmann', since: new Date(Date.now() - day).toISOString(), last }] }
    await start(
      [item(40, opened), item(2), item(3), item(4), item(5, { title: 'Employment contract, Ola Nordmann' })],
      {
        mayAct: true,
      },
    )
    const page = await open({ viewport: { width: 1000, height: 700 } })
    should(await page.locator('.rows > li').count()).equal(5)
    const folder = process.env.PICTURES === 'docs' ? 'docs/images' : '.cache/pictures'
    await page.screenshot({ path: `${folder}/overview.png` })
    should(page.complaints).be.empty()
  })

  it('stays quick with 10,000 contracts, page by page', async () => {
    await start(Array.from({ length: 10_000 }, (_none, number) => item(number)))
    const page = await open({ locale: 'nb-NO' })
    await page.getByText('10 000 i denne listen').waitFor()
    should(await page.locator('.rows > li').count()).equal(50)
    await page.getByRole('button', { name: 'Neste' }).click()
    await page.getByText('Side 2 av 200').waitFor()
    await page.getByLabel('Søk etter en tittel eller et navn').fill('storgata 9999')
    await page.getByText('1 i denne listen').waitFor()
    await page.getByLabel('Søk etter en tittel eller et navn').fill('')
    await page.getByLabel('Flyt').selectOption('Employment')
    await page.getByText('3334 i denne listen').or(page.getByText('3 334 i denne listen')).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Lagre som fil (CSV)' }).click(),
    ])
    should(download.suggestedFilename()).match(/^Venter \d{4}-\d\d-\d\d\.csv$/)
    await picture(page, 'many-nb')
    should(page.complaints).be.empty()
  })

  it('continues after the last row that was seen when some have ended meanwhile, and returns before the first', async () => {
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_none, index) => from + index)
    const items = range(0, 250).map((number) =>
      item(number, { until: new Date(Date.now() + day * number).toISOString() }),
    )
    await start(items)
    const page = await open()
    // A hidden page requests rows only when a button is pressed.
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true }))
    const shown = async () => (await page.locator('h2').allInnerTexts()).map((one) => Number(/\d+/.exec(one)))
    const turn = async (name: string, place: string) => {
      await pressOn(page, page.getByRole('button', { name, exact: true }))
      await page.getByText(place).waitFor()
      return shown()
    }
    const end = async (from: number, to: number) => {
      const left = items.filter(({ id }) => !range(from, to).some((number) => id === `d-${number}`))
      items.splice(0, items.length, ...left)
      pendingChanged(RED)
      const Authorization = `Basic ${Buffer.from('kari:correct horse').toString('base64')}`
      const found = async () => {
        const answer = await fetch(`${site.url}/contracts/rows`, { headers: { Authorization } })
        return ((await answer.json()) as OverviewView).found
      }
      await until(async () => (await found()) === left.length)
    }
    should(await shown()).deepEqual(range(0, 50))
    await end(5, 15)
    should(await turn('Next', 'Page 2 of 5')).deepEqual(range(50, 100))
    await page.getByText('240 in this list').waitFor()
    await end(70, 80)
    should(await turn('Next', 'Page 3 of 5')).deepEqual(range(100, 150))
    should(await turn('Previous', 'Page 2 of 5')).deepEqual([...range(40, 70), ...range(80, 100)])
    should(await turn('Previous', 'Page 1 of 5')).deepEqual([...range(0, 5), ...range(15, 60)])
    should(await page.locator(':focus').innerText()).equal('Next')
    should(page.complaints).be.empty()
  })

  it('reminds and cancels by keyboard, after a question', async () => {
    await start([], { mayAct: true })
    const parties = await startParties(service)
    const { documentId, signers } = await parties.createDocument('by keyboard')
    const signer = `/signature/documents/${documentId}/signers/${signers[0]?.id}`
    await parties.call('PATCH', signer, { signerInfo: { email: 'ola@example.com' } })
    flow.send({ documentId }, 'w')
    const page = await open()
    const row = page.locator('.rows > li')
    const remind = page.getByRole('button', { name: /^Remind:/ })
    await pressOn(page, remind)
    await row.getByText('A reminder was sent by e-mail.').waitFor()
    // A second reminder on the same day is sent only after a question; until then, nothing says that one was sent.
    await pressOn(page, remind)
    await row
      .getByText(/^“Contract by keyboard” already got a reminder today, at .+, from kari\. Send another one\?$/)
      .waitFor()
    should(await page.locator(':focus').innerText()).equal('Do not send')
    should(await row.getByText('A reminder was sent by e-mail.').count()).equal(0)
    await page.keyboard.press('Enter')
    should(await service.requests('remindDocument')).have.length(1)
    await pressOn(page, remind)
    await pressOn(page, page.getByRole('button', { name: 'Remind again' }))
    await row.getByText('A reminder was sent by e-mail.').waitFor()
    should(await service.requests('remindDocument')).have.length(2)
    await pressOn(page, page.getByRole('button', { name: /^Cancel…/ }))
    should(await page.locator(':focus').innerText()).equal('Keep it')
    await page.keyboard.press('Enter')
    should(await service.requests('cancelDocument')).be.empty()
    await pressOn(page, page.getByRole('button', { name: /^Cancel…/ }))
    await page.getByLabel('Reason (signers see it)').fill('signed on paper')
    await pressOn(page, page.getByRole('button', { name: 'Cancel the document' }))
    await until(async () => (await service.requests('cancelDocument'))[0])
    should((await service.requests('cancelDocument'))[0]).have.properties({ query: { reason: 'signed on paper' } })
    await page.getByText('Nothing is pending.').waitFor()
  })
})

const basic = (name: string, password: string) => ({ Authorization: `Basic ${btoa(`${name}:${password}`)}` })
const statusAt = async (url: string, headers = {}) => (await fetch(`${url}/contracts`, { headers })).status

describe('the form of overview', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('stores passwords as hashes, shows none of them, and keeps those that are not changed', async () => {
    const { red, page } = desk
    const id = await dragNode(page, 'eid-overview')
    const stored = () =>
      page.evaluate((node) => {
        const { RED } = window as unknown as {
          RED: { nodes: { node(id: string): { credentials: { users: string } } } }
        }
        return RED.nodes.node(node).credentials.users
      }, id)
    let dialog = await openNode(page, id)
    const users = () => dialog.locator('#eid-users')
    await users().fill('kari correct horse\nola short')
    await dialog.getByText('Line 2: the password of ola has fewer than 8 characters.').waitFor()
    should(await accessibilityFindings(page, '.red-ui-tray:last-of-type .eid-form')).deepEqual([])
    await page.screenshot({ path: '.cache/pictures/overview-form.png' })
    await users().fill('kari correct horse\nola battery staple')
    await closeDialog(page)
    const first = await stored()
    should(first).match(/^kari scrypt\$\S+\nola scrypt\$\S+$/)
    await deploy(page)
    await until(async () => (await statusAt(red.url, basic('kari', 'correct horse'))) === 200)
    // The form shows only names, both for a deployed node and for one that was not deployed.
    await page.reload()
    await loaded(page)
    dialog = await openNode(page, id)
    await until(async () => (await users().inputValue()) === 'kari ••••••••\nola ••••••••')
    await users().fill('kari ••••••••\nper a new password')
    await closeDialog(page)
    should((await stored()).split('\n')[0]).equal(first.split('\n')[0])
    dialog = await openNode(page, id)
    should(await users().inputValue()).equal('kari ••••••••\nper ••••••••')
    await closeDialog(page)
    await deploy(page)
    await until(async () => (await statusAt(red.url, basic('per', 'a new password'))) === 200)
    should(await statusAt(red.url, basic('kari', 'correct horse'))).equal(200)
    should(await statusAt(red.url, basic('ola', 'battery staple'))).equal(401)
    should(readFileSync(join(red.userDir, 'flows.json'), 'utf8')).not.match(/scrypt|correct horse/)
  })

  it('asks for users: star, example, reason, and the mark of the node until it has one', async () => {
    const { page } = desk
    const id = await dragNode(page, 'eid-overview')
    const dialog = await openNode(page, id)
    const users = dialog.locator('#eid-users')
    const row = dialog.locator('.form-row:has(#eid-users)')
    should(await row.locator('.eid-star').isVisible()).be.true()
    should(await users.getAttribute('placeholder')).match(/kari correct horse battery/)
    await row.getByText('At least one user is needed').waitFor()
    await closeDialog(page)
    should(await isMarked(page, id)).be.true()
    await openNode(page, id)
    await users.fill('kari correct horse')
    should(await row.locator('.eid-reason').innerText()).equal('')
    await closeDialog(page)
    should(await isMarked(page, id)).be.false()
  })

  it('uses httpNodeAuth if that is set, instead of users of its own', async () => {
    // The hash of "password" from the documentation of Node-RED.
    const httpNodeAuth = { user: 'office', pass: '$2a$08$zZWtXTja0fB1pzD4sHCMyOCMYz2Z6dNbM6tl8sJogENOMcxWV9DN.' }
    const overview = { id: 'o', z: 'f', type: 'eid-overview', x: 100, y: 100, wires: [] }
    const red = await startNodeRed({ flows: [{ id: 'f', type: 'tab' }, overview], settings: { httpNodeAuth } })
    try {
      await until(async () => (await statusAt(red.url, basic('office', 'password'))) === 200)
      should(await statusAt(red.url)).equal(401)
      should(await statusAt(red.url, basic('office', 'wrong'))).equal(401)
      should(await statusAt(red.url, basic('kari', 'password'))).equal(401)
    } finally {
      await red.stop()
    }
  })
})
