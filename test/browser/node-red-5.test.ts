/**
 * The packed package in the editor of Node-RED 5, light and dark: every form opens, shows its fields
 * readably and closes.
 */
import should from 'should'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator } from 'playwright-core'
import { onCanvas, root } from '../house'
import {
  installPacked,
  installRuntime,
  pack,
  startRuntime,
  temporaryFolder,
  type NodeRedProcess,
} from '../package/runtimes'
import {
  accessibilityFindings,
  closeDialog,
  dragNode,
  emptyEditor,
  launchBrowser,
  openDialog,
  openEditor,
  openNode,
  type EditorPage,
} from './harness'

describe('Node-RED 5', function () {
  this.timeout(300_000)
  const folders = [temporaryFolder(), temporaryFolder()] as const
  const [packed, userDir] = folders
  let red: NodeRedProcess
  let browser: Browser
  before(async () => {
    const [runtime, { tarball }] = await Promise.all([installRuntime('5', '24'), pack(packed.path)])
    await installPacked(runtime, userDir.path, tarball)
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
      this.timeout(120_000)
      const pictures = join(root, '.cache', 'screenshots', `node-red-5-${colorScheme}`)
      let page: EditorPage
      const complaints: string[] = []

      before(async () => {
        mkdirSync(pictures, { recursive: true })
        page = await openEditor(browser, red, { colorScheme })
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      })
      beforeEach(async () => void (await emptyEditor(page, browser, red)))
      afterEach(() => should([...page.errors.splice(0), ...complaints.splice(0)]).deepEqual([]))
      after(() => page?.context().close())

      /** Everything that a person can see of this form, tab by tab. */
      const look = async (dialog: Locator, name: string) => {
        const tabs = await dialog.locator('[role=tab]:visible').all()
        for (const [index, tab] of [...tabs, undefined].entries()) {
          if (tab) await tab.click()
          if (!tab && tabs.length > 0) break
          // A list shows its fields only when it has a row.
          for (const add of await dialog.locator('.red-ui-editableList-addButton:visible').all()) await add.click()
          await page.screenshot({ path: join(pictures, `${name}-${index + 1}.png`) })
          should(await fieldsOutOfSight(dialog)).deepEqual([])
          const pickers = await dialog.locator('.eid-picker[type=datetime-local]:visible').all()
          for (const picker of pickers) should(await isBlank(picker)).be.false()
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
        await shown.last().scrollIntoViewIfNeeded()
        await page.screenshot({ path: join(pictures, 'palette.png') })
      })

      for (const name of onCanvas) {
        it(`opens the form of ${name}`, async () => {
          await look(await openNode(page, await dragNode(page, `eid-${name}`)), name)
          await closeDialog(page)
        })
      }

      it('opens the form of client', async () => {
        await openNode(page, await dragNode(page, 'eid-document'))
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

/** True when there is nothing inside the border of this button but one colour. */
async function isBlank(button: Locator): Promise<boolean> {
  const picture = `data:image/png;base64,${(await button.screenshot()).toString('base64')}`
  return button.page().evaluate(async (source) => {
    const image = await createImageBitmap(await (await fetch(source)).blob())
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    if (!canvas) throw new Error('the browser cannot draw')
    canvas.drawImage(image, 0, 0)
    const { data } = canvas.getImageData(6, 6, image.width - 12, image.height - 12)
    const colours = new Uint32Array(data.buffer)
    return colours.every((colour) => colour === colours[0])
  }, picture)
}
