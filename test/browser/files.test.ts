/** Files and lists in the forms of a real editor: fields, columns, preview, corrected lists, and where things are. @rest */
import { join } from 'node:path'
import { mkdirSync, writeFileSync } from 'node:fs'
import should from 'should'
import type { Page } from 'playwright-core'
import { oldWord } from '../support/files/compound-file'
import { wordDocument } from '../support/files/word-document'
import { workbook } from '../support/files/workbook'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { type Desk, useEditor } from './support/desk'
import {
  type EditorPage,
  type NodeRed,
  accessibilityFindings,
  closeDialog,
  showFlows,
  deploy,
  deployFlows,
  dragNode,
  openNode,
  settingsOf,
} from '../support/node-red/editor'

describe('a Word file and a list', () => {
  let page: EditorPage
  let folder: string
  let remove: () => void
  let desk: Desk
  useEditor((opened) => {
    desk = opened
    page = opened.page
  })
  const rows = [
    ['Last name', 'Rent', 'E-mail'],
    ['Nordmann', 12500, 'ola.nordmann@example.com'],
    ['Hansen', 9000, 'kari.hansen@example.com'],
  ]
  before(() => {
    ;({ path: folder, remove } = temporaryFolder())
    writeFileSync(join(folder, 'tenants.xlsx'), workbook({ Tenants: rows, Other: [['A'], ['b']] }))
    writeFileSync(join(folder, 'lease.docx'), wordDocument(['Lease for {Last name}', 'Rent: {Rent} kroner']))
    writeFileSync(join(folder, 'other.docx'), wordDocument(['{Last name}, {Town}']))
    writeFileSync(join(folder, 'wrong.docx'), wordDocument(['Lease for {Last name']))
    writeFileSync(join(folder, 'goods.docx'), wordDocument(['{Last name}: {#Goods}{name}{/Goods}']))
    writeFileSync(join(folder, 'old.doc'), oldWord('Lease for {Last ', 'name}'))
    writeFileSync(join(folder, 'rules.pdf'), '%PDF-1.4')
  })
  after(() => remove?.())

  it('offer columns on another tab only if rows can arrive there', async () => {
    const tabs = [
      { id: 'rows', type: 'tab', label: 'Rows' },
      { id: 'deposits', type: 'tab', label: 'Deposits' },
      { id: 'c', type: 'eid-client', environment: 'sandbox' },
      { id: 'b', z: 'rows', type: 'eid-batch', rows: join(folder, 'tenants.xlsx'), rowsType: 'path', x: 100, y: 100 },
      { id: 'd', z: 'deposits', type: 'eid-create-document', client: 'c', x: 300, y: 100, wires: [[]] },
    ]
    const link = { id: 'l', z: 'deposits', type: 'link in', name: '', links: [], x: 100, y: 100, wires: [['d']] }
    let asked = 0
    page.on('request', (one) => void (one.url().endsWith('/eid/files/rows') && asked++))
    const open = async (flows: object[]) => {
      await showFlows(page, desk.red, flows)
      await page.locator('#red-ui-workspace-tabs .red-ui-tab', { hasText: 'Deposits' }).click()
      return openNode(page, 'd')
    }
    const dialog = await open(tabs)
    // A form asks for the columns while it opens.
    await dialog.locator('[data-row="title"] .eid-insert option[value=date]').waitFor({ state: 'attached' })
    should(asked).equal(0)
    await closeDialog(page)
    await open([...tabs, link])
    await dialog.locator('[data-row="title"] .eid-insert option[value=Rent]').waitFor({ state: 'attached' })
    should(asked).equal(1)
  })

  it('show columns and fields, and what the contract of a row says', async () => {
    const batch = await dragNode(page, 'eid-batch', 200, 200)
    let dialog = await openNode(page, batch)
    await typePath(page, 'rows', join(folder, 'tenants.xlsx'))
    const list = dialog.locator('.eid-preview')
    await list.getByText('2 rows').waitFor()
    should(await list.locator('th').allTextContents()).deepEqual(['Last name', 'Rent', 'E-mail'])
    should(await list.locator('td').first().textContent()).equal('Nordmann')
    // A picked column replaces the previous one, and a hint says whether it is suitable as the key.
    const keyHint = dialog.getByText('would count as a new one')
    for (const column of ['E-mail', 'Rent', 'E-mail']) {
      await dialog.locator('[data-row="key"] .eid-insert').selectOption(column)
      await keyHint.waitFor({ state: column === 'E-mail' ? 'visible' : 'hidden' })
    }
    const key = dialog.locator('[data-row="key"] .red-ui-typedInput-input')
    await key.fill('{Number}')
    await key.blur()
    await dialog.getByText('The list has no column Number.').waitFor()
    await dialog.locator('[data-row="key"] .eid-insert').selectOption('E-mail')
    await keyHint.waitFor()
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    await dialog.locator('[data-row="sheet"] input').fill('Nowhere')
    await list.getByText('there is no sheet Nowhere').waitFor()
    await dialog.locator('[data-row="sheet"] input').fill('')
    await closeDialog(page)
    should(await settingsOf(page, batch)).have.properties({ rows: join(folder, 'tenants.xlsx'), rowsType: 'path' })
    should(await settingsOf(page, batch)).have.properties({ key: '{E-mail}', keyType: 'tpl' })

    const create = await dragNode(page, 'eid-create-document', 400, 200)
    dialog = await openNode(page, create)
    const title = dialog.locator('[data-row="title"]')
    await title.locator('.eid-insert option[value="Last name"]').waitFor({ state: 'attached' })
    await title.locator('.red-ui-typedInput-input').fill('Lease for ')
    await title.locator('.eid-insert').selectOption('Last name')
    should(await title.locator('.red-ui-typedInput-input').inputValue()).equal('Lease for {Last name}')
    // A text with a column that is not in the list shows a hint, but can be kept.
    const titleHint = title.locator('.eid-column')
    await title.locator('.red-ui-typedInput-input').fill('Lease for {Last name}, {Flat}, {date}')
    await titleHint.getByText('The last list has no column Flat.').waitFor()
    await title.locator('.red-ui-typedInput-input').fill('Lease for {Last name}')
    await titleHint.waitFor({ state: 'hidden' })
    // A picked column replaces one that is not in the list.
    await title.locator('.red-ui-typedInput-input').fill('{Surname}')
    await title.locator('.eid-insert').selectOption('Last name')
    should(await title.locator('.red-ui-typedInput-input').inputValue()).equal('{Last name}')
    // A signer who is added now also gets the list's columns.
    await dialog.getByRole('tab', { name: 'Signers' }).click()
    await dialog.getByRole('button', { name: 'add signer' }).click()
    await dialog.locator('[data-cell="email"] .eid-insert option[value="E-mail"]').waitFor({ state: 'attached' })
    await dialog.getByRole('tab').first().click()
    // Only a Word file has fields.
    const setting = dialog.locator('[data-row="fields"]')
    should(await setting.isVisible()).be.false()
    await typePath(page, 'file', join(folder, 'rules.pdf'))
    should(await setting.isVisible()).be.false()
    await typePath(page, 'file', join(folder, 'lease.docx'))
    await setting.waitFor()
    const names = dialog.locator('#eid-list-fields [data-cell="name"] .red-ui-typedInput-input')
    await names.nth(1).waitFor()
    const values = async () => Promise.all((await names.all()).map((one) => one.inputValue()))
    should(await values()).deepEqual(['Last name', 'Rent'])
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.locator('.eid-paper').getByText('Lease for Nordmann').waitFor()
    await dialog.getByLabel('Row of the list').fill('2')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.locator('.eid-paper').getByText('Lease for Hansen').waitFor()
    const paper = dialog.locator('.eid-paper')
    should(await paper.innerText()).not.containEql('Empty')
    // A row that would be refused is shown, and what it lacks.
    writeFileSync(join(folder, 'tenants.xlsx'), workbook({ Tenants: [...rows.slice(0, 2), ['Hansen', '']] }))
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await paper.getByText('Empty: {Rent}. This will not be sent.').waitFor()
    should(await paper.innerText()).containEql('Lease for Hansen')
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    should(download.suggestedFilename()).equal('preview.docx')
    // Fields that are also in the next file keep their values.
    await typePath(page, 'file', join(folder, 'other.docx'))
    await until(async () => (await values()).join() === 'Last name,Town')
    should(await dialog.locator('.eid-paper').isVisible()).be.false()
    const fieldHints = dialog.locator('#eid-list-fields .eid-column')
    await fieldHints.getByText('The last list has no column Town.').waitFor()
    should((await fieldHints.allTextContents()).join('')).equal('The last list has no column Town.')
    await typePath(page, 'file', join(folder, 'goods.docx'))
    await setting.getByText('cannot contain the list that {#Goods} needs').waitFor()
    await typePath(page, 'file', join(folder, 'old.doc'))
    await dialog.locator('.eid-word-hint').getByText('{Last name}, but only Word files (.docx)').waitFor()
    should(await setting.isVisible()).be.false()
    should(await names.first().isVisible()).be.false()
    await typePath(page, 'file', join(folder, 'wrong.docx'))
    await dialog.locator('.eid-word-hint').getByText('a brace that is not closed: {Last name').waitFor()
    await typePath(page, 'file', join(folder, 'lease.docx'))
    await names.nth(1).waitFor()
    await closeDialog(page)
    const { fieldsRows, fieldsType } = await settingsOf(page, create)
    should(fieldsType).equal('form')
    should((fieldsRows as Record<string, unknown>[])[0]).match({ name: 'Last name', value: 'payload["Last name"]' })

    for (const [type, operation, row] of [
      ['eid-document', 'download', 'saveTo'],
      ['eid-archive', 'archive', 'archiveAs'],
    ] as const) {
      dialog = await openNode(page, await dragNode(page, type, 400, 300))
      await dialog.locator('[data-row="operation"] select').selectOption(operation)
      await dialog.locator(`[data-row="${row}"] .red-ui-typedInput-input`).fill('{Last name} {surname} {documentId}')
      const hint = dialog.locator(`[data-row="${row}"] .eid-column`)
      await hint.getByText('The last list has no column surname.').waitFor()
      await page.locator('#node-dialog-ok').click()
    }
  })
})

