/** What the sidebar says about the result of a button: the sentence of the answer, and for how long. @rest */
import should from 'should'
import type { Browser } from 'playwright-core'
import {
  deployFlows,
  launchBrowser,
  openEditor,
  patience,
  startNodeRed,
  type NodeRed,
} from '../support/node-red/editor'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'

const place = (id: string, x: number, y: number) => ({ id, z: 'f', x, y })
const words = {
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

describe('the result of a button in the sidebar', () => {
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
  ]
  const lease = async (title: string) => {
    const body = {
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
    }
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${red.url}/lease`, { method: 'POST', headers, body: JSON.stringify(body) })
    should(answer.ok).be.true()
  }
  before(async () => {
    service = await startService()
    red = await startNodeRed({ flows: flows() })
    browser = await launchBrowser()
  })
  beforeEach(async () => {
    await deployFlows(red, [])
    await service.reset()
    await deployFlows(red, flows())
    for (const title of ['Lease 1', 'Lease 2']) await lease(title)
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
    await service?.close()
  })
  const open = async (language: keyof typeof words) => {
    const page = await openEditor(browser, red, { language })
    await until(async () => {
      await page.evaluate(() => {
        ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('eid-sidebar')
      })
      return page.locator('.eid-row', { hasText: 'Lease 1' }).isVisible()
    }, patience / 1000)
    return page
  }

  for (const language of ['en-US', 'nb-NO'] as const) {
    const said = words[language]
    it(`is the sentence of the answer, and a general one if no answer comes, in ${language}`, async () => {
      const page = await open(language)
      const row = page.locator('.eid-row', { hasText: 'Lease 1' })
      await row.locator('[data-key=toggle]').click()
      await service.fault({ operation: 'getDocumentFile', kind: 'status', status: 404, body: {} })
      await row.locator('[data-key=download]').click()
      await row.getByText(said.missing).waitFor()
      await page.route('**/eid/sidebar/file/**', (route) => route.abort())
      await row.locator('[data-key=download]').click()
      await row.getByText(said.away).waitFor()
      await page.context().close()
    })

    it(`goes when the list has changed since it could be read, in ${language}`, async () => {
      const page = await open(language)
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
      await page.locator('.eid-row', { hasText: 'Lease 1' }).locator('[data-key=toggle]').click()
      await page
        .locator('.eid-row .eid-meta', { hasText: /reminder sent|påminnelse sendt/i })
        .first()
        .waitFor()
      await pass(12_000)
      // The list is the same as before, so the result stays while it is drawn again.
      await page.locator('.eid-row', { hasText: 'Lease 2' }).locator('[data-key=toggle]').click()
      should(await result.innerText()).startWith(said.reminded)
      await deployFlows(red, [])
      await page.getByText(said.none).waitFor()
      await bar.waitFor({ state: 'hidden' })
      should(await result.textContent()).equal('')
      await page.context().close()
    })
  }
})
