/**
 * The palette, and every form in a real editor, checked with axe-core, and one form for each kind of control, used by mouse and by
 * keyboard. Tests without a browser check the rules of all settings.
 *
 * @rest
 */
import should from 'should'
import type { Browser, Locator, Page } from 'playwright-core'
import { onCanvas, read } from '../support/house'
import { useEditor } from './support/desk'
import { addEachNode, finishForm, openForm } from './support/walked-form'
import {
  type EditorPage,
  type NodeRed,
  accessibilityFindings,
  closeDialog,
  deploy,
  dragNode,
  isMarked,
  openDialog,
  openEditor,
  openNode,
  settingsOf,
} from '../support/node-red/editor'
import { until } from '../support/time'

describe('the forms', () => {
  let red: NodeRed
  let browser: Browser
  let page: EditorPage
  useEditor((desk) => ({ red, browser, page } = desk))
  const findings = () => accessibilityFindings(page, '.red-ui-tray:last-of-type .eid-form')

  it('of all nodes open, keep their initial values, fit the dialog and have no serious finding', async () => {
    await addEachNode(page)
    for (const name of onCanvas) {
      const before = await settingsOf(page, name)
      const dialog = await openForm(page, name)
      should(await dialog.locator('.eid-form').count()).equal(1, name)
      should(await findings()).deepEqual([], name)
      should(await missingWidth(dialog)).be.belowOrEqual(0, name)
      await finishForm(page)
      should(await settingsOf(page, name)).deepEqual(before, name)
    }
  })

  for (const [width, height, what] of [
    [1024, 768, 'a small window'] as const,
    [640, 450, 'a zoom of 200 %'] as const,
  ]) {
    it(`of create document fits the dialog at ${what}`, async () => {
      await addEachNode(page)
      await page.setViewportSize({ width, height })
      const dialog = await openForm(page, 'create-document')
      await tab(page, 'signers')
      await dialog.getByRole('button', { name: 'add signer' }).click()
      for (const one of await dialog.locator('[role=tab]:visible').all()) {
        await one.click()
        should(await missingWidth(dialog)).be.belowOrEqual(0, (await one.getAttribute('id')) ?? '')
      }
    })
  }

  it('gives a dropped node a client for the sandbox, and the next one the same, but none to "alerts"', async () => {
    const first = await settingsOf(page, await dragNode(page, 'eid-document', 300, 100))
    const second = await settingsOf(page, await dragNode(page, 'eid-create-document', 300, 200))
    should(first.client).be.a.String().and.not.empty()
    should(second.client).equal(first.client)
    // Without a client, "alerts" reports all of them.
    const id = await dragNode(page, 'eid-alerts', 300, 300)
    should((await settingsOf(page, id)).client).equal('')
    await openForm(page, id)
    const client = page.locator('.form-row', { has: page.locator('#node-input-client') })
    should(await client.locator('option:checked').innerText()).equal('none')
    await client.getByText('With “none”, all clients are reported.').waitFor()
  })

  it('asks for what registering a webhook takes when that is ticked, and shows the whole address', async () => {
    const id = await dragNode(page, 'eid-webhook')
    const dialog = await openNode(page, id)
    await dialog.locator('[data-row="secret"] .eid-star').waitFor()
    should(await dialog.locator('[data-row="secret2"] .eid-star').count()).equal(0)
    const url = dialog.locator('[data-row="publicUrl"]')
    const address = dialog.locator('.eid-address')
    should(await address.innerText()).equal(`${new URL(red.url).origin}/eid/webhook`)
    should(await url.isVisible()).be.false()
    await dialog.locator('#node-input-register').check()
    should(await url.innerText()).containEql('is missing')
    await url.locator('input').fill('https://flows.example.com/red/')
    await dialog.locator('#node-input-path').fill('hooks/one')
    should(await address.innerText()).equal('https://flows.example.com/red/hooks/one')
    await dialog.getByRole('button', { name: 'copy' }).click()
    await page.getByText('copied').waitFor()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.properties({ register: true, publicUrl: 'https://flows.example.com/red/' })
    await openForm(page, id)
    should(await url.isVisible()).be.true()
    await dialog.locator('#node-input-register').uncheck()
    should(await url.isVisible()).be.false()
  })

  it('say on the canvas what a node without a name does', async () => {
    const events = await dragNode(page, 'eid-events', 300, 100)
    const shows = (id: string, text: string) =>
      page.locator(`[id="${id}"] .red-ui-flow-node-label`, { hasText: new RegExp(`^${text}$`) }).waitFor()
    await shows(events, 'events')
    await openForm(page, events)
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

  it('pick a color, say why one cannot work, and mark a node that cannot work', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openForm(page, id)
    await tab(page, 'look')
    const row = dialog.locator('[data-row="backgroundColor"]')
    await row.locator('.red-ui-typedInput-input').fill('#12')
    await row.getByText('must be #RRGGBB').waitFor()
    await closeDialog(page)
    should(await isMarked(page, id)).be.true()
    await openForm(page, id)
    await tab(page, 'look')
    await row.locator('input[type=color]').fill('#123456')
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('backgroundColor', '#123456')
    // The title and others are required as soon as the form makes the request.
    await openForm(page, id)
    await tab(page, 'look')
    await row.locator('.red-ui-typedInput-input').fill('')
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
      await openForm(page, id)
      await page.locator('#node-input-btn-client-edit').click()
      return openDialog(page)
    }

    it('asks for nothing in the sandbox; for the live service, for address, credentials and scopes', async () => {
      const dialog = await openClient()
      const secret = dialog.locator('#node-config-input-clientSecret')
      const starred = () =>
        dialog
          .locator('.form-row:visible:has(.eid-star:visible)')
          .evaluateAll((rows) => rows.map((row) => row.dataset.row))
      should(await secret.isVisible()).be.false()
      should(await dialog.locator('#eid-test').isVisible()).be.false()
      should(await dialog.locator('.eid-tick').first().isVisible()).be.false()
      should(await starred()).deepEqual([])
      should(await page.locator('.red-ui-tray-breadcrumbs').last().innerText())
        .match(/eID client/)
        .and.not.match(/eid-client/)
      await dialog.locator('#eid-control-room').waitFor()
      const room = await dialog.locator('#eid-control-room').getAttribute('href')
      should((await fetch(String(room))).status).equal(200)
      await dialog.locator('#node-config-input-environment').selectOption('live')
      should(await secret.isVisible()).be.true()
      should(await starred()).deepEqual(['baseUrl', 'clientId', 'clientSecret'])
      should(await dialog.locator('[data-row="baseUrl"] .eid-reason').innerText()).equal('Address is missing')
      await dialog.locator('#eid-test').click()
      await dialog.getByText('The address of the service is missing. Fill it in above.').waitFor()
      for (const more of await dialog.locator('summary').all()) await more.click()
      should(await findings()).deepEqual([])
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
      client = String((await settingsOf(page, await dragNode(page, 'eid-document'))).client)
      await deploy(page)
      const list = async (id: string) => (await page.request.get(`${red.url}/eid/suggestions/${id}/spinners`)).text()
      should(await list(client)).containEql('Cubes')
      should(await list('nobody')).equal('[]')
    })
  })

  it('keep what only people who build flows need in a fold, which opens by itself if something in it is set or invalid', async () => {
    const wait = await dragNode(page, 'eid-wait')
    const fold = (dialog: Locator) => dialog.locator('.eid-developers')
    const pause = (dialog: Locator) => dialog.locator('[data-row="pollInterval"] .red-ui-typedInput-input')
    const opened = await openNode(page, wait)
    should(await fold(opened).getAttribute('open')).be.null()
    await fold(opened).locator('summary').press('Enter')
    await pause(opened).fill('7')
    await closeDialog(page)
    const again = await openNode(page, wait)
    should(await pause(again).inputValue()).equal('7')
    await pause(again).fill('soon')
    await fold(again).locator('summary').click()
    await pause(again).waitFor({ state: 'hidden' })
    await again.locator('[data-row="timeout"] .red-ui-typedInput-input').fill('1')
    await pause(again).waitFor()
    await closeDialog(page)
  })

  it('store what is typed into the form of a shared store', async () => {
    const wait = await dragNode(page, 'eid-wait')
    await (await openNode(page, wait)).locator('.eid-developers summary').click()
    await page.locator('#node-input-btn-shared-add').click()
    const dialog = await openDialog(page)
    await dialog.locator('#node-config-input-address').fill('postgres://db.example.com/eid')
    await dialog.locator('#node-config-input-user').fill('eid')
    await closeDialog(page)
    await closeDialog(page)
    const { shared } = await settingsOf(page, wait)
    should(await settingsOf(page, String(shared))).have.property('address', 'postgres://db.example.com/eid')
  })

  it('speak Norwegian to a Norwegian, also in the mark of a tab that hides a problem', async () => {
    const norwegian = await openEditor(browser, red, { language: 'nb-NO' })
    const dialog = await openForm(norwegian, await dragNode(norwegian, 'eid-create-document'))
    await dialog.getByText('Undertegnere').first().waitFor()
    await dialog.getByText('Etter signering').waitFor()
    await dialog.locator('[data-row="title"] .red-ui-typedInput-input').fill('Leie')
    await dialog.locator('#eid-tab-signers').getByRole('img', { name: 'Denne fanen har en ugyldig verdi' }).waitFor()
    should(norwegian.errors).deepEqual([])
    await norwegian.context().close()
  })
})

