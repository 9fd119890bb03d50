/**
 * A Word file and an Excel list in the forms of a real editor: fields, columns, preview, and the button for braces.
 *
 * @rest
 */
import { join } from 'node:path'
import { mkdirSync, writeFileSync } from 'node:fs'
import should from 'should'
import type { Page } from 'playwright-core'
import { wordDocument } from '../support/files/word-document'
import { workbook } from '../support/files/workbook'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { type Desk, useEditor } from './support/desk'
import {
  accessibilityFindings,
  closeDialog,
  deployFlows,
  dragNode,
  openNode,
  settingsOf,
  type EditorPage,
} from '../support/node-red/editor'
import { root } from '../support/house'

const pictures = join(root, '.cache', 'screenshots', 'word-and-list')

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
    mkdirSync(pictures, { recursive: true })
    writeFileSync(join(folder, 'tenants.xlsx'), workbook({ Tenants: rows, Other: [['A'], ['b']] }))
    writeFileSync(join(folder, 'lease.docx'), wordDocument(['Lease for {Last name}', 'Rent: {Rent} kroner']))
    writeFileSync(join(folder, 'other.docx'), wordDocument(['{Last name}, {Town}']))
    writeFileSync(join(folder, 'wrong.docx'), wordDocument(['Lease for {Last name']))
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
      await deployFlows(desk.red, flows)
      await page.reload()
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
    await page.screenshot({ path: join(pictures, 'list.png') })
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
    await typePath(page, 'file', join(folder, 'lease.docx'))
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
    await page.screenshot({ path: join(pictures, 'word.png') })
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
    await page.screenshot({ path: join(pictures, 'no-column.png') })
    await typePath(page, 'file', join(folder, 'old.doc'))
    await dialog.locator('.eid-word-hint').getByText('save it as .docx').waitFor()
    await typePath(page, 'file', join(folder, 'wrong.docx'))
    await dialog.locator('.eid-word-hint').getByText('a brace that is not closed: {Last name').waitFor()
    await typePath(page, 'file', join(folder, 'lease.docx'))
    await names.nth(1).waitFor()
    await closeDialog(page)
    const { fieldsRows, fieldsType } = await settingsOf(page, create)
    should(fieldsType).equal('form')
    should((fieldsRows as Record<string, unknown>[])[0]).match({ name: 'Last name', value: 'payload["Last name"]' })

    dialog = await openNode(page, await dragNode(page, 'eid-document', 400, 300))
    for (const [operation, row] of [
      ['download', 'saveTo'],
      ['archive', 'archiveAs'],
    ] as const) {
      await dialog.locator('[data-row="operation"] select').selectOption(operation)
      await dialog.locator(`[data-row="${row}"] .red-ui-typedInput-input`).fill('{Last name} {surname} {documentId}')
      const hint = dialog.locator(`[data-row="${row}"] .eid-column`)
      await hint.getByText('The last list has no column surname.').waitFor()
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