async function typePath(page: Page, name: string, path: string): Promise<void> {
  await page.evaluate(
    ([field, value]) => {
      type Input = { typedInput(method: string, value: string): Input }
      const input = (window as unknown as { $: (selector: string) => Input }).$(`#node-input-${field ?? ''}`)
      input.typedInput('type', 'path').typedInput('value', value ?? '')
    },
    [name, path],
  )
}

const place = (id: string, x: number, y: number) => ({ id, z: 'f', x, y })
const remember = `const sent = flow.get('sent') || []; flow.set('sent', [...sent, msg.payload.Unit]); return msg`
const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { ...place('in', 120, 80), type: 'http in', url: '/send', method: 'post', wires: [['list', 'out']] },
  { ...place('out', 300, 140), type: 'http response', wires: [] },
  { ...place('list', 460, 80), type: 'eid-batch', key: '{Unit}', keyType: 'tpl', wires: [['send'], []] },
  { ...place('send', 620, 80), type: 'function', func: remember, outputs: 1, wires: [['list']] },
  { ...place('ask', 120, 200), type: 'http in', url: '/sent', method: 'get', wires: [['read']] },
  {
    ...place('read', 280, 200),
    type: 'function',
    func: `msg.payload = flow.get('sent') || []; return msg`,
    outputs: 1,
    wires: [['answer']],
  },
  { ...place('answer', 440, 200), type: 'http response', wires: [] },
]

