/** The packed package in the editor of Node-RED 5, light and dark: every form opens, shows its fields readably and closes. */
import should from 'should'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator } from 'playwright-core'
import { nodeNames, root } from '../house'
import { installPacked, installRuntime, pack, startRuntime, temporaryFolder, type Running } from '../package/runtimes'
import {
  accessibilityFindings,
  closeDialog,
  dragNode,
  launchBrowser,
  openDialog,
  openEditor,
  openNode,
  type EditorPage,
} from './harness'

const onCanvas = nodeNames.filter((name) => name !== 'client')

describe('Node-RED 5', function () {
  this.timeout(300_000)
  const folders = [temporaryFolder(), temporaryFolder()] as const
  const [packed, userDir] = folders
  let red: Running
  let browser: Browser
  before(async () => {
    const runtime = installRuntime('5', '24')
    installPacked(runtime, userDir.path, pack(packed.path).tarball)
    red = await startRuntime(runtime, userDir.path, [], { editorTheme: { tours: false } })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
    for (const folder of folders) folder.remove()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    describe(`in its ${colorScheme} theme`, function () {
      this.timeout(60_000)
      const pictures = join(root, '.cache', 'screenshots', `node-red-5-${colorScheme}`)
      let page: EditorPage
      const complaints: string[] = []

      before(async () => {
        mkdirSync(pictures, { recursive: true })
        page = await openEditor(browser, red, { colorScheme })
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      })
      afterEach(() => should([...page.errors, ...complaints]).deepEqual([]))
      after(() => page.context().close())

      /** Everything that a person can see of this form, tab by tab. */
      const look = async (dialog: Locator, name: string) => {
        const tabs = await dialog.locator('[role=tab]').all()
        for (const [index, tab] of [...tabs, undefined].entries()) {
          if (tab) await tab.click()
          if (!tab && tabs.length > 0) break
          await page.screenshot({ path: join(pictures, `${name}-${index + 1}.png`) })
          should(await fieldsOutOfSight(dialog)).deepEqual([])
          should(await dialog.locator('.eid-form').innerText()).not.match(/\b(fields|choices|tabs|hints)\.\w/)
          should(await accessibilityFindings(page, '.red-ui-tray:last-of-type .eid-form')).deepEqual([])
        }
      }

      it('shows the category with every node in it', async () => {
        const dark = await page.locator('html').evaluate((html) => html.classList.contains('nr-theme-dark'))
        should(dark).equal(colorScheme === 'dark')
        const shown = page.locator('#red-ui-palette-base-category-eID .red-ui-palette-node')
        const types = await shown.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-palette-type')))
        should(types.sort()).deepEqual(onCanvas.map((name) => `eid-${name}`).sort())
        await page.screenshot({ path: join(pictures, 'palette.png') })
      })

      for (const [index, name] of onCanvas.entries()) {
        it(`opens the form of ${name}`, async () => {
          const id = await dragNode(page, `eid-${name}`, 150 + (index % 3) * 200, 100 + Math.floor(index / 3) * 100)
          await look(await openNode(page, id), name)
          await closeDialog(page)
        })
      }

      it('opens the form of client', async () => {
        await openNode(page, await dragNode(page, 'eid-document', 150, 600))
        await page.locator('#node-input-btn-client-edit').click()
        const dialog = await openDialog(page)
        await dialog.locator('#node-config-input-environment').selectOption('live')
        for (const more of await dialog.locator('summary').all()) await more.click()
        await look(dialog, 'client')
        await closeDialog(page)
        await closeDialog(page)
      })
    })
  }
})

/** Settings that should be seen and have no size, or reach out of the dialog sideways. */
function fieldsOutOfSight(dialog: Locator): Promise<string[]> {
  return dialog.locator('.eid-form').evaluate((form) => {
    const { left, right } = form.getBoundingClientRect()
    const rows = Array.from(form.querySelectorAll<HTMLElement>('[data-row]')).filter((row) => row.offsetParent !== null)
    if (rows.length === 0) return ['there is no setting at all']
    const wrong = rows.filter((row) => {
      const inputs = Array.from(row.querySelectorAll('input, select, button, .red-ui-typedInput-container'))
      const boxes = inputs.map((input) => input.getBoundingClientRect()).filter(({ width }) => width > 0)
      return boxes.length === 0 || boxes.some((box) => box.left < left - 1 || box.right > right + 1)
    })
    return wrong.map((row) => row.dataset.row ?? '')
  })
}
