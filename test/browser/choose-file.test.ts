/**
 * "Choose file…" in a real editor that requires a login and is not at the root path: by button, and by dropping a file.
 *
 * @rest
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import should from 'should'
import type { Browser, Locator } from 'playwright-core'
import { root } from '../support/house'
import {
  accessibilityFindings,
  closeDialog,
  dragNode,
  launchBrowser,
  loaded,
  openNode,
  settingsOf,
  startNodeRed,
  type EditorPage,
  type NodeRed,
} from '../support/node-red/editor'

// Node-RED's own copy of bcryptjs.
const { hashSync } = createRequire(require.resolve('node-red/red.js'))('bcryptjs') as {
  hashSync(password: string, rounds: number): string
}
const contract = join(root, 'test/fixtures/contract.pdf')

describe('a file of a person', () => {
  let red: NodeRed
  let browser: Browser
  let page: EditorPage
  before(async () => {
    const users = [
      { username: 'ola', password: hashSync('ola', 4), permissions: '*' },
      { username: 'kari', password: hashSync('kari', 4), permissions: 'read' },
    ]
    const flows = [
      { id: 'f', type: 'tab', label: 'Flow 1' },
      { id: 'c', type: 'eid-client' },
      { id: 'n', z: 'f', type: 'eid-create-document', client: 'c', x: 300, y: 200, wires: [[]] },
    ]
    const settings = { httpAdminRoot: '/red', adminAuth: { type: 'credentials', users } }
    red = await startNodeRed({ flows, settings })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })

  let present = ''
  // What a failed test left open must not make the next one fail.
  afterEach(function () {
    if (this.currentTest?.isFailed()) present = ''
  })
  /** Logs in as this person; does nothing if that person is still logged in, as after closing a dialog. */
  const logIn = async (person: string) => {
    if (person === present) return
    present = person
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' })
    page = Object.assign(await context.newPage(), { errors: [] })
    await page.goto(`${red.url}/red`)
    await page.locator('#node-dialog-login-username').fill(person)
    await page.locator('#node-dialog-login-password').fill(person)
    await page.keyboard.press('Enter')
    await loaded(page)
  }
  const answer = (dialog: Locator, text: string) => dialog.locator('.eid-choose-file').getByText(text).waitFor()

  it('is put on the server and filled in, with its path and its name', async () => {
    await logIn('ola')
    const id = await dragNode(page, 'eid-create-document', 300, 400)
    const dialog = await openNode(page, id)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Choose file…' }).click(),
    ])
    await chooser.setFiles(contract)
    await answer(dialog, 'contract.pdf is now on the server.')
    await dialog.locator('.eid-choose-file button:focus').waitFor()
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    await closeDialog(page)
    const path = join(red.userDir, 'eid', 'files', 'contract.pdf')
    should(await settingsOf(page, id)).have.properties({
      file: path,
      fileType: 'path',
      fileName: 'contract.pdf',
      fileNameType: 'str',
    })
    should(readFileSync(path).equals(readFileSync(contract))).be.true()
  })

  it('changes its name with a typed path, and warns when there is no file at that path', async () => {
    await logIn('ola')
    const id = await dragNode(page, 'eid-create-document', 300, 500)
    const dialog = await openNode(page, id)
    const input = (name: string) => dialog.locator(`[data-row="${name}"] .red-ui-typedInput-input`)
    const type = async (name: string, text: string) => {
      await input(name).fill(text)
      await input(name).blur()
    }
    await dialog.getByText('inside the request. The field below only gives it a name.').waitFor()
    await dialog.locator('input[type=file]').setInputFiles(contract)
    await answer(dialog, 'contract.pdf is now on the server.')
    const chosen = await input('file').inputValue()
    await type('file', '/nowhere/lease.pdf')
    should(await input('fileName').inputValue()).equal('lease.pdf')
    const hint = dialog.locator('.eid-path-hint')
    await hint.getByText('There is no file at /nowhere/lease.pdf on the server').waitFor()
    await type('file', chosen)
    await hint.waitFor({ state: 'hidden' })
    await closeDialog(page)
    // The form still fills in the name after it was closed and opened again.
    await openNode(page, id)
    await type('file', '/nowhere/other.pdf')
    should(await input('fileName').inputValue()).equal('other.pdf')
    // A name that a person typed is not changed.
    const tab = (name: RegExp) => dialog.getByRole('tab', { name }).click()
    await tab(/^More/)
    await type('fileName', 'Lease 12.pdf')
    await tab(/^Document/)
    await type('file', '/nowhere/third.pdf')
    should(await input('fileName').inputValue()).equal('Lease 12.pdf')
    await closeDialog(page)
  })

  it('of a deposit has no name, and its form does not mention one', async () => {
    await logIn('ola')
    const id = await dragNode(page, 'eid-deposit', 300, 560)
    const dialog = await openNode(page, id)
    await dialog.locator('#node-input-operation').selectOption('create')
    const hint = dialog.locator('.eid-path-hint')
    await hint.waitFor()
    should(await hint.innerText()).match(/^The file comes with the message: .* inside the request\.$/)
    await closeDialog(page)
  })

  it('may be dropped anywhere on the form, with a message when it is too large or of the wrong kind', async () => {
    await logIn('ola')
    const dialog = await openNode(page, await dragNode(page, 'eid-share-upload', 300, 600))
    const drop = (name: string, size: number) =>
      dialog.locator('.eid-form').evaluate(
        (form, [fileName, length]) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([new Uint8Array(length)], fileName))
          for (const type of ['dragover', 'drop']) {
            form.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
          }
        },
        [name, size] as const,
      )
    await drop('payslips.zip', 26 * 1024 * 1024 + 1)
    await answer(dialog, 'payslips.zip is larger than 25 MiB.')
    await drop('~$payslips.xlsx', 165)
    await answer(dialog, '~$payslips.xlsx only shows that the file is open in Excel or Word.')
    await drop('payslips.zip', 100)
    await answer(dialog, 'payslips.zip is now on the server.')
    const path = dialog.locator('#eid-list-files [data-cell="file"] .red-ui-typedInput-input')
    should(await path.first().inputValue()).equal(join(red.userDir, 'eid', 'files', 'payslips.zip'))
    await dialog.locator('.eid-developers summary').click()
    await dialog.locator('#node-input-baseFolder').fill('/data')
    await drop('payslips.zip', 100)
    await answer(dialog, 'outside the base folder')
    should(await path.nth(1).inputValue()).equal(join(red.userDir, 'eid', 'files', '2/payslips.zip'))
    await closeDialog(page)
  })

  it('are chosen several at once, and each goes to an item of the share on this tab', async () => {
    await logIn('ola')
    const share = await dragNode(page, 'eid-share-create', 300, 700)
    const item = (id: string, name: string) => ({ id, idType: 'str', name, nameType: 'str' })
    await page.evaluate(
      ([id, rows]) => {
        const { RED } = window as unknown as { RED: { nodes: { node(id: string): Record<string, unknown> } } }
        RED.nodes.node(id).contentRows = rows
      },
      [share, [item('file-1', 'Contract'), item('file-2', 'House rules')]] as const,
    )
    const dialog = await openNode(page, await dragNode(page, 'eid-share-upload', 600, 700))
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Choose files…' }).click(),
    ])
    await chooser.setFiles([contract, join(root, 'examples/lease.docx')])
    await dialog.locator('#eid-list-files li').nth(1).waitFor()
    const chosen = dialog.locator('#eid-list-files [data-cell="contentId"] select')
    should(await chosen.evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value))).deepEqual([
      'file-1',
      'file-2',
    ])
    should(await chosen.first().innerText()).containEql('House rules (file-2)')
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    await closeDialog(page)
  })

  it('is not accepted from a person with read access only', async () => {
    await logIn('kari')
    const dialog = await openNode(page, 'n')
    await dialog.locator('input[type=file]').setInputFiles(contract)
    await answer(dialog, 'you do not have permission to deploy')
    should(await dialog.locator('[data-row="file"] .red-ui-typedInput-input').inputValue()).equal('')
  })
})