describe('a corrected list', () => {
  let red: NodeRed
  let page: EditorPage
  let folder: string
  let remove: () => void
  useEditor((desk) => ({ red, page } = desk))
  before(() => {
    ;({ path: folder, remove } = temporaryFolder())
  })
  after(() => remove?.())

  /** Chooses a list with this name in the form, as from a person's own folder, deploys, and sends it. */
  const choose = async (name: string, units: readonly string[], expected: RegExp) => {
    const own = join(folder, units.join(''))
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, name), ['Unit;Rent', ...units.map((unit) => `${unit};9000`), ''].join('\r\n'))
    const dialog = await openNode(page, 'list')
    await dialog.locator('input[type=file]').setInputFiles(join(own, name))
    await dialog.locator('.eid-preview').getByText(`${units.length} rows`).waitFor()
    // The list before may have had as many rows, so its preview may still be there.
    const hints = async () => (await dialog.locator('.eid-preview .eid-warning').allTextContents()).join()
    await until(async () => expected.test(await hints()))
    await closeDialog(page)
    await deploy(page)
  }
  const sent = async () => (await (await fetch(`${red.url}/sent`)).json()) as string[]
  const send = async () => should((await fetch(`${red.url}/send`, { method: 'POST' })).status).equal(200)

  it('keeps its name when it is chosen again, sends only what is new, and says what another name means', async () => {
    await showFlows(page, red, flows)
    await choose('list.csv', ['A', 'B'], /^$/)
    await send()
    await until(async () => (await sent()).length === 2)
    await choose('list.csv', ['A', 'B', 'C'], /^$/)
    should((await settingsOf(page, 'list')).rows).match(/[\\/]2[\\/]list\.csv$/)
    await send()
    await until(async () => (await sent()).includes('C'))
    should((await sent()).sort()).deepEqual(['A', 'B', 'C'])
    await choose(
      'list for May.csv',
      ['A', 'B', 'M'],
      /called list\.csv.*all others are, even those that are done in list\.csv/,
    )
    await send()
    await until(async () => (await sent()).length === 6)
    should((await sent()).sort()).deepEqual(['A', 'A', 'B', 'B', 'C', 'M'])
    // The first list was sent before, so what the form says must also hold for a list whose name is not new.
    await choose('list.csv', ['A', 'B', 'D'], /called list for May\.csv.*done under its name are not sent again/)
    await send()
    await until(async () => (await sent()).includes('D'))
    should((await sent()).sort()).deepEqual(['A', 'A', 'B', 'B', 'C', 'D', 'M'])
  })

  it('is read for rows that are there twice, which nothing but a row key would notice', async () => {
    await deployFlows(
      red,
      flows.map((node) => ('key' in node ? { ...node, key: '' } : node)),
    )
    await page.reload()
    const dialog = await openNode(page, 'list')
    const list = join(folder, 'twice.csv')
    writeFileSync(list, ['Unit;Rent', 'A;9000', 'B;9000', 'A;9000', ''].join('\r\n'))
    await dialog.locator('input[type=file]').setInputFiles(list)
    await dialog.locator('.eid-warning').getByText('Some rows are exactly the same.').waitFor()
    await closeDialog(page)
  })
})

