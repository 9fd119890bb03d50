/**
 * Going live by switching a client that is in use: what the form says about the nodes and about pending waits, what
 * happens to these, statuses that are no longer true, and several clients in one flow. A second sandbox acts as the live
 * service.
 *
 * @rest
 */
import should from 'should'
import type { Locator } from 'playwright-core'
import { type Service, startService } from '../support/service'
import { until } from '../support/time'
import { type Desk, useEditor } from './support/desk'
import { openForm } from './support/walked-form'
import {
  type EditorPage,
  closeDialog,
  showFlows,
  deploy,
  deployFlows,
  isMarked,
  loaded,
  openDialog,
  settingsOf,
} from '../support/node-red/editor'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readExample } from '../support/house'

const signers = [
  {
    externalSignerId: 'signer-1',
    signerInfo: { firstName: 'Kari', lastName: 'Nordmann' },
    redirectSettings: { redirectMode: 'donot_redirect' },
    signatureType: { mechanism: 'pkisignature' },
  },
]
const place = { z: 'f', client: 'c' }
const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'c', type: 'eid-client', environment: 'sandbox' },
  { ...place, id: 'in', type: 'http in', url: '/leases', method: 'post', x: 120, y: 100, wires: [['out', 'create']] },
  { ...place, id: 'out', type: 'http response', x: 320, y: 60, wires: [] },
  {
    ...place,
    id: 'create',
    type: 'eid-create-document',
    x: 520,
    y: 120,
    wires: [['wait']],
    title: 'payload.title',
    titleType: 'msg',
    contactEmail: 'post@example.com',
    fileName: 'lease.txt',
    fileNameType: 'str',
    file: 'YWdyZWVk',
    fileType: 'str',
    signers: JSON.stringify(signers),
    signersType: 'json',
  },
  { ...place, id: 'wait', type: 'eid-wait', pollInterval: '1', maxInterval: '2', x: 720, y: 120, wires: [[], [], []] },
]

