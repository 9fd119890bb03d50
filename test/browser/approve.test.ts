/** The page of "approve" in a real browser: by keyboard, on a phone, in the dark, for a screen reader. @rest */
import should from 'should'
import { createDecipheriv, createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import {
  accessibilityFindings,
  closeDialog,
  deploy,
  dragNode,
  launchBrowser,
  loaded,
  openNode,
  patience,
  settingsOf,
} from '../support/node-red/editor'
import { propose, startApprove } from '../support/approve-flow'
import { type Flow, removeFlow } from '../support/flow'
import { type PublicSide, startPublicSide } from '../support/public-site'
import { type Service, startService } from '../support/service'
import { type Desk, useEditor } from './support/desk'
import { pressOn } from './support/keyboard'
import { complaintsOf, shouldSuitEverybody } from './support/look'

const hostile = '<img src=x onerror="document.title=1">"\'</script><script>document.title=2</script>'

describe('the page of approve', () => {
  let service: Service
  let site: PublicSide
  let browser: Browser
  let flow: Flow
  before(async () => {
    ;[service, site, browser] = [await startService(), await startPublicSide(), await launchBrowser()]
    mkdirSync('.cache/pictures', { recursive: true })
  })
  afterEach(removeFlow)
  after(async () => {
    await browser.close()
    await service.close()
    await site.close()
  })

  const open = async (address = '', options: object = {}) => {
    const context = await browser.newContext({ locale: 'en-GB', ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    const complaints = complaintsOf(page)
    await page.goto(address)
    return Object.assign(page, { complaints })
  }
  const picture = (page: Page, name: string) =>
    page.screenshot({ path: `.cache/pictures/approve-${name}.png`, fullPage: true })
  const identify = async (page: Page, person: string, name = 'Identify with eID') => {
    await pressOn(page, page.getByRole('button', { name }))
    await page.getByRole('button', { name: person, exact: true }).click()
  }

  it('leads by keyboard from the sentence to the approval, and suits everyone', async () => {
    flow = await startApprove({ service, site })
    const { per } = await propose(flow, { payload: { tenant: hostile, amount: 12500 } })
    const page = await open(per, { viewport: { width: 390, height: 844 } })
    await page.getByText('Identify with your eID to see the details and decide.').waitFor()
    should(await page.locator('.what').innerText()).containEql(hostile)
    should(await page.locator('img').count()).equal(0)
    await shouldSuitEverybody(page)
    await picture(page, 'start-phone-dark')
    await identify(page, 'Per Hansen')
    await page.getByText('You are identified as Per Hansen.').waitFor()
    should(page.url()).equal(per)
    await shouldSuitEverybody(page)
    await picture(page, 'identified-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await picture(page, 'identified-phone-light')
    const tree = await page.locator('main').ariaSnapshot()
    for (const part of ['heading "Approval"', 'term: Amount', 'definition: "12500"', 'status:', 'button "Approve"'])
      should(tree).containEql(part)
    await pressOn(page, page.getByRole('button', { name: 'Approve' }))
    await page.getByText('This has been approved.').waitFor()
    should((await flow.next(0)).approval)
      .have.propertyByPath('by', '0', 'name')
      .equal('Per Hansen')
    await page.goBack()
    await page.goForward()
    await page.getByText('This has been approved.').waitFor()
    should(page.complaints).be.empty()
  })

  it('asks for the reason of a rejection, in Norwegian', async () => {
    flow = await startApprove({ service, site })
    const { kari } = await propose(flow)
    const page = await open(kari, { locale: 'nb-NO' })
    await identify(page, 'Kari Nordmann', 'Identifiser deg med e-ID')
    await page.getByText('Du er identifisert som Kari Nordmann.').waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Avvis' }))
    await page.getByLabel('Hvorfor avviser du det?').fill('Feil beløp')
    await shouldSuitEverybody(page)
    await picture(page, 'reason-nb-dark')
    await pressOn(page, page.getByRole('button', { name: 'Avvis' }))
    await page.getByText('Dette er avvist.').waitFor()
    should((await flow.next(1)).approval)
      .have.propertyByPath('rejected', 'reason')
      .equal('Feil beløp')
    should(page.complaints).be.empty()
  })

  it('says so to a stranger, and to a person who has come back in another browser', async () => {
    flow = await startApprove({ service, site })
    const { per, kari } = await propose(flow)
    const page = await open(per)
    await identify(page, 'A stranger')
    await page.getByText('You are not on the list of those who may approve this. Nothing has happened.').waitFor()
    await shouldSuitEverybody(page)
    should(await page.getByText('12500').count()).equal(0)
    const mallory = await open(kari)
    await pressOn(mallory, mallory.getByRole('button', { name: 'Identify with eID' }))
    await mallory.getByRole('button', { name: 'Kari Nordmann', exact: true }).waitFor()
    const victim = await open(mallory.url())
    await victim.getByRole('button', { name: 'Kari Nordmann', exact: true }).click()
    await victim.getByText('You have come back in another browser than the one in which you began').waitFor()
    await shouldSuitEverybody(victim)
    await picture(victim, 'elsewhere')
    await mallory.goto(kari ?? '')
    await mallory.getByText('Identify with your eID to see the details and decide.').waitFor()
    for (const one of [page, mallory, victim]) should(one.complaints).be.empty()
  })
})

describe('the form of approve', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('stores the ids of the approvers apart from the flow, and never shows them again', async () => {
    const { red, page } = desk
    const id = await dragNode(page, 'eid-approve')
    let dialog = await openNode(page, id)
    const typed = () =>
      page.evaluate((node) => {
        const { RED } = window as unknown as {
          RED: { nodes: { node(id: string): { credentials: Record<string, unknown> } } }
        }
        const all = Object.entries(RED.nodes.node(node).credentials)
        return Object.fromEntries(all.filter(([name, value]) => name.startsWith('approverId') && value !== '__PWRD__'))
      }, id)
    await dialog.locator('[data-row=what] .red-ui-typedInput-input').fill('Release the deposit')
    for (const name of ['Per Hansen', 'Kari Nordmann']) {
      await dialog.getByText('add an approver').click()
      const row = dialog.locator('#eid-list-approvers .eid-block').last()
      // The form gives a new row the focus.
      await row.locator('[data-cell=name] input:focus').fill(name)
    }
    // The id of a row is stored, but no one has to see it.
    should(await dialog.locator('#eid-list-approvers [data-cell=id]').first().isVisible()).equal(false)
    await dialog.getByLabel('National id of Per Hansen').fill('02000000002')
    await dialog.getByText('Enter the ids in the fields marked in red.').waitFor()
    await dialog.getByLabel('National id of Kari Nordmann').fill('03000000003')
    await dialog.getByText('The ids are stored apart from the flow').waitFor()
    should(await accessibilityFindings(page, '.red-ui-tray:last-of-type .eid-form')).deepEqual([])
    await page.screenshot({ path: '.cache/pictures/approve-form.png' })
    await closeDialog(page)
    const { approversRows } = (await settingsOf(page, id)) as { approversRows: Record<string, string>[] }
    const ids = approversRows.map((row) => row.id ?? '')
    should(new Set(ids).size).equal(2)
    should(approversRows.map(({ slot }) => slot)).deepEqual(['1', '2'])
    should(await typed()).deepEqual({ approverId1: '02000000002', approverId2: '03000000003' })
    await deploy(page)
    should(readFileSync(join(red.userDir, 'flows.json'), 'utf8')).not.match(/0200000|0300000/)
    await page.reload()
    await loaded(page)
    dialog = await openNode(page, id)
    await dialog.getByText('The ids are stored, and are never shown.').waitFor()
    should(await dialog.getByLabel('National id of Per Hansen').inputValue()).equal('')
    await closeDialog(page)
    should(await typed()).deepEqual({})
    // One id is changed, and the other one stays.
    dialog = await openNode(page, id)
    await dialog.getByLabel('National id of Kari Nordmann').fill('04000000004')
    await closeDialog(page)
    await deploy(page)
    should(secretsOf(red, id)).deepEqual({ approverId1: '02000000002', approverId2: '04000000004' })
    // The id of a removed row is deleted, and no other person gets it.
    dialog = await openNode(page, id)
    await dialog.locator('#eid-list-approvers .red-ui-editableList-item-remove').first().click()
    await dialog.getByText('add an approver').click()
    const name = dialog.locator('#eid-list-approvers .eid-block').last().locator('[data-cell=name] input:focus')
    await name.fill('Liv Berg')
    await dialog.getByLabel('National id of Kari Nordmann').focus()
    await dialog.getByText('Enter the ids in the fields marked in red.').waitFor()
    should(await dialog.locator('#eid-approver-ids .input-error').count()).equal(1)
    await dialog.getByLabel('National id of Liv Berg').fill('05000000005')
    await closeDialog(page)
    await deploy(page)
    should(secretsOf(red, id)).deepEqual({ approverId2: '04000000004', approverId3: '05000000005' })
    const rows = (await settingsOf(page, id)) as { approversRows: Record<string, string>[] }
    should(rows.approversRows.map(({ name, slot }) => [name, slot])).deepEqual([
      ['Kari Nordmann', '2'],
      ['Liv Berg', '3'],
    ])
  })
})

/** What Node-RED has stored as the credentials of a node: the Node-RED of the tests encrypts them with this key. */
function secretsOf({ userDir }: Desk['red'], id: string): unknown {
  const read = (name: string) => JSON.parse(readFileSync(join(userDir, name), 'utf8')) as Record<string, string>
  const { $: stored = '' } = read('flows_cred.json')
  const key = createHash('sha256').update('test').digest()
  const decipher = createDecipheriv('aes-256-ctr', key, Buffer.from(stored.slice(0, 32), 'hex'))
  const text = decipher.update(stored.slice(32), 'base64', 'utf8') + decipher.final('utf8')
  return (JSON.parse(text) as Record<string, unknown>)[id]
}
