/** Starts a real Node-RED with this package and a real browser, and uses the editor as a person does. */
import type { Browser, Locator, Page } from 'playwright-core'
import type { SidebarView } from '../../../plugins/sidebar/view'
import { startRuntime } from './installed'
import { temporaryFolder } from '../temporary-folder'
import { insist, until } from '../time'
import { linkPackage } from './user-folder'

export { accessibilityFindings } from '../../browser/support/accessibility'
export { launchBrowser } from '../../browser/support/browsers'
export { dragNode } from './palette'

export interface NodeRed {
  readonly url: string
  readonly userDir: string
  /** What Node-RED has printed so far. */
  readonly output: () => string
  stop(): Promise<void>
  /** Ends Node-RED at once, for a process that is about to exit. */
  kill(): void
}

interface EditorOptions {
  readonly width?: number
  readonly height?: number
  /** The language of the browser, such as `nb-NO`. */
  readonly language?: string
  readonly colorScheme?: 'light' | 'dark'
}

/**
 * Starts the Node-RED of the development dependencies on a free port, with the built package in a new user directory.
 */
export async function startNodeRed({
  flows = [],
  settings = {},
  modules = [],
}: {
  flows?: readonly object[]
  settings?: Readonly<Record<string, unknown>>
  modules?: readonly string[]
} = {}): Promise<NodeRed> {
  const userDir = temporaryFolder()
  linkPackage(userDir.path, modules)
  const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
  const quiet = {
    editorTheme: { tours: false, projects: { enabled: false }, codeEditor: { lib: 'ace' } },
    nodesExcludes: unused,
    ...settings,
  }
  const red = await startRuntime(installation, userDir.path, flows, quiet)
  const stop = async () => {
    await red.stop()
    userDir.remove()
  }
  const kill = () => {
    red.kill()
    userDir.remove()
  }
  return { url: red.url, userDir: userDir.path, output: red.output, stop, kill }
}

/** Node-RED's own nodes that no test and no example uses. Without them, Node-RED and its editor start sooner. */
const unused = ['10-mqtt.js', '22-websocket.js', '23-watch.js', '31-tcpin.js', '32-udp.js', '70-HTML.js', '70-XML.js']

/** Resets the sandbox of this Node-RED through a flow, because only the client knows the sandbox's address. */
export async function resetSandbox(red: Pick<NodeRed, 'url' | 'output'>): Promise<void> {
  const call = { type: 'eid-request', client: 'c', method: 'POST', path: '/sandbox/reset' }
  const chain = [{ type: 'http in', url: '/reset', method: 'post' }, call, { type: 'http response' }]
  const nodes = chain.map((node, index) => ({ ...node, id: `r${index}`, z: 'r', wires: [[`r${index + 1}`]] }))
  await deployFlows(red, [{ id: 'r', type: 'tab' }, { id: 'c', type: 'eid-client' }, ...nodes])
  // `deployFlows` may have seen the start of flows that were deployed earlier. `/reset` answers 404 until the flows of
  // this deploy run.
  const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
  const ask = () => fetch(`${red.url}/reset`, { ...json, signal: AbortSignal.timeout(patience) })
  const { status } = await until(async () => [await ask()].find((answer) => answer.status !== 404))
  if (status >= 300) throw new Error(`/reset: ${status}`)
}

/**
 * Returns the editor as it is right after the installation. If an editor is open in `page`, it is emptied; otherwise, a
 * new editor is opened.
 */
export async function emptyEditor(
  page: EditorPage | undefined,
  browser: Browser,
  red: Pick<NodeRed, 'url' | 'output'>,
): Promise<EditorPage> {
  if (!page) {
    await deployFlows(red, emptyFlows)
    await deleteKept(red)
    return openEditor(browser, red)
  }
  await page.unrouteAll()
  await page.setViewportSize({ width: 1280, height: 900 })
  await showFlows(page, red, emptyFlows)
  await deleteKept(red)
  return page
}

/**
 * Deploys these flows, and shows them in an editor that is open, as if it had been opened after the deploy. This takes a
 * tenth of the time that opening the editor takes.
 */
export async function showFlows(
  page: Page,
  red: Pick<NodeRed, 'url' | 'output'>,
  flows: readonly object[],
): Promise<void> {
  // Without this line, the editor would show a dialog about flows that someone else deployed.
  await page.evaluate(() => (window as unknown as { RED: EditorRed }).RED.nodes.version(null))
  const revision = await deployFlows(red, flows)
  while ((await page.locator('.red-ui-tray').count()) > 0) await leaveDialog(page, 'cancel')
  await page.evaluate(
    ([own, version]) => {
      const { RED } = window as unknown as { RED: EditorRed }
      RED.nodes.clear()
      RED.history.clear()
      RED.nodes.version(version)
      RED.nodes.import(own)
      RED.nodes.dirty(false)
      RED.view.redraw(true)
    },
    [flows, revision] as const,
  )
}