interface JQueryLike {
  typedInput(...args: string[]): JQueryLike
}

describe('the id of a deposit in a form', () => {
  let red: NodeRed
  let page: EditorPage
  useEditor((desk) => ({ red, page } = desk))

  it('is chosen from the deposits of the service, by the name of the tenant', async () => {
    const id = await dragNode(page, 'eid-deposit-terminate')
    const { client } = await settingsOf(page, id)
    await deploy(page)
    const listed = async () =>
      (await (await page.request.get(`${red.url}/eid/suggestions/${String(client)}/deposits`)).json()) as object[]
    await until(async () => (await listed()).length > 0)
    should(JSON.stringify(await listed())).not.match(/TERMINATED/)
    await openNode(page, id)
    await page.evaluate(() => {
      const { jQuery } = window as unknown as { jQuery: (selector: string) => JQueryLike }
      jQuery('#node-input-depositId').typedInput('type', 'str').typedInput('value', '')
    })
    const input = page.locator('[data-row="depositId"] .red-ui-typedInput-input')
    await input.click()
    await input.pressSequentially('nordmann', { delay: 30 })
    const entry = page
      .locator('.red-ui-autoComplete-container .red-ui-menu-label:visible, .red-ui-autoComplete-container a:visible')
      .filter({ hasText: 'deposit-funded-2' })
    await entry.first().waitFor()
    await entry.first().click()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.properties({ depositId: 'deposit-funded-2', depositIdType: 'str' })
  })
})

describe('in a form', () => {
  let page: EditorPage
  let folder: string
  let remove: () => void
  useEditor((desk) => ({ page } = desk))
  before(() => {
    ;({ path: folder, remove } = temporaryFolder())
  })
  after(() => remove?.())

  it('the button for fields is beside its input, also where a tip follows', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-document'))
    await dialog.locator('#node-input-operation').selectOption('download')
    const row = dialog.locator('[data-row="saveTo"]')
    const button = await row.locator('.eid-insert').boundingBox()
    const input = await row.locator('.red-ui-typedInput-container').boundingBox()
    if (!button || !input) throw new Error('not visible')
    should(Math.abs(button.y - input.y)).be.below(4)
    should(button.x).be.aboveOrEqual(input.x + input.width)
  })

  const people = ['T-01;Ola;Nordmann;ola.nordmann@example.com', 'T-02;Kari;Hansen;kari.hansen@example.com']
  for (const [name, more, isWide] of [
    ['few', 0, false],
    ['many', 12, true],
  ] as const) {
    it(`the preview of a list with ${name} columns cuts nothing off`, async () => {
      const numbers = Array.from({ length: more }, (_none, index) => index)
      const path = join(folder, `${name}.csv`)
      const head = ['Number;First name;Last name;E-mail', ...numbers.map((number) => `Column ${number}`)].join(';')
      const rows = people.map((person) => [person, ...numbers.map((number) => `value ${number}`)].join(';'))
      writeFileSync(path, [head, ...rows, ''].join('\r\n'))
      const dialog = await openNode(page, await dragNode(page, 'eid-batch'))
      await dialog.locator('input[type=file]').setInputFiles(path)
      const preview = dialog.locator('.eid-preview .eid-scroll')
      await preview.getByText('2 rows').waitFor()
      const { hidden, shadow } = await preview.evaluate((one) => ({
        hidden: one.scrollWidth - one.clientWidth,
        shadow: getComputedStyle(one).backgroundImage,
      }))
      // What does not fit can be scrolled to, and a shadow says so where scroll bars are hidden.
      if (isWide) should(hidden).be.above(0)
      else should(hidden).equal(0)
      should(shadow).containEql('linear-gradient')
    })
  }
})
