/**
 * The tab "eID" in the sidebar, as a person sees it on Monday morning: who has not signed, what has failed.
 *
 * @rest
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import type { Locator } from 'playwright-core'
import { startService, type Service } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import {
  accessibilityFindings,
  deployFlows,
  openEditor,
  patience,
  showFlows,
  type EditorPage,
} from '../support/node-red/editor'
import { contrast } from './support/accessibility'
import { useEditor, type Desk } from './support/desk'
import { pressOn } from './support/keyboard'
import { leaseFlows, leaseOf, place, post as postTo, showSidebar } from './support/sidebar'

const hostile = '<img src=x onerror="document.title=1"> $t(label)'

describe('the tab eID', () => {
  let service: Service
  let desk: Desk
  let page: EditorPage
  useEditor((opened) => {
    desk = opened
    page = opened.page
  })
  const folder = temporaryFolder()
  after(folder.remove)
  const save = {
    type: 'eid-document',
    client: 'c',
    operation: 'download',
    documentId: 'payload.id',
    fileFormat: 'unsigned',
    saveTo: 'payload.file',
    saveToType: 'msg',
  }
  const flows = () => [
    // The editor opens with this tab in front, not with the tab of the nodes.
    { id: 'g', type: 'tab', label: 'Something else' },
    ...leaseFlows(service.url),
    { ...place('save', 120, 420), type: 'http in', url: '/save', method: 'post', wires: [['file', 'out']] },
    { ...save, ...place('file', 300, 420), name: 'keep the file', wires: [[]] },
    { ...place('list', 120, 480), type: 'http in', url: '/list', method: 'post', wires: [['batch', 'out']] },
    { ...place('batch', 300, 480), type: 'eid-batch', name: 'files', batchId: 'May', wires: [['row', 'batch'], []] },
    { ...save, ...place('row', 500, 480), name: 'keep each file', wires: [[]] },
    { ...place('nightly', 120, 260), type: 'http in', url: '/nightly', method: 'post', wires: [['cancel', 'out']] },
    {
      ...place('cancel', 300, 320),
      type: 'eid-deposit-cancel',
      name: 'give back',
      client: 'c',
      depositId: 'payload.id',
      depositIdType: 'msg',
      wires: [[]],
    },
  ]
  const post = (path: string, body: object) => postTo(desk.red, path, body)
  const lease = (title: string, more: object = {}) => post('/lease', leaseOf(title, ['Kari', 'Ola'], more))
  const open = () => showSidebar(page)
  const section = (name: string) => page.locator('.eid-section').filter({ has: page.locator(`#eid-sidebar-${name}`) })
  const row = (name: string, text: string): Locator => section(name).locator('.eid-row', { hasText: text })
  const badge = () => page.locator('.red-ui-tab-label .eid-badge')

  before(async () => void (service = await startService()))
  after(() => service.close())
  beforeEach(async () => {
    await service.reset()
    await showFlows(page, desk.red, flows())
    await post('/eid/sidebar/troubles', {})
  })

  it('shows on Monday who has not signed and what has failed, with buttons to act on it', async () => {
    await lease('Lease, Storgata 12')
    await lease(hostile)
    await service.fault({ operation: 'cancelDeposit', kind: 'close-after' })
    await post('/nightly', { id: 'deposit-unfunded-1' })
    await until(async () => (await (await fetch(`${desk.red.url}/eid/sidebar`)).text()).includes('"unknown"'))
    await open()
    // Who has not signed: the name is shown as text, even if it contains HTML.
    await row('waiting', 'Storgata 12').getByText('Kari Nordmann').waitFor()
    await row('waiting', hostile).waitFor()
    should(await page.locator('.eid-sidebar img').count()).equal(0)
    await until(async () => (await badge().textContent()) === '2')
    // What failed: a sentence, the node, and the outcome.
    const trouble = row('troubles', 'may have been done: check first')
    await trouble.getByText('Leases: give back').waitFor()
    await trouble.getByText('Show the node').click()
    await page.locator('[id="cancel"].red-ui-flow-node-group').waitFor()
    await trouble.getByText('Dismiss').click()
    await trouble.waitFor({ state: 'detached' })
    // A double press reminds the signer only once.
    const remind = row('waiting', 'Storgata 12').locator('[data-key=remind]')
    await remind.dblclick()
    await row('waiting', 'Storgata 12').getByText('A reminder is on its way by e-mail.').waitFor()
    should(await service.requests('remindDocument')).have.length(1)
  })

  it('saves the files again that could not be saved, all at once, and those of a list with its report', async () => {
    for (const title of ['To be saved 1', 'To be saved 2']) await lease(title)
    const documents = await until(async () => {
      const { rows } = ((await (await fetch(`${desk.red.url}/eid/sidebar?rows=9`)).json()) as View).waiting
      const made = rows.filter(({ title }) => title.startsWith('To be saved'))
      return made.length === 2 && made
    })
    // A folder can't be created here, because a file has its name.
    const nas = join(folder.path, 'nas')
    writeFileSync(nas, '')
    const saved = (name: string) => existsSync(join(nas, name))
    const about = (name: string, at = 0) => ({ id: documents[at]?.id, file: join(nas, name) })
    await post('/save', about('1.pdf'))
    await post('/save', about('2.pdf', 1))
    await post('/list', [about('3.pdf'), about('4.pdf', 1)] as object)
    await open()
    const list = row('batches', 'files')
    await list.locator('[data-key=saveAgain]').waitFor()
    const errors = section('troubles')
    await errors.locator('.eid-row [data-key=saveAgain]').first().waitFor()
    should(await errors.locator('.eid-row').count()).equal(2)
    const download = page.waitForEvent('download')
    await list.locator('[data-key=report]').click()
    should(readFileSync(await (await download).path(), 'utf8')).containEql(about('4.pdf').file)
    rmSync(nas)
    await errors.locator('[data-key=saveAll]').click()
    await until(() => saved('1.pdf') && saved('2.pdf'))
    await pressOn(page, list.locator('[data-key=saveAgain]'))
    await until(() => saved('3.pdf') && saved('4.pdf'))
    await list.locator('.eid-failures').waitFor({ state: 'detached' })
  })

  it('says the whole sentence of an error in the debug sidebar, where no Catch node takes it', async () => {
    await open()
    await page.evaluate(() => {
      ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('debug')
    })
    await post('/nightly', { id: 'deposit-funded-1' })
    const entry = page.locator('.red-ui-debug-msg', { hasText: 'give back' }).filter({ hasText: 'Refused' })
    const sentence = entry.locator('.eid-debug-sentence')
    await sentence.waitFor()
    should(await sentence.innerText()).match(/^Refused for deposit deposit-funded-1: .*Nothing was done\.$/s)
    // The sentence is visible, above the part that can be unfolded.
    const first = await sentence.boundingBox()
    const second = await entry.locator('.red-ui-debug-msg-payload').boundingBox()
    should(first?.y).be.below(second?.y ?? 0)
  })

  it('follows by itself what happens', async () => {
    await open()
    await section('waiting').getByText('Nothing is pending.').waitFor()
    await lease('Just made')
    await row('waiting', 'Just made').waitFor()
    await until(async () => (await badge().textContent()) === '1')
    const [document] = ((await (await fetch(`${desk.red.url}/eid/sidebar?rows=9`)).json()) as View).waiting.rows
    await row('waiting', 'Just made').locator('[data-key=toggle]').click()
    await row('waiting', 'Just made')
      .getByText(document?.id ?? 'no id')
      .waitFor()
    await deployFlows(desk.red, [])
    await section('waiting').getByText('Nothing is pending.').waitFor()
  })

  it('asks before it cancels, with the keyboard alone, and keeps what is typed meanwhile', async () => {
    await lease('To be canceled')
    await open()
    const found = row('waiting', 'To be canceled')
    await found.waitFor()
    await pressOn(page, found.locator('[data-key=toggle]'))
    await pressOn(page, found.locator('[data-key=cancel]'))
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.key)
    should(await focused()).equal('keep')
    await page.keyboard.press('Escape')
    await found.locator('.eid-confirm').waitFor({ state: 'detached' })
    should(await service.requests('cancelDocument')).be.empty()
    await pressOn(page, found.locator('[data-key=cancel]'))
    await found.getByLabel('Reason (signers see it)').fill('moved out')
    // Another row arrives, and the list is drawn again around this one.
    await lease('Another one')
    await row('waiting', 'Another one').waitFor()
    should(await found.getByLabel('Reason (signers see it)').inputValue()).equal('moved out')
    await pressOn(page, found.locator('[data-key=sure]'))
    await found.waitFor({ state: 'detached' })
    const calls = await service.requests('cancelDocument')
    should(calls.map(({ query }) => query.reason)).deepEqual(['moved out'])
    await row('done', 'To be canceled').getByText('moved out', { exact: true }).waitFor()
  })

  it('copies and opens a link, and hands out the document', async () => {
    await lease('With links')
    await open()
    const found = row('waiting', 'With links')
    // The links have words, not only icons.
    await found.getByText('Open the link', { exact: true }).first().waitFor()
    await found.getByText('Copy the link', { exact: true }).first().waitFor()
    const opened = page.context().waitForEvent('page', { timeout: patience })
    await found.getByLabel('Open the link: Kari Nordmann').click()
    await (await opened).waitForURL((url) => url.origin === service.url)
    await (await opened).close()
    await found.getByLabel('Copy the link: Ola Nordmann').click()
    await found.getByText('The link is on the clipboard.').waitFor()
    await found.locator('[data-key=toggle]').click()
    const downloaded = page.waitForEvent('download')
    await found.locator('[data-key=download]').click()
    should((await downloaded).suggestedFilename()).match(/^With links/)
  })

  it('shows fifty of two thousand at once, reaches and finds any of them, and stays quick', async () => {
    const rows = Array.from({ length: 2000 }, (_none, index) => ({
      wait: `w${index}`,
      kind: 'document',
      id: `d${index}`,
      title: `Lease ${index}`,
      since: 1,
      waitingFor: [{ name: 'Ola Nordmann', hasLink: true }],
      node: 'wait',
      client: 'c',
      actions: [],
    }))
    page = await openEditor(desk.browser, desk.red)
    await page.route('**/eid/sidebar?*', (route) => {
      const { searchParams } = new URL(route.request().url())
      const wanted = decodeURIComponent(route.request().headers()['x-eid-find'] ?? '')
      const found = rows.filter(({ title }) => title.includes(wanted))
      const [last] = (JSON.parse(searchParams.get('after') ?? '[]') as string[]).slice(-1)
      const before = found.findIndex(({ wait }) => wait === last) + 1
      // At most as many rows as the server sends.
      const shown = found.slice(before).slice(0, Math.min(Number(searchParams.get('rows')), 1000))
      const waiting = { rows: shown, before, count: rows.length, urgent: 0, found: found.length, failures: [] }
      const done = { rows: [], before: 0, count: 0 }
      const json = { now: Date.now(), waiting, resting: [], done, troubles: [], batches: [], clients: [] }
      return route.fulfill({ json })
    })
    await open()
    const shown = section('waiting').locator('.eid-row')
    const isCount = (count: number) => until(async () => (await shown.count()) === count)
    const more = section('waiting').locator('[data-key=more]')
    for (let count = 50; count < 1100; count += 100) {
      await isCount(Math.min(count, 1000))
      await more.click()
    }
    await row('waiting', 'Lease 1000').waitFor()
    await isCount(50)
    await more.getByText('Show more (950 left)').waitFor()
    should(await page.locator(':focus').innerText()).equal('Show previous (1,000 before)')
    await page.keyboard.press('Enter')
    await isCount(1000)
    should(await page.locator(':focus').innerText()).equal('Show more (1,000 left)')
    await section('waiting').getByLabel('Find a title or a name').fill('Lease 777')
    await row('waiting', 'Lease 777').waitFor()
    await isCount(1)
    should(await badge().textContent()).equal('999+')
    await page.context().close()
  })

  for (const [language, scheme, title] of [
    ['en-US', 'light', 'Waiting'],
    ['nb-NO', 'dark', 'Venter'],
  ] as const) {
    it(`suits everyone in ${language}, ${scheme}`, async () => {
      await lease('Lease, Storgata 12')
      await lease('Employment contract', { advanced: { timeToLive: { deadline: new Date(Date.now() + 3e8) } } })
      await post('/nightly', {})
      page = await openEditor(desk.browser, desk.red, { language, colorScheme: scheme })
      await open()
      await row('waiting', 'Storgata 12').locator('[data-key=toggle]').click()
      await row('waiting', 'Storgata 12').locator('[data-key=cancel]').click()
      await section('waiting').getByRole('button', { name: title }).first().waitFor()
      const rules = scheme === 'dark' ? contrast : undefined
      should(await accessibilityFindings(page, '.eid-sidebar', rules)).deepEqual([])
      const tooWide = await page.locator('.eid-sidebar').evaluate((tab) => tab.scrollWidth - tab.clientWidth)
      should(tooWide).be.belowOrEqual(0)
      // The button leads to the last part, and the overview stays where it is.
      await page.setViewportSize({ width: 1280, height: 500 })
      const overview = page.locator('.eid-overview')
      const before = await overview.boundingBox()
      await overview.locator('button').last().click()
      await section('clients').locator('.eid-row').waitFor()
      should(await overview.boundingBox()).deepEqual(before)
      await page.context().close()
    })
  }
})

interface View {
  readonly waiting: { readonly rows: readonly { readonly id: string; readonly title: string }[] }
}
