/** The forms of "wait" and "alerts" in a real editor, and a wait that a signature ends. @rest */
import should from 'should'
import { until } from '../support/time'
import {
  closeDialog,
  loaded,
  showFlows,
  deployFlows,
  openEditor,
  openNode,
  settingsOf,
} from '../support/node-red/editor'
import { type Desk, useEditor } from './support/desk'

describe('the reminders in the form of wait', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))
  const place = { z: 'f', y: 100 }
  const flows = (remindOn: string) => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', name: '', environment: 'sandbox' },
    {
      ...place,
      id: 'create',
      type: 'eid-create-document',
      name: 'the lease',
      client: 'c',
      remindOn,
      x: 200,
      wires: [['wait']],
    },
    { ...place, id: 'wait', type: 'eid-wait', client: 'c', remindAfter: '3, 7, 12', x: 500, wires: [[], [], []] },
  ]
  const inDays = (days: number, language = 'en') =>
    [{ weekday: 'long' } as const, { day: 'numeric', month: 'long' } as const]
      .map((parts) => new Intl.DateTimeFormat(language, parts).format(new Date().setHours(12) + days * 86_400_000))
      .join(' ')

  it('are shown in words, follow what is typed, and are refused with a sentence', async () => {
    await deployFlows(desk.red, flows(''))
    const page = await openEditor(desk.browser, desk.red, { height: 1000 })
    const dialog = await openNode(page, 'wait')
    const words = dialog.locator('.eid-reminders')
    await until(async () => (await words.textContent())?.includes(inDays(12)))
    should(await words.textContent()).equal(
      `A document that arrives today gets reminders on ${inDays(3)}, ${inDays(7)}, and ${inDays(12)}, at 08:00 (time zone of Node-RED).`,
    )
    const days = dialog.locator('[data-row="remindAfter"] .red-ui-typedInput-input')
    await days.fill('12, 3')
    await dialog.locator('[data-row="remindAfter"] .eid-reason', { hasText: 'rising order' }).waitFor()
    await words.waitFor({ state: 'hidden' })
    await days.fill('1')
    await until(async () => (await words.textContent())?.includes(inDays(1)))
    // Only documents have signers who can be reminded.
    await dialog.locator('#node-input-what').selectOption('share')
    await dialog.locator('[data-row="remindAfter"]').waitFor({ state: 'hidden' })
    await words.waitFor({ state: 'hidden' })
    should(page.errors).deepEqual([])
    await page.context().close()
  })

  it('say in Norwegian that the service already reminds, if an earlier node in the flow set that up', async () => {
    await deployFlows(desk.red, flows('everyDay'))
    const page = await openEditor(desk.browser, desk.red, { language: 'nb-NO', colorScheme: 'dark', height: 1000 })
    const dialog = await openNode(page, 'wait')
    const words = dialog.locator('.eid-reminders')
    await until(async () => (await words.textContent())?.includes('Noden «the lease» foran denne lar tjenesten'))
    should(await words.textContent()).containEql(inDays(3, 'nb'))
    should(page.errors).deepEqual([])
    await page.context().close()
  })
})

const signers = [
  {
    externalSignerId: 'signer-1',
    signerInfo: { firstName: 'Kari', lastName: 'Nordmann' },
    redirectSettings: { redirectMode: 'donot_redirect' },
    signatureType: { mechanism: 'pkisignature' },
  },
]
const form = { title: 'Lease', contactEmail: 'post@example.com', fileName: 'lease.txt', fileNameType: 'str' }
const place = { z: 'f', client: 'c' }

describe('a signature in the signer app', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('ends a wait in the editor at once, though it would not ask for an hour', async () => {
    const { red, browser, page } = desk
    await showFlows(page, red, [
      { id: 'f', type: 'tab', label: 'Flow 1' },
      { id: 'c', type: 'eid-client', environment: 'sandbox' },
      { ...place, id: 'in', type: 'http in', url: '/lease', method: 'post', x: 120, y: 100, wires: [['create']] },
      {
        ...place,
        ...form,
        id: 'create',
        type: 'eid-create-document',
        x: 320,
        y: 100,
        wires: [['out', 'wait']],
        signers: JSON.stringify(signers),
        signersType: 'json',
        file: 'YWdyZWVk',
        fileType: 'str',
      },
      { ...place, id: 'out', type: 'http response', x: 560, y: 60, wires: [] },
      {
        ...place,
        id: 'wait',
        type: 'eid-wait',
        pollInterval: '3600',
        maxInterval: '7200',
        x: 560,
        y: 120,
        wires: [['debug'], [], []],
      },
      {
        ...place,
        id: 'debug',
        type: 'debug',
        active: true,
        tosidebar: true,
        complete: 'status',
        x: 800,
        y: 120,
        wires: [],
      },
      { ...place, id: 'events', type: 'eid-events', interval: 1, x: 120, y: 220, wires: [[]] },
    ])
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(`${red.url}/lease`, { method: 'POST', headers, body: '{}' })
    const { signers: made } = (await answer.json()) as { signers: { url: string }[] }
    const status = page.locator('[id="wait"] .red-ui-flow-node-status-label')
    await until(async () => /^0 of 1 signed, waiting for Kari/.test((await status.textContent()) ?? ''))
    const signer = await (await browser.newContext()).newPage()
    await signer.goto(made[0]?.url ?? '')
    await signer.locator('#sign').click()
    // Without the event, the next poll would be in an hour.
    await until(async () => (await status.textContent()) === 'signed')
  })
})

const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'alerts', z: 'f', type: 'eid-alerts', x: 200, y: 100, wires: [[]] },
]

describe('the form of alerts', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('says that messages have no link, and offers the address at which others can open the editor', async () => {
    const { page, red } = desk
    await showFlows(page, red, flows)
    await openNode(page, 'alerts')
    await page.locator('.eid-path-hint', { hasText: 'Messages have no link' }).waitFor()
    const use = page.getByRole('button', { name: /^Use http/ })
    should(await use.isVisible()).be.false()
    await closeDialog(page)
    const { port } = new URL(red.url)
    const address = `http://flows.localhost:${port}/`
    await page.goto(address)
    await loaded(page)
    await openNode(page, 'alerts')
    await use.click()
    should(await page.locator('.eid-path-hint', { hasText: 'Messages have no link' }).isVisible()).be.false()
    await closeDialog(page)
    should(await settingsOf(page, 'alerts')).have.property('editorUrl', address)
  })
})
