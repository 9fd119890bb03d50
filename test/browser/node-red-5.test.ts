/**
 * The package in the editor of Node-RED 5, dark and light: every form opens, shows its fields legibly and closes.
 * `test/package/matrix.test.ts` checks that the packed package has the same forms.
 *
 * @rest
 */
import should from 'should'
import { join } from 'node:path'
import type { Browser, Locator } from 'playwright-core'
import { onCanvas, root } from '../support/house'
import { installRuntime, startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { startService } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { accessibilityFindings, contrast } from './support/accessibility'
import { addEachNode, finishForm, openForm } from './support/walked-form'
import {
  closeDialog,
  deployFlows,
  dragNode,
  emptyEditor,
  launchBrowser,
  openDialog,
  openEditor,
  openNode,
  type EditorPage,
} from '../support/node-red/editor'
import { linkPackage } from '../support/node-red/user-folder'

describe('Node-RED 5', () => {
  const userDir = temporaryFolder()
  let red: NodeRedProcess
  let browser: Browser
  let page: EditorPage
  const complaints: string[] = []
  before(async () => {
    const runtime = await installRuntime('5', '24')
    linkPackage(userDir.path)
    red = await startRuntime(runtime, userDir.path, [], { editorTheme: { tours: false } })
    browser = await launchBrowser()
    page = await openEditor(browser, red)
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
    userDir.remove()
  })

  beforeEach(async () => {
    await emptyEditor(page, browser, red)
    await turn('dark')
  })
  afterEach(() => should([...page.errors.splice(0), ...complaints.splice(0)]).deepEqual([]))

  /** Switches the color scheme of the system, which the editor follows at once. */
  const turn = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme })
    await page.locator(colorScheme === 'dark' ? 'html.nr-theme-dark' : 'html:not(.nr-theme-dark)').waitFor()
  }
  /** Takes pictures if `PICTURES` is set. */
  const photograph = async (colorScheme: string, name: string) => {
    const path = join(root, '.cache', 'screenshots', `node-red-5-${colorScheme}`, `${name}.png`)
    if (process.env.PICTURES) await page.screenshot({ path })
  }

  /** Goes through everything in this form, tab by tab; checks the colors of all tabs at once, in dark and in light. */
  const look = async (dialog: Locator, name: string) => {
    const tabs = await dialog.locator('[role=tab]:visible').all()
    for (const tab of tabs.length > 0 ? tabs : [undefined]) {
      await tab?.click()
      // A list shows its fields only when it has a row.
      for (const add of await dialog.locator('.red-ui-editableList-addButton:visible').all()) await add.click()
      should(await fieldsOutOfSight(dialog)).deepEqual([])
      const pickers = await dialog.locator('.eid-picker[type=datetime-local]:visible').all()
      for (const picker of pickers) should(await isBlank(picker)).be.false()
      await photograph('dark', `${name}-${(await tab?.getAttribute('id')) ?? 1}`)
    }
    for (const colorScheme of ['dark', 'light'] as const) {
      await turn(colorScheme)
      // The other rules were checked in Node-RED 4, which has the same form.
      const found = await accessibilityFindings(page, '.red-ui-tray:last-of-type .eid-form', contrast)
      should(found).deepEqual([], `${name} in ${colorScheme}`)
    }
    should(await dialog.locator('.eid-form').innerText()).not.match(/\b(fields|choices|tabs|hints)\.\w/)
    await turn('dark')
  }

  it('shows every node, and those for people who build flows in a category of their own', async () => {
    const shown = page.locator('[id^=red-ui-palette-base-category-eID] .red-ui-palette-node')
    const advanced = page.locator('[id="red-ui-palette-base-category-eID_advanced"] .red-ui-palette-node')
    should(await advanced.count()).equal(4)
    for (const colorScheme of ['dark', 'light'] as const) {
      await turn(colorScheme)
      const types = await shown.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-palette-type')))
      should(types.sort()).deepEqual(onCanvas.map((name) => `eid-${name}`).sort())
      await shown.last().scrollIntoViewIfNeeded()
      await photograph(colorScheme, 'palette')
    }
  })

  it('opens the tab eID by the pencil at the bottom right, dark and light', async () => {
    const service = await startService()
    try {
      await deployFlows(red, waitingFlows(service.url))
      // The order can only be chosen if there are many rows.
      for (let count = 1; count <= 12; count++) await fetch(`${red.url}/wait`, { method: 'POST' })
      const pencil = page.locator('button[data-tab-id="eid-sidebar"]:has(.fa-pencil-square-o)')
      const box = await pencil.boundingBox()
      should(box?.x).be.above(640)
      should(box?.y).be.above(800)
      const tab = page.locator('.eid-sidebar')
      if (!(await tab.isVisible())) await pencil.click()
      await tab.locator('.eid-row').first().waitFor()
      for (const colorScheme of ['dark', 'light'] as const) {
        await turn(colorScheme)
        await tab.getByRole('combobox').scrollIntoViewIfNeeded()
        await photograph(colorScheme, 'sidebar')
        should(await accessibilityFindings(page, '.eid-sidebar', contrast)).deepEqual([], colorScheme)
      }
    } finally {
      await service.close()
    }
  })

  it('opens the form of every node, dark and light', async () => {
    await addEachNode(page)
    for (const name of onCanvas) {
      await look(await openForm(page, name), name)
      await finishForm(page)
    }
  })

  it('opens the form of client, dark and light', async () => {
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

/** A flow with a message that waits for a deposit. */
function waitingFlows(baseUrl: string): object[] {
  const place = { z: 'f', x: 200, y: 100 }
  return [
    { id: 'f', type: 'tab', label: 'Deposits' },
    { id: 'c', type: 'eid-client', baseUrl, retries: 0 },
    { ...place, id: 'in', type: 'http in', url: '/wait', method: 'post', wires: [['wait', 'out']] },
    {
      ...place,
      id: 'wait',
      type: 'eid-wait',
      client: 'c',
      what: 'deposit',
      wires: [[], [], []],
      resourceId: 'deposit-unfunded-1',
      resourceIdType: 'str',
    },
    { ...place, id: 'out', type: 'http response', wires: [] },
  ]
}

/** Settings that should be visible but have no size, or extend beyond the dialog sideways. */
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

/** Whether everything inside the border of this button has the same color. */
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