/** By how many pixels the open form is wider than its dialog. */
function missingWidth(dialog: Locator): Promise<number> {
  return dialog.locator('.red-ui-tray-body-wrapper').evaluate((one) => one.scrollWidth - one.clientWidth)
}

async function tab(page: Page, name: string): Promise<void> {
  await page.locator(`#eid-tab-${name}`).click()
}

function cell(page: Page, row: number, field: string) {
  return page.locator('.eid-block').nth(row).locator(`[data-cell="${field}"] .red-ui-typedInput-input`)
}

const found: readonly (readonly [search: string, types: readonly string[]])[] = [
  ['sign', ['create-document', 'document', 'wait', 'archive', 'batch', 'embed', 'pending', 'events', 'webhook']],
  ['contract', ['create-document', 'document', 'wait', 'archive', 'batch', 'embed', 'pending']],
  ['share', ['wait', 'share-create', 'share-upload', 'share', 'batch', 'events', 'webhook']],
  ['deposit', ['wait', 'deposit', 'deposit-cancel', 'deposit-terminate', 'events', 'webhook']],
  ['identify', ['wait', 'identification-session', 'embed']],
  ['identification session', ['identification-session']],
  ['secure share', ['share-create', 'share-upload', 'share']],
  ['cancel deposit', ['deposit-cancel']],
  ['excel', ['batch']],
]