const emptyFlows = [{ id: 'f', type: 'tab', label: 'Flow 1' }]

/**
 * Deletes what was kept by nodes that are no longer in the flows, as the sidebar does: the nodes of a later test have
 * the same ids and would continue with it.
 */
export async function deleteKept(red: Pick<NodeRed, 'url'>): Promise<void> {
  const remove = (id: string, shared = '') =>
    fetch(`${red.url}/eid/sidebar/resting`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id, shared, action: 'delete' }),
    })
  // A press makes the next answer a new one, whatever it is about.
  await remove('none')
  const kept = (await (await fetch(`${red.url}/eid/sidebar/kept`)).json()) as { id: string; shared: string }[]
  for (const { id, shared } of kept) await remove(id, shared)
  // What has ended would be listed in a later test as well.
  const { done } = (await (await fetch(`${red.url}/eid/sidebar?done=100`)).json()) as SidebarView
  for (const id of new Set(done.rows.map(({ node }) => node))) await remove(id)
}

/** Replaces all flows with these, and returns their revision. */
export async function deployFlows(red: Pick<NodeRed, 'url' | 'output'>, flows: readonly object[]): Promise<string> {
  const since = red.output().length
  const headers = {
    'Content-Type': 'application/json',
    'Node-RED-Deployment-Type': 'full',
    'Node-RED-API-Version': 'v2',
  }
  const answer = await fetch(`${red.url}/flows`, { method: 'POST', headers, body: JSON.stringify({ flows }) })
  if (!answer.ok) throw new Error(`/flows: ${answer.status} ${await answer.text()}`)
  // Node-RED answers before the flows run.
  await until(() => red.output().slice(since).includes('Started flows'), patience / 1000)
  return ((await answer.json()) as { rev: string }).rev
}

/** Opens the editor in a new browser context; errors of the page are collected in `page.errors`. */
export async function openEditor(
  browser: Browser,
  red: Pick<NodeRed, 'url'>,
  options: EditorOptions = {},
): Promise<EditorPage> {
  const { width = 1280, height = 900, language = 'en-US', colorScheme = 'light' } = options
  const context = await browser.newContext({ viewport: { width, height }, locale: language, colorScheme })
  await context.addInitScript(prepareEditor)
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(red.url)
  await loaded(page)
  return Object.assign(page, { errors })
}

/** Milliseconds that an action in a browser may take: only a limit, so it is generous. */
export const patience = 300_000

/**
 * Milliseconds between two checks of a condition in a page. Checking on each frame would make the browser render every
 * frame.
 */
const polling = 30

/** Runs in the page before its own scripts. */
function prepareEditor(): void {
  // Node-RED 5 is light until a person lets it follow the browser; older versions do not have this setting.
  localStorage.setItem('view-dark-theme', 'auto')
  // Turns animations off, so that everything is in its final place at once.
  addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style')
    style.textContent = '*, *::before, *::after { transition: none !important; animation: none !important }'
    document.head.append(style)
    const { jQuery } = window as unknown as { jQuery?: JQueryLike }
    if (!jQuery) return
    jQuery.fx.off = true
    // The editor loads the library for diagrams, 3.5 MB, whenever it opens. Nothing here draws a diagram.
    jQuery.ajaxPrefilter('script', ({ url }, _own, request) => url?.includes('/mermaid/') && request.abort())
  })
}

/** Waits until the editor has loaded, with its palette, and has selected the first tab of its sidebar. */
export async function loaded(page: Page): Promise<void> {
  await page.waitForSelector('.red-ui-palette-node')
  // The progress bar is visible from before the first node of the palette until loading ends.
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' })
}

export type EditorPage = Page & { readonly errors: string[] }

/**
 * Opens the dialog of a node on the canvas and returns it. Node-RED ignores a double click within a millisecond, and a
 * busy machine may separate the two clicks, so this function clicks until the dialog opens.
 */
