/** In the sidebar, several waiting rows are selected and reminded with one press, with the keyboard alone. @rest */
import should from 'should'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { root } from '../support/house'
import {
  accessibilityFindings,
  deployFlows,
  launchBrowser,
  openEditor,
  patience,
  startNodeRed,
  type NodeRed,
} from '../support/node-red/editor'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'
import { pressOn } from './support/keyboard'

const place = (id: string, x: number, y: number) => ({ id, z: 'f', x, y })
const words = {
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

describe('several waiting rows', () => {
  let service: Service
  let red: NodeRed
  let browser: Browser
  const flows = () => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
    { ...place('in', 120, 80), type: 'http in', url: '/lease', method: 'post', wires: [['create']] },
    { ...place('create', 300, 80), type: 'eid-create-document', client: 'c', wires: [['wait', 'out']] },
    { ...place('wait', 500, 80), type: 'eid-wait', client: 'c', wires: [[], [], []] },
    { ...place('out', 520, 160), type: 'http response', wires: [] },
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
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' }
    should((await fetch(red.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).ok).be.true()
  }
  const lease = (title: string) =>
    post('/lease', {
      title,
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
      signers: [
        {
          externalSignerId: 'ola-1',
          redirectSettings: { redirectMode: 'donot_redirect' },
          signatureType: { mechanism: 'pkisignature' },
          signerInfo: { firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' },
        },
      ],
    })
  before(async () => {
    service = await startService()
    red = await startNodeRed({ flows: flows() })
    browser = await launchBrowser()
  })
  beforeEach(async () => {
    await deployFlows(red, [])
    await service.reset()
    await deployFlows(red, flows())
    for (const title of ['Lease 1', 'Lease 2', 'Lease 3']) await lease(title)
    await post('/deposit', { id: 'deposit-unfunded-1' })
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
    await service?.close()
  })

  for (const [language, colorScheme] of [
    ['en-US', 'light'],
    ['nb-NO', 'dark'],
  ] as const) {
    it(`are reminded by one press of a key in ${language}, ${colorScheme}`, async () => {
      const said = words[language]
      const page = await openEditor(browser, red, { language, colorScheme })
      const all = page.getByRole('checkbox', { name: said.all })
      await until(async () => {
        await page.evaluate(() => {
          ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('eid-sidebar')
        })
        return all.isVisible()
      }, patience / 1000)
      const pictures = join(root, '.cache', 'screenshots', 'sidebar')
      mkdirSync(pictures, { recursive: true })
      const picture = (name: string) => page.screenshot({ path: join(pictures, `remind-${name}-${colorScheme}.png`) })
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
      await picture('selected')
      should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
      await pressOn(page, remind)
      await bar.getByText(said.first).waitFor()
      await page.locator('.eid-status', { hasText: said.first }).waitFor({ state: 'attached' })
      should(await service.requests('remindDocument')).have.length(3)
      await picture('reminded')
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
      await picture('again')
      should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
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
  }
})
