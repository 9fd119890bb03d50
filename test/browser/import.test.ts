/**
 * Every example is imported without a mark on any node; three of them with the editor's Import dialog, and these are
 * deployed and started, as a person does it. Other tests run each example to its end, without a browser.
 *
 * @rest
 */
import should from 'should'
import type { Browser, Page } from 'playwright-core'
import { runs } from '../support/examples/example-runs'
import { startLeaseDatabase, type LeaseDatabase } from '../support/servers/lease-database'
import { read } from '../support/house'
import { temporaryFolder } from '../support/temporary-folder'
import {
  deploy,
  emptyEditor,
  launchBrowser,
  resetSandbox,
  startNodeRed,
  type EditorPage,
  type NodeRed,
} from '../support/node-red/editor'
import { showDebug } from './support/debug'

interface Item {
  readonly id: string
  readonly type: string
  readonly name?: string
  readonly label?: string
  readonly z?: string
}

/** A plain example, one into which an address has to be filled, and one with a subflow. */
const byDialog = ['01-tour', '20-yearly-renewals-from-postgresql', '19-several-companies'] as const

const address = 'http://127.0.0.1:1880'

describe('an example imported in the editor', () => {
  const files = temporaryFolder()
  let browser: Browser
  let red: NodeRed
  let page: EditorPage | undefined
  let leases: LeaseDatabase
  before(async () => {
    leases = await startLeaseDatabase()
    red = await startNodeRed({ settings: { fileWorkingDirectory: files.path }, modules: ['pg'] })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
    await leases?.stop()
    files.remove()
  })

  it('comes in unmarked, whichever it is', async () => {
    page = await emptyEditor(page, browser, red)
    for (const name of Object.keys(runs)) {
      await page.evaluate(
        (text) => {
          const { RED } = window as unknown as { RED: EditorRed }
          RED.nodes.clear()
          RED.nodes.import(JSON.parse(text) as object[])
          RED.view.redraw(true)
        },
        read('examples', `${name}.json`),
      )
      should(await markedIn(page)).deepEqual([], name)
    }
    should(page.errors.splice(0)).deepEqual([])
  })

  for (const name of byDialog) {
    it(`${name} comes in by the dialog and begins to run`, async () => {
      const [first] = runs[name] ?? []
      await resetSandbox(red)
      page = await emptyEditor(page, browser, red)
      const begun = red.output().length
      await bringIn(page, name, (text) => leases.at(text.replaceAll(address, red.url)))
      const flow = JSON.parse(read('examples', `${name}.json`)) as Item[]
      const label = flow.find(({ type }) => type === 'tab')?.label ?? ''
      await page.locator('#red-ui-workspace-tabs .red-ui-tab', { hasText: label }).click()
      await page.locator('.red-ui-flow-node-group').first().waitFor()
      should(await markedIn(page)).deepEqual([])
      await showDebug(page)
      await deploy(page)
      for (const button of first?.press ?? []) {
        const inject = flow.find((node) => node.type === 'inject' && node.name === button)
        const id = await idOf(page, inject?.name ?? '')
        const pressed = page.waitForResponse((one) => one.url().endsWith(`/inject/${id}`))
        await page.locator(`[id="${id}"] .red-ui-flow-node-button-button`).dispatchEvent('click')
        should((await pressed).status()).equal(200)
      }
      const [spoken] = first?.speak ?? []
      if (spoken !== undefined) await page.getByText(`node: ${spoken}`, { exact: true }).last().waitFor()
      const problems = page.locator('.red-ui-debug-msg-level-20, .red-ui-debug-msg', {
        hasText: /node: (tour: )?problem$/m,
      })
      should(await problems.allInnerTexts()).deepEqual([])
      should(red.output().slice(begun)).not.match(/\[error\]/)
      should(page.errors.splice(0)).deepEqual([])
    })
  }
})

/**
 * Uses Menu, Import with the package's examples. If the address of Node-RED or of a database has to be filled in, as
 * the example's comment says, pastes the changed example instead.
 */
async function bringIn(page: Page, name: string, adapt: (text: string) => string): Promise<void> {
  const text = read('examples', `${name}.json`)
  const adapted = adapt(text)
  await page.locator('#red-ui-header-button-sidemenu').click()
  await page.locator('#menu-item-import').click()
  const dialog = page.locator('.ui-dialog', { has: page.locator('#red-ui-clipboard-dialog') })
  await dialog.waitFor()
  if (adapted !== text) {
    // Pastes everything at once, because typing it would take the browser a second.
    const field = dialog.locator('#red-ui-clipboard-dialog-import-text')
    await field.evaluate((input, pasted) => Object.assign(input, { value: pasted }), adapted)
    await field.press('End')
  } else {
    await dialog.locator('.red-ui-tab', { hasText: 'Examples' }).click()
    await dialog.getByText('@eid-flows/node-red-eid').click()
    await dialog.getByText(name, { exact: true }).click()
  }
  await dialog.locator('#red-ui-clipboard-dialog-ok:not([disabled])').click()
  await dialog.waitFor({ state: 'hidden' })
  // The notice about the import covers the tabs for five seconds; a click removes it.
  await page
    .locator('.red-ui-notification')
    .evaluateAll((notes) => notes.forEach((note) => note.dispatchEvent(new MouseEvent('click'))))
}

interface EditorRed {
  nodes: {
    clear(): void
    import(nodes: object[]): void
    eachNode(use: (node: Item & { valid?: boolean }) => void): void
    eachConfig(use: (node: Item & { valid?: boolean }) => void): void
  }
  view: { redraw(all: boolean): void }
}

/** The nodes in which the editor finds an error. */
function markedIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { RED } = window as unknown as { RED: EditorRed }
    const marked: string[] = []
    RED.nodes.eachNode((node) => node.valid === false && marked.push(`${node.type} ${node.name ?? ''}`))
    RED.nodes.eachConfig((node) => node.valid === false && marked.push(`${node.type} ${node.name ?? ''}`))
    return marked
  })
}

/** The id of a node; imported nodes get new ids. */
function idOf(page: Page, name: string): Promise<string> {
  return page.evaluate((wanted) => {
    const { RED } = window as unknown as { RED: { nodes: { filterNodes(by: object): Item[] } } }
    const found = RED.nodes.filterNodes({ type: 'inject' }).find((node) => node.name === wanted)
    if (!found) throw new Error(`there is no button "${wanted}"`)
    return found.id
  }, name)
}
