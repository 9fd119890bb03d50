/**
 * A Monday in the tab eID: one person left without signing, one document has expired, three were signed on Sunday.
 *
 * @rest
 */
import should from 'should'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { root } from '../support/house'
import { act } from '../support/parties'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'
import {
  accessibilityFindings,
  launchBrowser,
  openEditor,
  patience,
  startNodeRed,
  type EditorOptions,
  type NodeRed,
} from '../support/node-red/editor'
import { pressOn } from './support/keyboard'

const day = 86_400_000
const place = (id: string, x: number, y: number) => ({ id, z: 'f', x, y })

interface Lease {
  readonly documentId: string
  readonly embedUrl: string
  readonly signers: readonly { readonly url: string }[]
}

describe('a Monday in the tab eID', () => {
  let service: Service
  let red: NodeRed
  let browser: Browser
  const pictures = join(root, '.cache', 'pictures')
  const flows = () => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', name: 'Our company', baseUrl: service.url, retries: 0 },
    { ...place('in', 120, 80), type: 'http in', url: '/lease', method: 'post', wires: [['create']] },
    { ...place('create', 300, 80), type: 'eid-create-document', client: 'c', wires: [['wait', 'embed']] },
    {
      ...place('wait', 500, 80),
      type: 'eid-wait',
      name: 'wait for all',
      client: 'c',
      pollInterval: '0.1',
      maxInterval: '0.5',
      wires: [[], [], []],
    },
    { ...place('embed', 500, 160), type: 'eid-embed', client: 'c', wires: [[], [], ['told']] },
    {
      ...place('told', 700, 160),
      type: 'function',
      outputs: 1,
      wires: [['out']],
      func: 'msg.payload = { documentId: msg.documentId, embedUrl: msg.embedUrl, signers: msg.signers }; return msg',
    },
    { ...place('out', 860, 160), type: 'http response', wires: [] },
  ]
  const post = async <T>(url: string, body: object): Promise<T> => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    should(answer.ok).be.true()
    const text = await answer.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const lease = (title: string, firstName: string, days: number) =>
    post<Lease>(`${red.url}/lease`, {
      title,
      externalId: `lease-${title}`,
      contactDetails: { email: 'post@example.com' },
      dataToSign: { fileName: 'lease.pdf', base64Content: Buffer.from('%PDF-1.4 a lease').toString('base64') },
      advanced: { timeToLive: { deadline: new Date(Date.now() + days * day).toISOString() } },
      signers: [
        {
          externalSignerId: `${firstName}-1`,
          signerInfo: { firstName, lastName: 'Nordmann', email: 'ola.nordmann@example.com' },
          redirectSettings: { redirectMode: 'iframe_with_webmessaging', domain: '127.0.0.1' },
          signatureType: { mechanism: 'pkisignature' },
        },
      ],
    })
  const open = async (options: EditorOptions = {}) => {
    const page = await openEditor(browser, red, options)
    await until(async () => {
      await page.evaluate(() => {
        ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('eid-sidebar')
      })
      return page.locator('#eid-sidebar-done .eid-row').last().isVisible()
    }, patience / 1000)
    return page
  }

  before(async () => {
    mkdirSync(pictures, { recursive: true })
    service = await startService()
    red = await startNodeRed({ flows: flows() })
    browser = await launchBrowser()
    const left = await lease('Lease, Storgata 12', 'Kari', 40)
    const message = JSON.stringify({ type: 'user_canceled', payload: { documentId: left.documentId } })
    await post(`${left.embedUrl}/messages`, { origin: service.url, data: message })
    await lease('Lease, Storgata 14', 'Ola', 1)
    for (const [title, name] of [
      ['Lease, Storgata 16', 'Per'],
      ['Lease, Storgata 18', 'Pål'],
      ['Lease, Storgata 20', 'Espen'],
    ] as const) {
      await act((await lease(title, name, 40)).signers[0]?.url ?? '')
    }
    await service.sandbox.clock.advance(2 * day)
    await until(async () => {
      const view = (await (await fetch(`${red.url}/eid/sidebar?rows=9&done=9`)).json()) as {
        readonly done: { readonly count: number }
      }
      return view.done.count === 4
    })
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
    await service?.close()
  })

  it('says who left without signing, what has expired and what was signed', async () => {
    const page = await open()
    const waiting = page.locator('#eid-sidebar-waiting .eid-row')
    should(await waiting.count()).equal(1)
    await waiting.filter({ hasText: 'Kari Nordmann' }).getByText('left without signing').waitFor()
    const done = page.locator('#eid-sidebar-done .eid-row')
    should(await done.count()).equal(4)
    await done.filter({ hasText: 'Storgata 14' }).getByText('expired', { exact: true }).waitFor()
    await done.filter({ hasText: 'Storgata 14' }).getByText('had not signed').waitFor()
    should(await done.filter({ has: page.getByText('signed', { exact: true }) }).count()).equal(3)
    // Only signed documents have a file.
    should(await done.filter({ hasText: 'Storgata 14' }).locator('[data-key=download]').count()).equal(0)
    should(page.errors).deepEqual([])
    await page.context().close()
  })

  it('opens the signed file in a window of its own, and downloads it', async () => {
    const page = await open()
    const row = page.locator('#eid-sidebar-done .eid-row', { hasText: 'Storgata 16' })
    const downloaded = page.waitForEvent('download')
    // Uses the keyboard alone.
    await pressOn(page, row.locator('[data-key=download]'))
    should((await downloaded).suggestedFilename()).equal('Lease_ Storgata 16.pdf')
    await row.getByText('Downloaded.').waitFor()
    const opened = page.waitForEvent('popup')
    await row.locator('[data-key=open]').click()
    const shown = await opened
    await row.getByText('Opened.').waitFor()
    should(await shown.evaluate(() => window.opener === null).catch(() => true)).be.true()
    await page.context().close()
  })

  for (const [language, colorScheme, title] of [
    ['en-US', 'light', 'Done'],
    ['nb-NO', 'dark', 'Ferdig'],
  ] as const) {
    it(`suits everyone in ${language}, ${colorScheme}`, async () => {
      const page = await open({ language, colorScheme, height: 1000 })
      await page.locator('.eid-overview').getByText(title).waitFor()
      await page.screenshot({ path: join(pictures, `monday-${colorScheme}.png`) })
      should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
      const tooWide = await page.locator('.eid-sidebar').evaluate((tab) => tab.scrollWidth - tab.clientWidth)
      should(tooWide).be.belowOrEqual(0)
      await page.context().close()
    })
  }
})
