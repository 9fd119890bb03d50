/**
 * Days in the tab eID: a Monday with one person left, one document expired and three signed; a contract that may have
 * been created; a list that was corrected.
 *
 * @rest
 */
import should from 'should'
import { act } from '../support/parties'
import { accessibilityFindings, openEditor, showFlows } from '../support/node-red/editor'
import { startService, type Service } from '../support/service'
import { until } from '../support/time'
import { contrast } from './support/accessibility'
import { useEditor, type Desk } from './support/desk'
import { pressOn } from './support/keyboard'
import { leaseFlows, leaseOf, place, showSidebar } from './support/sidebar'

const day = 86_400_000

interface Lease {
  readonly documentId: string
  readonly embedUrl: string
  readonly signers: readonly { readonly url: string }[]
}

const listFlows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { ...place('in', 120, 80), type: 'http in', url: '/leases', method: 'post', wires: [['name', 'out']] },
  { ...place('out', 300, 140), type: 'http response', wires: [] },
  {
    ...place('name', 280, 80),
    type: 'change',
    rules: [{ t: 'set', p: 'batchId', pt: 'msg', to: 'May', tot: 'str' }],
    wires: [['list']],
  },
  {
    ...place('list', 460, 80),
    type: 'eid-batch',
    name: 'tenants',
    key: 'payload.number',
    keyType: 'msg',
    wires: [['list'], []],
  },
]

describe('a day in the tab eID', () => {
  let service: Service
  let desk: Desk
  useEditor((opened) => (desk = opened))
  before(async () => void (service = await startService()))
  beforeEach(() => service.reset())
  after(() => service.close())

  const mondayFlows = () => [
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
    post<Lease>(`${desk.red.url}/lease`, {
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

  it('says on a Monday who left without signing, what has expired and what was signed, and gives the files', async () => {
    const { page, red } = desk
    await showFlows(page, red, mondayFlows())
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
    await showSidebar(page, page.locator('#eid-sidebar-done .eid-row').last())
    const waiting = page.locator('#eid-sidebar-waiting .eid-row')
    await until(async () => (await waiting.count()) === 1)
    await waiting.filter({ hasText: 'Kari Nordmann' }).getByText('left without signing').waitFor()
    const done = page.locator('#eid-sidebar-done .eid-row')
    should(await done.count()).equal(4)
    await done.filter({ hasText: 'Storgata 14' }).getByText('expired', { exact: true }).waitFor()
    await done.filter({ hasText: 'Storgata 14' }).getByText('had not signed').waitFor()
    should(await done.filter({ has: page.getByText('signed', { exact: true }) }).count()).equal(3)
    // Only signed documents have a file.
    should(await done.filter({ hasText: 'Storgata 14' }).locator('[data-key=download]').count()).equal(0)
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
    should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
    const norwegian = await openEditor(desk.browser, red, { language: 'nb-NO', colorScheme: 'dark', height: 1000 })
    await showSidebar(norwegian, norwegian.locator('#eid-sidebar-done .eid-row').last())
    await norwegian.locator('.eid-overview').getByText('Ferdig').waitFor()
    should(await accessibilityFindings(norwegian, '.eid-sidebar', contrast)).deepEqual([])
    const tooWide = await norwegian.locator('.eid-sidebar').evaluate((tab) => tab.scrollWidth - tab.clientWidth)
    should(tooWide).be.belowOrEqual(0)
    await norwegian.context().close()
  })

  it('looks up by one press what may have been created, and sends it again by another if it was not', async () => {
    const { page, red } = desk
    await showFlows(
      page,
      red,
      leaseFlows(service.url).filter((node) => !('id' in node && node.id === 'wait')),
    )
    const view = async () => (await fetch(`${red.url}/eid/sidebar`)).text()
    await service.fault({ operation: 'createDocument', kind: 'close-before' })
    // Without this fault, the node itself would look.
    await service.fault({ operation: 'listDocuments', kind: 'status', status: 503 })
    const answered = fetch(`${desk.red.url}/lease`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(leaseOf('Lease, Storgata 24', ['Ola'], { externalId: 'lease-14' })),
    })
    await until(async () => (await view()).includes('"canLook"'))
    const trouble = page.locator('.eid-sidebar .eid-row', { hasText: 'Storgata 24' })
    await showSidebar(page, trouble)
    should(await trouble.getByText('Send again').count()).equal(0)
    await trouble.getByText('may have been done: check first').waitFor()
    await trouble.getByText('Look now').click()
    await trouble.getByText('You can send the message again').waitFor()
    await trouble.getByText('nothing was done').waitFor()
    await trouble.getByText('It was not done').waitFor()
    should(await trouble.getByText('may have been done').count()).equal(0)
    should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
    await trouble.getByText('Send again').click()
    await trouble.waitFor({ state: 'detached' })
    // The flow continues where it stopped.
    should((await answered).status).equal(200)
    should(await service.requests('createDocument')).have.length(2)
  })

  it('sends the changed rows of a list when the person has read what that means', async () => {
    const { page, red } = desk
    await showFlows(page, red, listFlows)
    const send = async (rents: Record<string, number>) => {
      const body = JSON.stringify(Object.entries(rents).map(([number, rent]) => ({ number, rent })))
      const headers = { 'Content-Type': 'application/json' }
      should((await fetch(`${red.url}/leases`, { method: 'POST', headers, body })).ok).be.true()
    }
    const batches = async () => {
      const view = (await (await fetch(`${red.url}/eid/sidebar`)).json()) as { batches: object[] }
      return view.batches as { id: string; ended?: number; changed?: number; done: number }[]
    }

    await send({ A: 9000, B: 9500 })
    await until(async () => (await batches())[0]?.ended)
    await send({ A: 9000, B: 9900 })
    await until(async () => (await batches())[0]?.changed === 1)
    await showSidebar(page, page.locator('.eid-sidebar .eid-row', { hasText: 'tenants' }).first())
    const row = page.locator('.eid-sidebar .eid-row', { hasText: 'tenants' }).filter({ hasText: 'Rows changed since' })
    await row.getByText('Send changed rows as new contracts').click()
    await row.getByText('The earlier contracts remain').waitFor()
    should(await page.evaluate(() => document.activeElement?.textContent)).equal('Do not send')
    should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
    await page.route('**/eid/sidebar/batches', (route) => route.fulfill({ status: 503 }), { times: 1 })
    await row.getByText('Send them').click()
    await row.locator('.eid-said[data-outcome=bad]').waitFor()
    await row.getByText('Send changed rows as new contracts').click()
    await row.getByText('Send them').click()
    await until(async () => (await batches()).some(({ id, done }) => id === 'May (changed)' && done === 1))
    await row.waitFor({ state: 'detached' })
  })
})
