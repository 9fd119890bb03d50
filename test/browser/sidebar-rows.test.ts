/** The rows in the sidebar: several reminded at once, their order, and what a button says about its result. @rest */
import should from 'should'
import type { Page } from 'playwright-core'
import type { PendingItem } from '../../lib/runtime/monitor/pending'
import { sortedBy, viewOfWaiting } from '../../plugins/sidebar/server/waiting'
import { inOrder } from '../../lib/runtime/people/waits'
import { waitingSorts } from '../../plugins/sidebar/view'
import {
  accessibilityFindings,
  deployFlows,
  deleteKept,
  openEditor,
  showFlows,
  type EditorPage,
} from '../support/node-red/editor'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'
import { contrast } from './support/accessibility'
import { useEditor, type Desk } from './support/desk'
import { pressOn } from './support/keyboard'
import { leaseFlows, leaseOf, place, post, showSidebar } from './support/sidebar'
import { RED } from '../support/errors'

const remindWords = {
  'en-US': {
    all: /^Select all shown \(4\)$/,
    one: 'Select: Lease 2',
    button: 'Remind selected (4)',
    first: 'Reminded 2. 1 was reminded earlier today. 1 cannot be reminded, because it is not a document.',
    second: 'No reminder was sent. 3 were reminded earlier today.',
    asked: /^Lease 1 already got a reminder today, at \d\d:\d\d (AM|PM)\. Send another one\?$/,
    keep: 'Do not send',
    again: 'Remind again',
    sent: 'A reminder is on its way by e-mail.',
  },
  'nb-NO': {
    all: /^Velg alle som vises \(4\)$/,
    one: 'Velg: Lease 2',
    button: 'Send påminnelse for valgte (4)',
    first: 'Påminnelse er sendt for 2. 1 hadde allerede fått påminnelse i dag. 1 er ikke et dokument og kan ikke få',
    second: 'Ingen påminnelse ble sendt. 3 hadde allerede fått påminnelse i dag.',
    asked: /^Lease 1 har fått påminnelse i dag, \d\d:\d\d\. Vil du sende en til\?$/,
    keep: 'Ikke send',
    again: 'Send ny påminnelse',
    sent: 'En påminnelse er på vei på e-post.',
  },
} as const

const resultWords = {
  'en-US': {
    reminded: 'Reminded 2.',
    missing: /^Document .* was not found/,
    away: 'Check that Node-RED is running and that you are still logged in.',
    none: 'Nothing is pending.',
  },
  'nb-NO': {
    reminded: 'Påminnelse er sendt for 2.',
    missing: /^Dokumentet .* finnes ikke/,
    away: 'Sjekk at Node-RED kjører, og at du fortsatt er logget inn.',
    none: 'Ingen utestående.',
  },
} as const

const hour = 3_600_000
const moment = (ms: number) => new Date(ms).toISOString()
/** Lease 1 to 12. A later number has waited longer; the order of the deadlines is different. */
const items = Array.from({ length: 12 }, (_none, index) => ({
  wait: `w${index}`,
  kind: 'document',
  id: `d${index}`,
  title: `Lease ${index + 1}`,
  client: 'c',
  since: moment(Date.now() - index * hour),
  until: moment(Date.now() + (48 + ((index + 5) % 12)) * hour),
  waitingFor: [{ name: 'Ola Nordmann' }],
  node: { id: 'wait', name: '', flow: '' },
})) as unknown as PendingItem[]

