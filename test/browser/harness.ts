/** A real Node-RED with this package in a real browser: starts both, and works the editor as a person does. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import should from 'should'
import { chromium, type Browser, type Locator, type Page } from 'playwright-core'
import { startRuntime, temporaryFolder } from '../package/runtimes'
import { linkPackage } from '../user-folder'

export interface NodeRed {
  readonly url: string
  readonly userDir: string
  /** What Node-RED printed so far. */
  readonly output: () => string
  stop(): Promise<void>
}

export interface EditorOptions {
  readonly width?: number
  readonly height?: number
  /** Of the browser, as in `nb-NO`. */
  readonly language?: string
  readonly colorScheme?: 'light' | 'dark'
}

/** Starts the Node-RED of the development dependencies on a free port, with the built package in a new user directory. */
export async function startNodeRed({
  flows = [],
  settings = {},
}: { flows?: readonly object[]; settings?: Readonly<Record<string, unknown>> } = {}): Promise<NodeRed> {
  const userDir = temporaryFolder()
  linkPackage(userDir.path)
  const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
  const quiet = { editorTheme: { tours: false, projects: { enabled: false } }, ...settings }
  const red = await startRuntime(installation, userDir.path, flows, quiet)
  const stop = async () => {
    await red.stop()
    userDir.remove()
  }
  return { url: red.url, userDir: userDir.path, output: red.output, stop }
}

/** The Chromium that comes as a package, or the one that `CHROMIUM_PATH` names. */
export async function launchBrowser(): Promise<Browser> {
  const packaged = (await import('@sparticuz/chromium')).default
  const executablePath = process.env.CHROMIUM_PATH ?? (await packaged.executablePath())
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

/** The Node-RED, the browser and the open editor of the tests of one `describe`. */
export interface Desk {
  readonly red: NodeRed
  readonly browser: Browser
  readonly page: EditorPage
}

/**
 * Gives the tests of a `describe` one Node-RED and one browser, and each test an editor of its own, which `opened` is told; an error in its page
 * fails the test.
 */
export function useEditor(opened: (desk: Desk) => void): void {
  let red: NodeRed
  let browser: Browser
  let page: EditorPage
  before(async () => {
    red = await startNodeRed()
    browser = await launchBrowser()
  })
  beforeEach(async () => {
    page = await openEditor(browser, red)
    opened({ red, browser, page })
  })
  afterEach(async () => {
    should(page.errors).deepEqual([])
    await page.context().close()
  })
  after(async () => {
    await browser.close()
    await red.stop()
  })
}

/** Opens the editor in a browser of its own settings; errors of the page end up in `page.errors`. */
export async function openEditor(
  browser: Browser,
  red: Pick<NodeRed, 'url'>,
  options: EditorOptions = {},
): Promise<EditorPage> {
  const { width = 1280, height = 900, language = 'en-US', colorScheme = 'light' } = options
  const context = await browser.newContext({ viewport: { width, height }, locale: language, colorScheme })
  // Node-RED 5 is light until a person lets it follow the browser; older versions know no such choice.
  await context.addInitScript(() => localStorage.setItem('view-dark-theme', 'auto'))
  const page = await context.newPage()
  page.setDefaultTimeout(8000)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(red.url)
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' })
  await page.waitForSelector('.red-ui-palette-node')
  return Object.assign(page, { errors })
}

export type EditorPage = Page & { readonly errors: readonly string[] }

/** Drags a node of this type from the palette to a place of the canvas and gives its id. */
export async function dragNode(page: Page, type: string, x = 300, y = 200): Promise<string> {
  const before = await nodeIds(page)
  const from = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`)
  await from.scrollIntoViewIfNeeded()
  const box = await from.boundingBox()
  const canvas = await page.locator('#red-ui-workspace-chart').boundingBox()
  if (!box || !canvas) throw new Error(`"${type}" is not in the palette`)
  await page.mouse.move(box.x + 20, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(canvas.x + x - 20, canvas.y + y - 20, { steps: 5 })
  await page.mouse.move(canvas.x + x, canvas.y + y, { steps: 5 })
  await page.mouse.up()
  const id = (await nodeIds(page)).find((one) => !before.includes(one))
  if (!id) throw new Error(`"${type}" did not land on the canvas`)
  return id
}

function nodeIds(page: Page): Promise<string[]> {
  return page.locator('.red-ui-flow-node-group').evaluateAll((nodes) => nodes.map((node) => node.id))
}

/** Opens the dialog of a node on the canvas and gives it. */
export async function openNode(page: Page, id: string): Promise<Locator> {
  await page.locator(`[id="${id}"] .red-ui-flow-node`).dblclick()
  return openDialog(page)
}

/** The topmost dialog, when it has stopped moving. */
export async function openDialog(page: Page): Promise<Locator> {
  const dialog = page.locator('.red-ui-tray').last()
  await dialog.locator('.red-ui-tray-body').waitFor()
  // Trays slide in; a click on a moving button misses it.
  await page.waitForTimeout(400)
  return dialog
}

/** Presses Done (or Add) of the topmost dialog and waits until it is gone; the one below may come back in its place. */
export async function closeDialog(page: Page): Promise<void> {
  const button = await page.locator('#node-dialog-ok, #node-config-dialog-ok').last().elementHandle()
  if (!button) throw new Error('no dialog is open')
  await button.click()
  await page.waitForFunction((gone) => !gone.isConnected, button)
  await page.waitForTimeout(300)
}

/** Deploys and waits until the editor says so. */
export async function deploy(page: Page): Promise<void> {
  const answered = page.waitForResponse((one) => one.url().endsWith('/flows') && one.request().method() === 'POST')
  await page.locator('#red-ui-header-button-deploy').click()
  await answered
}

/** What the editor holds of a node: its stored settings. */
export function settingsOf(page: Page, id: string): Promise<Record<string, unknown>> {
  return page.evaluate((wanted) => {
    const { RED } = window as unknown as { RED: EditorRed }
    const node = RED.nodes.node(wanted)
    if (!node) throw new Error(`no node ${wanted}`)
    return JSON.parse(JSON.stringify(RED.nodes.convertNode(node, false))) as Record<string, unknown>
  }, id)
}

interface EditorRed {
  nodes: { node(id: string): object | null; convertNode(node: object, credentials: boolean): object }
}

/** Serious and critical findings of axe-core within `selector`, in words. */
export async function accessibilityFindings(page: Page, selector: string): Promise<string[]> {
  // As the debugger's own words: a script element would not get past the content security policy of our pages.
  const axe = createRequire(__filename).resolve('axe-core/axe.min.js')
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(async (inside) => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run(inside, { iframes: false })
    const serious = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
    return serious.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}`))
  }, selector)
}

interface Axe {
  run(
    selector: string,
    options: { iframes: boolean },
  ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}