describe('going live', () => {
  let desk: Desk
  let live: Service
  useEditor((opened) => (desk = opened))
  before(async () => (live = await startService()))
  after(() => live.close())

  const pending = async () => {
    const answer = await fetch(`${desk.red.url}/eid/waiting/c`)
    return ((await answer.json()) as { count: number }).count
  }
  const send = (titles: string[]) =>
    Promise.all(
      titles.map((title) =>
        fetch(`${desk.red.url}/leases`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ title }),
        }),
      ),
    )
  const openClient = async (): Promise<Locator> => {
    await openForm(desk.page, 'create')
    await desk.page.locator('#node-input-btn-client-edit').click()
    return openDialog(desk.page)
  }
  const question = () => desk.page.locator('.red-ui-notification', { hasText: 'Switch this client' })

  it('asks once, says what depends on the client, and leaves pending waits as they are', async () => {
    const { red, page } = desk
    await deployFlows(red, flows)
    await send(Array.from({ length: 38 }, (_none, number) => `Lease ${number}`))
    await until(async () => (await pending()) === 38)
    await page.reload()
    await loaded(page)
    const dialog = await openClient()
    const environment = dialog.locator('#node-config-input-environment')
    await environment.selectOption('live')
    const words = await question().innerText()
    should(words).containEql('2 nodes use it').and.containEql('38 messages are pending').and.containEql('are paused')
    await page.waitForFunction(() => document.activeElement?.classList.contains('eid-keep'))
    await page.keyboard.press('Enter')
    await question().waitFor({ state: 'detached' })
    should(await environment.inputValue()).equal('sandbox')
    await environment.selectOption('live')
    await question().getByRole('button', { name: 'Switch' }).click()
    should(await dialog.locator('#node-config-input-name').inputValue()).equal('Live')
    await dialog.locator('#node-config-input-baseUrl').fill(live.url)
    await dialog.locator('#node-config-input-clientId').fill('sandbox')
    await dialog.locator('#node-config-input-clientSecret').fill('sandbox')
    await dialog.locator('#eid-tick-needed').click()
    await dialog.locator('#eid-test').click()
    await dialog.locator('#eid-test-answer[data-outcome=good]').waitFor()
    should(await question().count()).equal(0)
    await closeDialog(page)
    await closeDialog(page)
    await deploy(page)
    should(await settingsOf(page, 'c')).have.properties({ name: 'Live', environment: 'live' })
    await send(['Real lease'])
    // The wait polls the live service again, either for the document itself or with a list.
    const again = async () =>
      (await live.requests('getDocumentStatus')).length + (await live.requests('listDocuments')).length
    await until(async () => (await again()) > 1 && (await live.requests('getDocumentStatus')).length > 0)
    // Nothing asks the live service for documents that it does not have, and no wait is lost.
    const [real] = [...live.sandbox.world.signature.documents.keys()]
    const asked = (await live.requests('getDocumentStatus')).map(({ path }) => path)
    should(asked.filter((path) => !path.includes(String(real)))).be.empty()
    should(await pending()).equal(39)
  })

  it('ticks in a second client the scopes of all nodes that are about to use it', async () => {
    const { red, page } = desk
    await showFlows(page, red, [...flows.slice(0, 2), ...flows.slice(4)])
    await openForm(page, 'wait')
    await page.locator('#node-input-btn-client-add').click()
    const dialog = await openDialog(page)
    await dialog.locator('#node-config-input-environment').selectOption('live')
    await dialog.locator('#eid-tick-needed').click()
    const ticked = await dialog
      .locator('#eid-scopes input:checked')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    should(ticked).containEql('document_write').and.containEql('document_read')
  })

  it('counts the node whose form is open, as typed, and marks a node whose client lacks a scope', async () => {
    const { red, page } = desk
    const second = { id: 'live', type: 'eid-client', environment: 'live', baseUrl: live.url, name: 'Live' }
    const reader = { ...place, id: 'reader', type: 'eid-document', client: 'live', x: 120, y: 200, wires: [[]] }
    await showFlows(page, red, [...flows.slice(0, 2), { ...second, scopes: 'document_read' }, flows[4] ?? {}, reader])
    await page.locator('#reader').waitFor()
    should(await isMarked(page, 'create')).be.false()
    should(await isMarked(page, 'reader')).be.false()
    const form = await openForm(page, 'create')
    await page.locator('#node-input-client').selectOption('live')
    await form.getByText('lacks scopes that this node needs: document_write').waitFor()
    await closeDialog(page)
    should(await isMarked(page, 'create')).be.true()
    await openForm(page, 'reader')
    await page.locator('#node-input-operation').selectOption('download')
    await page.locator('#node-input-btn-client-edit').click()
    const dialog = await openDialog(page)
    await dialog.getByText('Your nodes also need:').filter({ hasText: 'document_write' }).waitFor()
    should(await dialog.locator('#eid-needs').innerText()).containEql('document_file')
    await dialog.locator('#eid-tick-needed').click()
    await closeDialog(page)
    await form.getByText('lacks scopes').waitFor({ state: 'detached' })
    await closeDialog(page)
    should(await isMarked(page, 'create')).be.false()
  })

  it('says in the form of a node which nodes of its flow use the other service', async () => {
    const { red, page } = desk
    const second = { id: 'live', type: 'eid-client', environment: 'live', baseUrl: live.url, name: 'Live' }
    await showFlows(page, red, [...flows.slice(0, 2), second, ...flows.slice(4)])
    const form = await openForm(page, 'create')
    const hint = form.locator('[data-row=client]')
    should(await hint.innerText()).not.containEql('of this flow')
    await page.locator('#node-input-client').selectOption('live')
    await hint.getByText('These nodes of this flow still use the sandbox: wait').waitFor()
    await closeDialog(page)
    should(await isMarked(page, 'create')).be.false()
    await openForm(page, 'wait')
    await hint
      .getByText('This node uses the sandbox, but these nodes of this flow use the live service: create document')
      .waitFor()
  })

  it('says only that the client is not complete, until it is', async () => {
    const { red, page } = desk
    const second = { id: 'live', type: 'eid-client', environment: 'live', baseUrl: '', name: 'Live' }
    await showFlows(page, red, [...flows.slice(0, 2), second, ...flows.slice(4)])
    const form = await openForm(page, 'create')
    const advice = form.locator('[data-row=client] .eid-word-hint')
    await page.locator('#node-input-client').selectOption('live')
    await advice
      .getByText('Something in the client is missing or invalid. Open it with the pencil.', { exact: true })
      .waitFor()
    await page.locator('#node-input-btn-client-edit').click()
    const dialog = await openDialog(page)
    await dialog.locator('#node-config-input-baseUrl').fill(live.url)
    for (const name of ['clientId', 'clientSecret']) {
      await dialog.locator(`#node-config-input-${name}`).fill('sandbox')
    }
    await closeDialog(page)
    await advice.getByText('These nodes of this flow still use the sandbox: wait').waitFor()
    should(await advice.innerText()).not.containEql('missing or invalid')
    await closeDialog(page)
  })

  it('asks no question about a client that is not deployed, or that no node uses', async () => {
    const { red, page } = desk
    await showFlows(page, red, [...flows.slice(0, 2), { ...flows[4], client: '' }])
    await openForm(page, 'create')
    await page.locator('#node-input-client').selectOption('c')
    await page.locator('#node-input-btn-client-edit').click()
    const dialog = await openDialog(page)
    await dialog.locator('#node-config-input-environment').selectOption('live')
    await dialog.locator('#node-config-input-baseUrl').fill('https://api.example.com')
    should(await question().count()).equal(0)
  })
  it('asks no question, and keeps the name, when a live client without an address gets its address', async () => {
    const { red, page } = desk
    const client = { id: 'c', type: 'eid-client', environment: 'live', baseUrl: '', name: 'Real' }
    await showFlows(page, red, [...flows.slice(0, 1), client, ...flows.slice(4)])
    const dialog = await openClient()
    const address = dialog.locator('#node-config-input-baseUrl')
    await address.fill('https://api.example.com')
    await address.blur()
    should(await question().count()).equal(0)
    await closeDialog(page)
    await closeDialog(page)
    should(await settingsOf(page, 'c')).have.properties({ name: 'Real', baseUrl: 'https://api.example.com' })
  })
})

