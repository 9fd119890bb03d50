/** Every form, used by mouse and by keyboard in a real editor, and checked with axe-core. @rest */
import should from 'should'
import type { Browser, Page } from 'playwright-core'
import { onCanvas } from '../support/house'
import { useEditor } from './support/desk'
import {
  accessibilityFindings,
  closeDialog,
  deploy,
  dragNode,
  isMarked,
  openDialog,
  openEditor,
  openNode,
  settingsOf,
  type EditorPage,
  type NodeRed,
} from '../support/node-red/editor'

describe('the forms', function () {
  this.timeout(120_000)
  let red: NodeRed
  let browser: Browser
  let page: EditorPage
  useEditor((desk) => ({ red, browser, page } = desk))
  const findings = () => accessibilityFindings(page, '.red-ui-tray .eid-form')

  for (const name of onCanvas) {
    it(`of ${name} opens, keeps its initial values and has no serious finding`, async () => {
      const id = await dragNode(page, `eid-${name}`)
      const before = await settingsOf(page, id)
      const dialog = await openNode(page, id)
      should(await dialog.locator('.eid-form').count()).equal(1)
      const tabs = await dialog.locator('[role=tab]:visible').all()
      for (const tab of tabs) {
        await tab.click()
        should(await findings()).deepEqual([])
      }
      if (tabs.length === 0) should(await findings()).deepEqual([])
      await closeDialog(page)
      should(await settingsOf(page, id)).deepEqual(before)
    })
  }

  it('gives a dropped node a client for the sandbox, and the next one the same', async () => {
    const first = await settingsOf(page, await dragNode(page, 'eid-document', 300, 100))
    const second = await settingsOf(page, await dragNode(page, 'eid-create-document', 300, 200))
    should(first.client).be.a.String().and.not.empty()
    should(second.client).equal(first.client)
  })

  it('leaves "alerts" without a client, which reports all of them', async () => {
    should((await settingsOf(page, await dragNode(page, 'eid-alerts', 300, 300))).client).equal('')
  })

  it('shows what belongs to the chosen operation only', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-document'))
    const shown = (row: string) => dialog.locator(`[data-row="${row}"]`).isVisible()
    should(await shown('documentId')).be.true()
    should(await shown('limit')).be.false()
    await dialog.locator('#node-input-operation').selectOption('list')
    should(await shown('documentId')).be.false()
    should(await shown('limit')).be.true()
    await dialog.locator('#node-input-operation').selectOption('download')
    should(await shown('fileFormat')).be.true()
    should(await shown('limit')).be.false()
  })

  it('asks for what registering a webhook takes as soon as it is ticked', async () => {
    const id = await dragNode(page, 'eid-webhook')
    const dialog = await openNode(page, id)
    const address = dialog.locator('[data-row="publicUrl"]')
    should(await address.isVisible()).be.false()
    await dialog.locator('#node-input-register').check()
    should(await address.innerText()).containEql('is missing')
    await address.locator('input').fill('https://flows.example.com')
    await closeDialog(page)
    should(await settingsOf(page, id)).have.properties({ register: true, publicUrl: 'https://flows.example.com' })
    await openNode(page, id)
    should(await address.isVisible()).be.true()
    await dialog.locator('#node-input-register').uncheck()
    should(await address.isVisible()).be.false()
  })

  it('shows the address that a webhook is called at, whole', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-webhook'))
    const address = dialog.locator('.eid-address')
    should(await address.innerText()).equal(`${new URL(red.url).origin}/eid/webhook`)
    await dialog.locator('#node-input-path').fill('hooks/one')
    await dialog.locator('#node-input-register').check()
    await dialog.locator('[data-row="publicUrl"] input').fill('https://flows.example.com/red/')
    should(await address.innerText()).equal('https://flows.example.com/red/hooks/one')
    await dialog.getByRole('button', { name: 'copy' }).click()
    await page.getByText('copied').waitFor()
  })

  it('say on the canvas what a node without a name does', async () => {
    const events = await dragNode(page, 'eid-events', 300, 100)
    const shows = (id: string, text: string) =>
      page.locator(`[id="${id}"] .red-ui-flow-node-label`, { hasText: new RegExp(`^${text}$`) }).waitFor()
    await shows(events, 'events')
    await openNode(page, events)
    await page.locator('#node-input-eventTypes').fill('document_signed')
    await closeDialog(page)
    await shows(events, 'events: document_signed')
    await openNode(page, events)
    await page.locator('#node-input-eventTypes').fill('document_signed, document_canceled')
    await closeDialog(page)
    await shows(events, 'events: document_signed …')
    await shows(await dragNode(page, 'eid-embed', 300, 300), 'embed: /eid/page')
  })

  it('stores a list of signers, each cell with its type, and shows it again', async () => {
    const id = await dragNode(page, 'eid-create-document')
    let dialog = await openNode(page, id)
    await tab(page, 'signers')
    await dialog.getByText('add signer').click()
    await cell(page, 0, 'firstName').fill('Ola')
    await dialog.getByText('add signer').click()
    await cell(page, 1, 'firstName').fill('Kari')
    await dialog.locator('.eid-block').nth(1).locator('summary').first().click()
    await cell(page, 1, 'externalSignerId').fill('kari-1')
    await closeDialog(page)
    const { signersRows } = (await settingsOf(page, id)) as { signersRows: Record<string, string>[] }
    should(signersRows.length).equal(2)
    should(signersRows[0]).have.properties({ firstName: 'Ola', externalSignerId: '', mechanism: 'pkisignature' })
    should(signersRows[1]).have.properties({ firstName: 'Kari', externalSignerId: 'kari-1', firstNameType: 'tpl' })
    dialog = await openNode(page, id)
    await tab(page, 'signers')
    should(await cell(page, 1, 'firstName').inputValue()).equal('Kari')
    should(await dialog.locator('.eid-block').count()).equal(2)
  })

  it('picks a color, and says why one cannot work', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openNode(page, id)
    await tab(page, 'look')
    const row = dialog.locator('[data-row="backgroundColor"]')
    await row.locator('.red-ui-typedInput-input').fill('#12')
    await row.getByText('must be #RRGGBB').waitFor()
    await row.locator('input[type=color]').fill('#123456')
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('backgroundColor', '#123456')
  })

  it('marks a node that cannot work, and no longer when it can', async () => {
    const id = await dragNode(page, 'eid-create-document')
    await openNode(page, id)
    await tab(page, 'look')
    const input = page.locator('[data-row="backgroundColor"] .red-ui-typedInput-input')
    await input.fill('Bluish')
    await closeDialog(page)
    should(await isMarked(page, id)).be.true()
    await openNode(page, id)
    await tab(page, 'look')
    await input.fill('')
    await closeDialog(page)
    should(await isMarked(page, id)).be.false()
  })

  it('can be worked by keyboard alone', async () => {
    const id = await dragNode(page, 'eid-create-document')
    await page.locator(`[id="${id}"] .red-ui-flow-node`).click()
    await page.keyboard.press('Enter')
    const dialog = await openDialog(page)
    await dialog.locator('[role=tab][aria-selected=true]').focus()
    await page.keyboard.press('ArrowRight')
    should(await page.locator(':focus').innerText()).equal('Signers')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    should(await dialog.locator('.eid-block').count()).equal(1)
    await dialog.locator('[role=tab][aria-selected=true]').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Lease')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    should(await settingsOf(page, id)).have.property('title', 'Lease')
  })

  describe('of the client', () => {
    let client: string
    const openClient = async () => {
      const id = await dragNode(page, 'eid-document')
      client = String((await settingsOf(page, id)).client)
      await openNode(page, id)
      await page.locator('#node-input-btn-client-edit').click()
      return openDialog(page)
    }

    it('asks for nothing in the sandbox, and for address and credentials when live', async () => {
      const dialog = await openClient()
      const secret = dialog.locator('#node-config-input-clientSecret')
      should(await secret.isVisible()).be.false()
      should(await dialog.locator('#eid-test').isVisible()).be.false()
      should(await dialog.locator('.eid-tick').first().isVisible()).be.false()
      should(await page.locator('.red-ui-tray-breadcrumbs').last().innerText())
        .match(/eID client/)
        .and.not.match(/eid-client/)
      await dialog.locator('#eid-control-room').waitFor()
      const room = await dialog.locator('#eid-control-room').getAttribute('href')
      should((await fetch(String(room))).status).equal(200)
      await dialog.locator('#node-config-input-environment').selectOption('live')
      should(await secret.isVisible()).be.true()
      should(await dialog.locator('#node-config-input-baseUrl').isVisible()).be.true()
      for (const more of await dialog.locator('summary').all()) await more.click()
      should(await accessibilityFindings(page, '.red-ui-tray:last-of-type .eid-form')).deepEqual([])
    })

    it('says which scopes the nodes need and stores the ticks', async () => {
      const dialog = await openClient()
      await dialog.locator('#node-config-input-environment').selectOption('live')
      // A client that goes live selects no scopes by itself.
      should(await dialog.locator('.eid-tick input:checked').count()).equal(0)
      await dialog.getByText('Your nodes also need: read documents (document_read)').waitFor()
      await dialog.locator('#eid-tick-needed').click()
      await dialog.getByText('All of them are ticked').waitFor()
      should(await dialog.locator('.eid-tick input:checked').count()).equal(1)
      await dialog.locator('.eid-tick', { hasText: 'identify people' }).locator('input').check()
      const read = dialog.locator('.eid-tick', { hasText: 'document_read' }).locator('input')
      await read.uncheck()
      await dialog.getByText('Your nodes also need: read documents (document_read)').waitFor()
      await dialog.locator('#eid-tick-needed').click()
      should(await read.isChecked()).be.true()
      should(await dialog.locator('#eid-tick-needed').isVisible()).be.false()
      await read.uncheck()
      await dialog.locator('#eid-more-scopes').fill('jwt')
      await closeDialog(page)
      const { scopes } = await settingsOf(page, client)
      should(String(scopes).split(' ')).containEql('jwt').and.containEql('identify').and.not.containEql('document_read')
    })

    it('tests the connection with what is typed', async () => {
      const dialog = await openClient()
      const room = await dialog.locator('#eid-control-room').getAttribute('href')
      await dialog.locator('#node-config-input-environment').selectOption('live')
      await dialog.locator('#node-config-input-baseUrl').fill(String(room))
      await dialog.locator('#node-config-input-clientId').fill('sandbox')
      await dialog.locator('#node-config-input-clientSecret').fill('sandbox')
      await dialog.locator('#eid-test').focus()
      await page.keyboard.press('Enter')
      const answer = dialog.locator('#eid-test-answer')
      await answer.and(dialog.locator('[data-outcome=good]')).filter({ hasText: 'Received a token' }).waitFor()
      await dialog.locator('#node-config-input-baseUrl').fill('http://api.example.com')
      should(await answer.innerText()).equal('')
      await dialog.locator('#eid-test').click()
      await answer.and(dialog.locator('[data-outcome=bad]')).filter({ hasText: 'must start with https://' }).waitFor()
    })

    it('offers the lists of the service once it is deployed', async () => {
      await openClient()
      await closeDialog(page)
      await closeDialog(page)
      await deploy(page)
      const list = async (id: string) => (await page.request.get(`${red.url}/eid/suggestions/${id}/spinners`)).text()
      should(await list(client)).containEql('Cubes')
      should(await list('nobody')).equal('[]')
    })
  })

  it('store what is typed into the form of a shared store', async () => {
    const wait = await dragNode(page, 'eid-wait')
    await openNode(page, wait)
    await page.locator('#node-input-btn-shared-add').click()
    const dialog = await openDialog(page)
    await dialog.locator('#node-config-input-address').fill('postgres://db.example.com/eid')
    await dialog.locator('#node-config-input-user').fill('eid')
    await closeDialog(page)
    await closeDialog(page)
    const { shared } = await settingsOf(page, wait)
    should(await settingsOf(page, String(shared))).have.property('address', 'postgres://db.example.com/eid')
  })

  it('speaks Norwegian to a Norwegian', async () => {
    const norwegian = await openEditor(browser, red, { language: 'nb-NO' })
    const dialog = await openNode(norwegian, await dragNode(norwegian, 'eid-create-document'))
    await dialog.getByText('Undertegnere').first().waitFor()
    await dialog.getByText('Etter signering').waitFor()
    await norwegian.context().close()
  })
})

async function tab(page: Page, name: string): Promise<void> {
  await page.locator(`#eid-tab-${name}`).click()
}

function cell(page: Page, row: number, field: string) {
  return page.locator('.eid-block').nth(row).locator(`[data-cell="${field}"] .red-ui-typedInput-input`)
}