export async function openNode(page: Page, id: string): Promise<Locator> {
  const open = await page.locator('.red-ui-tray').count()
  const node = page.locator(`[id="${id}"] .red-ui-flow-node`)
  const isMore = (count: number) => document.querySelectorAll('.red-ui-tray').length > count
  await insist(
    // A click may fail, because the dialog opens late and covers the node.
    (timeout) => node.dblclick({ delay: 20, timeout }).catch(() => undefined),
    (timeout) => page.waitForFunction(isMore, open, { polling, timeout }),
    patience / 1000,
  )
  return openDialog(page)
}

/** The topmost dialog, once it is in place and its first field has the focus, which is the last step of opening. */
export async function openDialog(page: Page): Promise<Locator> {
  await page.waitForFunction(
    () => {
      const tray = Array.from(document.querySelectorAll<HTMLElement>('.red-ui-tray')).at(-1)
      return tray?.style.right === '0px' && tray.querySelector('.red-ui-tray-body :focus') !== null
    },
    undefined,
    { polling },
  )
  return page.locator('.red-ui-tray').last()
}

/**
 * Presses Done (or Add) in the topmost dialog and waits until the dialog is gone; the dialog below may then reappear.
 */
export async function closeDialog(page: Page): Promise<void> {
  await leaveDialog(page, 'ok')
}

async function leaveDialog(page: Page, by: 'ok' | 'cancel'): Promise<void> {
  const button = await page.locator(`#node-dialog-${by}, #node-config-dialog-${by}`).last().elementHandle()
  if (!button) throw new Error('no dialog is open')
  await button.click()
  await page.waitForFunction(
    (gone) => {
      const below = Array.from(document.querySelectorAll<HTMLElement>('.red-ui-tray')).at(-1)
      const shade = document.querySelector<HTMLElement>('#red-ui-editor-shade')
      return !gone.isConnected && (below ? below.style.right === '0px' : shade?.style.display === 'none')
    },
    button,
    { polling },
  )
}

/** Presses Deploy, and waits until the flows run and the editor no longer shows any unsaved changes. */
export async function deploy(page: Page): Promise<void> {
  // Node-RED answers a deploy before the flows run. The editor gets a message when they have stopped and started.
  await page.evaluate(() => {
    const editor = window as unknown as { RED: EditorRed; states?: string[] }
    if (!editor.states) editor.RED.events.on('runtime-state', ({ state }) => editor.states?.push(state ?? ''))
    editor.states = []
  })
  await page.locator('#red-ui-header-button-deploy').click()
  const isStarted = () => {
    const { states = [] } = window as unknown as { states?: string[] }
    return states.includes('stop') && states.lastIndexOf('start') > states.indexOf('stop')
  }
  await page.waitForFunction(isStarted, undefined, { polling })
  // The editor disables the button as soon as it is pressed, but clears its mark of unsaved changes only when the
  // server has answered. Until then, the buttons of changed nodes do nothing.
  await page.waitForFunction(() => !(window as unknown as { RED: EditorRed }).RED.nodes.dirty(), undefined, { polling })
}

/** Whether the editor finds an error in a node; waits until the canvas shows this state, because it is drawn later. */
export async function isMarked(page: Page, id: string): Promise<boolean> {
  const marked = await page.evaluate((wanted) => {
    const node = (window as unknown as { RED: EditorRed }).RED.nodes.node(wanted)
    if (!node) throw new Error(`no node ${wanted}`)
    return node.valid === false
  }, id)
  await page.locator(`[id="${id}"]`).waitFor()
  await page.locator(`[id="${id}"] .red-ui-flow-node-error`).waitFor({ state: marked ? 'visible' : 'hidden' })
  return marked
}

/** The stored settings of a node, as the editor has them. */
export function settingsOf(page: Page, id: string): Promise<Record<string, unknown>> {
  return page.evaluate((wanted) => {
    const { RED } = window as unknown as { RED: EditorRed }
    const node = RED.nodes.node(wanted)
    if (!node) throw new Error(`no node ${wanted}`)
    return JSON.parse(JSON.stringify(RED.nodes.convertNode(node, false))) as Record<string, unknown>
  }, id)
}

interface JQueryLike {
  fx: { off: boolean }
  ajaxPrefilter(
    kind: 'script',
    filter: (options: { url?: string }, own: object, request: { abort(): void }) => void,
  ): void
}

interface EditorRed {
  nodes: {
    node(id: string): { readonly valid?: boolean } | null
    convertNode(node: object, credentials: boolean): object
    version(revision: string | null): void
    import(flows: readonly object[]): void
    clear(): void
    dirty(isDirty?: boolean): boolean
  }
  events: {
    on(event: 'runtime-state', listener: (message: { state?: string }) => void): void
  }
  history: { clear(): void }
  view: { redraw(all: boolean): void }
}
