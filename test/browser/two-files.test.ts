/**
 * Two files for two people, built on an empty canvas as docs/sharing.md says: at most 25 clicks and drags. A person goes
 * from field to field by the Tab key.
 *
 * @rest
 */
import should from 'should'
import { join } from 'node:path'
import type { Browser, Locator } from 'playwright-core'
import { root } from '../support/house'
import {
  deploy,
  dragNode,
  emptyEditor,
  launchBrowser,
  openDialog,
  startNodeRed,
  type EditorPage,
  type NodeRed,
} from '../support/node-red/editor'
import { drawWire } from './support/wire'

describe('two files for two people', () => {
  let red: NodeRed
  let browser: Browser
  let page: EditorPage
  let acts = 0
  before(async () => {
    red = await startNodeRed()
    browser = await launchBrowser()
    page = await emptyEditor(undefined, browser, red)
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })

  const click = async (what: Locator) => {
    acts++
    await what.click()
  }
  /** Types into the field, to which the Tab key leads. */
  const fill = async (input: Locator, text: string) => {
    const isThere = () => input.evaluate((one) => one === document.activeElement)
    for (let tabs = 0; tabs < 6 && !(await isThere()); tabs++) await page.keyboard.press('Tab')
    should(await isThere()).be.true()
    await page.keyboard.type(text)
  }
  const drop = async (type: string, x: number, y: number, onWire = false) => {
    acts++
    return dragNode(page, type, x, y, onWire)
  }
  const open = async (id: string) => {
    acts++
    await page.locator(`[id="${id}"]`).dblclick()
    return openDialog(page)
  }
  const done = async (dialog: Locator) => {
    await click(dialog.locator('#node-dialog-ok'))
    await page.locator('.red-ui-tray').waitFor({ state: 'detached' })
  }

  it('take at most 25 clicks and drags from the empty canvas to the links', async () => {
    const start = await drop('inject', 120, 120)
    const upload = await drop('eid-share-upload', 700, 120)
    acts++
    await drawWire(page, start, upload)
    const share = await drop('eid-share-create', 400, 120, true)

    let dialog = await open(share)
    const typed = (name: string) => dialog.locator(`[data-row="${name}"] .red-ui-typedInput-input`).first()
    await click(typed('title'))
    await page.keyboard.type('Storgata 1')
    await fill(typed('description'), 'The lease and the house rules')
    for (const name of ['Lease', 'House rules']) {
      await click(dialog.getByRole('button', { name: 'add item' }))
      await fill(dialog.locator('#eid-list-content li').last().locator('input:visible').first(), name)
    }
    await click(dialog.getByRole('tab', { name: 'Recipients' }))
    for (const [index, first] of ['Ola', 'Kari'].entries()) {
      await click(dialog.getByRole('button', { name: 'add recipient' }))
      const row = dialog.locator('#eid-list-recipients li').nth(index)
      const cell = (name: string) => row.locator(`[data-cell="${name}"] .red-ui-typedInput-input`)
      const known = { firstName: first, lastName: 'Nordmann', email: `${first.toLowerCase()}@example.com` }
      const all = Object.entries({ mobileCountryCode: '47', mobileNumber: '99999999', ...known })
      const order = ['firstName', 'lastName', 'email', 'mobileCountryCode', 'mobileNumber']
      all.sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
      for (const [name, text] of all) await fill(cell(name), text)
      await click(row.getByRole('checkbox', { name: index === 0 ? 'Lease (file-1)' : 'House rules (file-2)' }))
      await click(row.locator('[data-cell="identityProvider"]').getByRole('checkbox').first())
    }
    await click(typed('expires'))
    await page.keyboard.type(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10))
    await done(dialog)

    dialog = await open(upload)
    acts++
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      click(dialog.getByRole('button', { name: 'Choose files…' })),
    ])
    await chooser.setFiles([join(root, 'test/fixtures/contract.pdf'), join(root, 'examples/lease.docx')])
    await dialog.locator('#eid-list-files li').nth(1).waitFor()
    should(await dialog.locator('.eid-reason:visible').allInnerTexts()).deepEqual([])
    await done(dialog)

    acts++
    await deploy(page)
    acts++
    await page.locator(`[id="${start}"] .red-ui-flow-node-button-button`).dispatchEvent('click')
    await page.locator(`[id="${upload}"]`).getByText('2 files uploaded').waitFor()
    console.log(`        ${acts} clicks and drags`)
    should(acts).be.belowOrEqual(25)
    should(page.errors.splice(0)).deepEqual([])
  })
})