describe('the rows in the sidebar', () => {
  let service: Service
  let desk: Desk
  useEditor((opened) => (desk = opened))
  const flows = () => [
    ...leaseFlows(service.url),
    { ...place('deposits', 120, 260), type: 'http in', url: '/deposit', method: 'post', wires: [['deposit', 'out']] },
    {
      ...place('deposit', 300, 260),
      type: 'eid-wait',
      what: 'deposit',
      client: 'c',
      wires: [[], [], []],
      resourceId: 'payload.id',
      resourceIdType: 'msg',
    },
  ]
  /** Fills the list, and opens it in a new editor. */
  const open = async (
    titles: readonly string[],
    options: Parameters<typeof openEditor>[2],
    deposits: readonly string[] = [],
  ): Promise<EditorPage> => {
    await service.reset()
    await deployFlows(desk.red, [])
    await deleteKept(desk.red)
    await deployFlows(desk.red, flows())
    for (const title of titles) await post(desk.red, '/lease', leaseOf(title))
    for (const id of deposits) await post(desk.red, '/deposit', { id })
    return openEditor(desk.browser, desk.red, options)
  }
  before(async () => void (service = await startService()))
  after(() => service.close())

  for (const [language, colorScheme, rules] of [
    ['en-US', 'light', undefined],
    ['nb-NO', 'dark', contrast],
  ] as const) {
    it(`are reminded together by one press of a key in ${language}, ${colorScheme}`, async () => {
      const said = remindWords[language]
      const page = await open(['Lease 1', 'Lease 2', 'Lease 3'], { language, colorScheme }, ['deposit-unfunded-1'])
      const all = page.getByRole('checkbox', { name: said.all })
      await showSidebar(page, all)
      const remind = page.locator('[data-key=remind-selected]')
      const bar = page.locator('.eid-selection')
      should(await remind.isDisabled()).be.true()

      // With one selected row, the box of all rows is half ticked, and the focus stays where it was.
      const one = page.getByRole('checkbox', { name: said.one })
      await one.focus()
      await page.keyboard.press('Space')
      await until(() => all.evaluate((box: HTMLInputElement) => box.indeterminate && !box.checked))
      should(await one.evaluate((box) => box === document.activeElement)).be.true()
      should(await one.isChecked()).be.true()
      await pressOn(page, remind)
      await bar.locator('.eid-said:not(:empty)').waitFor()
      should(await service.requests('remindDocument')).have.length(1)
      should(await one.isChecked()).be.false()

      // Selects all rows.
      await all.focus()
      await page.keyboard.press('Space')
      await remind.getByText(said.button).waitFor()
      should(await accessibilityFindings(page, '.eid-sidebar', rules)).deepEqual([])
      await pressOn(page, remind)
      await bar.getByText(said.first).waitFor()
      await page.locator('.eid-status', { hasText: said.first }).waitFor({ state: 'attached' })
      should(await service.requests('remindDocument')).have.length(3)
      await all.focus()
      await page.keyboard.press('Space')
      await pressOn(page, remind)
      await bar.getByText(said.second).waitFor()
      should(await service.requests('remindDocument')).have.length(3)

      // The button of a single row asks before it sends a second reminder.
      const row = page.locator('.eid-row', { hasText: 'Lease 1' })
      await pressOn(page, row.locator('[data-key=remind]'))
      const question = row.locator('.eid-confirm')
      await question.getByRole('button', { name: said.keep }).waitFor()
      should(await question.locator('p').innerText()).match(said.asked)
      await until(() => question.locator('[data-key=keep]').evaluate((key) => key === document.activeElement))
      should(await accessibilityFindings(page, '.eid-sidebar', rules)).deepEqual([])
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'detached' })
      should(await service.requests('remindDocument')).have.length(3)
      await pressOn(page, row.locator('[data-key=remind]'))
      await pressOn(page, question.getByRole('button', { name: said.again }))
      await row.getByText(said.sent).waitFor()
      should(await service.requests('remindDocument')).have.length(4)
      const tooWide = await page.locator('.eid-sidebar').evaluate((tab) => tab.scrollWidth - tab.clientWidth)
      should(tooWide).be.belowOrEqual(0)
      should(page.errors).deepEqual([])
      await page.context().close()
    })

    it(`say the sentence of an answer, and a general one if no answer comes, in ${language}`, async () => {
      const said = resultWords[language]
      const page = await open(['Lease 1', 'Lease 2'], { language })
      await showSidebar(page, page.locator('.eid-row', { hasText: 'Lease 1' }))
      const row = page.locator('.eid-row', { hasText: 'Lease 1' })
      await row.locator('[data-key=toggle]').click()
      await service.fault({ operation: 'getDocumentFile', kind: 'status', status: 404, body: {}, count: 2 })
      await row.locator('[data-key=download]').click()
      await row.getByText(said.missing).waitFor()
      await page.route('**/eid/sidebar/file/**', (route) => route.abort())
      await row.locator('[data-key=download]').click()
      await row.getByText(said.away).waitFor()

      // The result of a button goes when the list has changed since it could be read.
      const pass = (milliseconds: number) =>
        page.evaluate((ahead) => {
          const { now } = Date
          Date.now = () => now() + ahead
        }, milliseconds)
      const bar = page.locator('.eid-selection')
      const result = bar.locator('.eid-said')
      await page.locator('[data-key=select-all]').check()
      await page.locator('[data-key=remind-selected]').click()
      await bar.getByText(said.reminded).waitFor()
      await page
        .locator('.eid-row .eid-meta', { hasText: /reminder sent|påminnelse sendt/i })
        .first()
        .waitFor()
      await pass(12_000)
      // The list is the same as before, so the result stays while it is drawn again.
      await page.locator('.eid-row', { hasText: 'Lease 2' }).locator('[data-key=toggle]').click()
      should(await result.innerText()).startWith(said.reminded)
      await deployFlows(desk.red, [])
      await page.getByText(said.none).waitFor()
      await bar.waitFor({ state: 'hidden' })
      should(await result.textContent()).equal('')
      await page.context().close()
    })
  }

  it('are put in order by keyboard, and are short when there are many', async () => {
    const { page } = desk
    await showFlows(page, desk.red, flows())
    await page.route('**/eid/sidebar?*', async (route) => {
      const { searchParams } = new URL(route.request().url())
      const sort = waitingSorts.find((one) => one === searchParams.get('sort')) ?? 'until'
      const placed = await inOrder(items)
      const query = { rows: Number(searchParams.get('rows')), find: '' }
      const sorted = await sortedBy(placed, sort)
      const view = await viewOfWaiting(RED, { items: placed, failures: [] }, query, Date.now(), sorted)
      const done = { rows: [], before: 0, count: 0 }
      const others = { resting: [], done, troubles: [], batches: [], clients: [] }
      await route.fulfill({ json: { now: Date.now(), waiting: { ...view, failures: [] }, ...others } })
    })
    const select = page.getByLabel('Sort by')
    await showSidebar(page, select)
    const begins = (...numbers: number[]) =>
      until(async () => {
        const titles = await page.locator('.eid-row .eid-title').allInnerTexts()
        return titles.slice(0, 3).join() === numbers.map((number) => `Lease ${number}`).join()
      })
    await begins(8, 9, 10)
    await select.focus()
    await page.keyboard.press('ArrowDown')
    await begins(12, 11, 10)
    await page.keyboard.press('ArrowDown')
    await begins(1, 2, 3)
    const isFocused = await select.evaluate((one) => one === document.activeElement)
    should(isFocused).be.true()
    await shouldBeShort(page)
    should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
    const tooWide = await page.locator('.eid-sidebar').evaluate((tab) => tab.scrollWidth - tab.clientWidth)
    should(tooWide).be.belowOrEqual(0)
    await page.unrouteAll()
  })
})

/** Each row of a long list is short. A row that is opened by keyboard shows everything, with the focus in it. */
async function shouldBeShort(page: Page): Promise<void> {
  const rows = page.locator('.eid-row', { hasText: 'Ola Nordmann' })
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  should(heights).have.length(items.length)
  should(Math.max(...heights)).be.below(80)
  const first = rows.first()
  should(await first.locator('[data-key=show]').isVisible()).be.false()
  await first.locator('[data-key=toggle]').focus()
  await page.keyboard.press('Enter')
  await first.locator('[data-key=show]').waitFor()
  should(await page.locator(':focus').getAttribute('data-key')).equal('toggle')
  await page.keyboard.press('Enter')
  await first.locator('[data-key=show]').waitFor({ state: 'detached' })
}