describe('the palette', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  const shown = async () => {
    const ours = page.locator('.red-ui-palette-node[data-palette-type^="eid-"]:visible')
    const types = await ours.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-palette-type') ?? ''))
    return types.map((type) => type.replace('eid-', ''))
  }

  it('shows the nodes in the order of the jobs, and those for people who build flows in a category of their own', async () => {
    const { 'node-red': parts } = JSON.parse(read('package.json')) as { 'node-red': { nodes: object } }
    should(await shown()).deepEqual(Object.keys(parts.nodes).filter((name) => onCanvas.includes(name)))
    const advanced = page.locator('[id="red-ui-palette-base-category-eID_advanced"] .red-ui-palette-node')
    should(await advanced.count()).equal(4)
  })

  it('finds a node by the job that it does', async () => {
    const search = page.locator('#red-ui-palette-search input')
    for (const [word, types] of found) {
      await search.fill('')
      await search.pressSequentially(word)
      // The palette also filters by the letters typed so far, such as the "id" of "identify", which all our types
      // contain.
      const filtered = async () => (await shown()).join() === types.join()
      await until(filtered).catch(async () => should(await shown()).deepEqual(types))
      await search.fill('')
      await search.press('Backspace')
      await page.locator('.red-ui-palette-node[data-palette-type="catch"]').waitFor()
    }
  })
})