const list = { z: 'f', client: 'c', operation: 'list', wires: [[]] }
const listing = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'c', type: 'eid-client', environment: 'sandbox' },
  { ...list, id: 'documents', type: 'eid-document', x: 320, y: 100 },
  { ...list, id: 'deposits', type: 'eid-deposit', x: 320, y: 200 },
  { id: 'still', type: 'eid-client', environment: 'sandbox' },
  { ...list, id: 'other', client: 'still', type: 'eid-document', x: 320, y: 300 },
]
const nodes = ['documents', 'deposits']

describe('the status of the sandbox', () => {
  let live: Service
  let desk: Desk
  useEditor((opened) => (desk = opened))
  before(async () => void (live = await startService()))
  after(() => live.close())

  it('is gone after going live, stays where a client still uses the sandbox, and is stored by no deploy', async () => {
    const { red, page } = desk
    await showFlows(page, red, listing)
    // The statuses may have come before the editor had the nodes; a new editor gets them again.
    await page.reload()
    await loaded(page)
    for (const id of [...nodes, 'other']) await until(async () => (await statusOf(page, id)) === 'sandbox')
    for (const id of nodes) should(JSON.stringify(await settingsOf(page, id))).not.containEql('ring')
    await goLive(page, live.url)
    await deploy(page)
    for (const id of nodes) await until(async () => (await statusOf(page, id)) === '')
    should(await statusOf(page, 'other')).equal('sandbox')
    const stored = JSON.parse(readFileSync(join(red.userDir, 'flows.json'), 'utf8')) as Record<string, unknown>[]
    should(stored.find(({ id }) => id === 'c')?.environment).equal('live')
    should(stored.filter((node) => JSON.stringify(node).includes('ring'))).deepEqual([])
  })
})

/** The text below the node on the canvas. */
async function statusOf(page: EditorPage, id: string): Promise<string> {
  const shown = page.locator(`[id="${id}"] .red-ui-flow-node-status-label`)
  return (await shown.isVisible()) ? ((await shown.textContent()) ?? '').trim() : ''
}

/** Switches the client of the first node to the live service, as a person does. */
async function goLive(page: EditorPage, address: string): Promise<void> {
  await openForm(page, nodes[0] ?? '')
  await page.locator('#node-input-btn-client-edit').click()
  const dialog = await openDialog(page)
  await dialog.locator('#node-config-input-environment').selectOption('live')
  const answer = page.getByRole('button', { name: 'Switch' })
  await answer.click()
  await answer.waitFor({ state: 'detached' })
  await dialog.locator('#node-config-input-baseUrl').fill(address)
  await dialog.locator('#node-config-input-clientId').fill('sandbox')
  await dialog.locator('#node-config-input-clientSecret').fill('sandbox')
  await closeDialog(page)
  await closeDialog(page)
}

interface Item {
  readonly id: string
  readonly type: string
  readonly name?: string
}

const flow = JSON.parse(readExample('Several companies')) as Item[]
const idOf = (name: string) => flow.find((one) => one.name === name)?.id ?? ''
const clients = flow.filter(({ type }) => type === 'eid-client')

describe('several companies in the editor', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('chooses the client in the form of each instance', async () => {
    const { page } = desk
    await showFlows(page, desk.red, flow)
    await page.locator('#red-ui-workspace-tabs .red-ui-tab', { hasText: 'Several companies' }).click()
    const id = idOf('letter of Sør')
    const dialog = await openForm(page, id)
    const choice = dialog.locator('select', { has: page.locator(`option[value="${clients[1]?.id}"]`) })
    should(await choice.inputValue()).equal(clients[1]?.id)
    await choice.selectOption(clients[0]?.id ?? '')
    await closeDialog(page)
    const { env } = (await settingsOf(page, id)) as { env: { name: string; value: string }[] }
    should(env.find(({ name }) => name === 'company')?.value).equal(clients[0]?.id)
    // Inside the subflow, the node refers to the property instead of a client, and the editor finds no error.
    const marked = page.locator('.red-ui-flow-node-group', { has: page.locator('.red-ui-flow-node-error:visible') })
    should(await marked.allTextContents()).deepEqual([])
    await deploy(page)
  })
})
