/** Many waiting rows in the sidebar: they are short, and in the order that a person chooses. @rest */
import should from 'should'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { PendingItem } from '../../lib/runtime/monitor/pending'
import { inOrder, sortedBy, viewOfWaiting } from '../../plugins/sidebar/server/waiting'
import { waitingSorts } from '../../plugins/sidebar/view'
import { root } from '../support/house'
import {
  accessibilityFindings,
  launchBrowser,
  openEditor,
  patience,
  startNodeRed,
  type NodeRed,
} from '../support/node-red/editor'
import { until } from '../support/time'

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

describe('the order of many waiting rows', () => {
  let red: NodeRed
  let browser: Browser
  before(async () => {
    red = await startNodeRed()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    red?.kill()
  })

  for (const [language, colorScheme, label] of [
    ['en-US', 'light', 'Sort by'],
    ['nb-NO', 'dark', 'Sorter etter'],
  ] as const) {
    it(`is chosen by keyboard in ${language}, ${colorScheme}`, async () => {
      const page = await openEditor(browser, red, { language, colorScheme })
      await page.route('**/eid/sidebar?*', async (route) => {
        const { searchParams } = new URL(route.request().url())
        const sort = waitingSorts.find((one) => one === searchParams.get('sort')) ?? 'until'
        const placed = await inOrder(items)
        const query = { rows: Number(searchParams.get('rows')), find: '' }
        const sorted = await sortedBy(placed, sort)
        const view = await viewOfWaiting({ items: placed, failures: [] }, query, Date.now(), sorted)
        const done = { rows: [], before: 0, count: 0 }
        const others = { done, troubles: [], batches: [], clients: [] }
        await route.fulfill({ json: { now: Date.now(), waiting: { ...view, failures: [] }, ...others } })
      })
      const select = page.getByLabel(label)
      await until(async () => {
        await page.evaluate(() => {
          ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('eid-sidebar')
        })
        return select.isVisible()
      }, patience / 1000)
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
      const pictures = join(root, '.cache', 'screenshots', 'sidebar')
      mkdirSync(pictures, { recursive: true })
      await page.screenshot({ path: join(pictures, `sort-${colorScheme}.png`) })
      should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
      const tooWide = await page.locator('.eid-sidebar').evaluate((tab) => tab.scrollWidth - tab.clientWidth)
      should(tooWide).be.belowOrEqual(0)
      should(page.errors).deepEqual([])
      await page.context().close()
    })
  }
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
