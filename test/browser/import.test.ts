/**
 * Flows that come into the editor and leave it. Every example is imported without a mark on any node; three of them with
 * the editor's Import dialog, and these are deployed and started, as a person does it. Other tests run each example to
 * its end, without a browser. Secrets that a person types leave the editor by no way.
 *
 * @rest
 */
import should from 'should'
import type { Browser, Page } from 'playwright-core'
import { runs } from '../support/examples/example-runs'
import { type LeaseDatabase, startLeaseDatabase } from '../support/servers/lease-database'
import { exampleFile, readExample } from '../support/house'
import { temporaryFolder } from '../support/temporary-folder'
import {
  type EditorPage,
  type NodeRed,
  closeDialog,
  deploy,
  dragNode,
  emptyEditor,
  launchBrowser,
  openDialog,
  openEditor,
  openNode,
  resetSandbox,
  settingsOf,
  startNodeRed,
} from '../support/node-red/editor'
import { showDebug } from './support/debug'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Item {
  readonly id: string
  readonly type: string
  readonly name?: string
  readonly label?: string
  readonly z?: string
}

/** A plain example, one into which an address has to be filled, and one with a subflow. */
const byDialog = ['Tour', 'Yearly renewals from PostgreSQL', 'Several companies'] as const

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
      await page.evaluate((text) => {
        const { RED } = window as unknown as { RED: EditorRed }
        RED.nodes.clear()
        RED.nodes.import(JSON.parse(text) as object[])
        RED.view.redraw(true)
      }, readExample(name))
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
      const flow = JSON.parse(readExample(name)) as Item[]
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
  const text = readExample(name)
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
    const [, folder = '', file = ''] = exampleFile(name)
      .replace(/\.json$/, '')
      .split(/[\\/]/)
    await dialog.getByText(folder, { exact: true }).click()
    await dialog.getByText(file, { exact: true }).click()
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

const typed = {
  clientId: 'typed-id-of-the-client',
  clientSecret: 'typed-secret-of-the-client',
  secret: 'typed-secret-of-the-webhook',
  secret2: 'typed-old-secret-of-the-webhook',
}

describe('secrets that were typed', () => {
  let red: NodeRed
  let browser: Browser
  let page: EditorPage
  let webhook: string
  let client: string

  before(async () => {
    red = await startNodeRed({ settings: { diagnostics: { enabled: true, ui: true } } })
    browser = await launchBrowser()
    page = await openEditor(browser, red)
    webhook = await dragNode(page, 'eid-webhook')
    const dialog = await openNode(page, webhook)
    await dialog.locator('#node-input-secret').fill(typed.secret)
    await dialog.locator('#node-input-secret2').fill(typed.secret2)
    await closeDialog(page)
    const document = await dragNode(page, 'eid-document', 300, 300)
    client = String((await settingsOf(page, document)).client)
    await openNode(page, document)
    await page.locator('#node-input-btn-client-edit').click()
    const inner = await openDialog(page)
    await inner.locator('#node-config-input-environment').selectOption('live')
    await inner.locator('#node-config-input-baseUrl').fill('https://api.example.com')
    await inner.locator('#node-config-input-clientId').fill(typed.clientId)
    await inner.locator('#node-config-input-clientSecret').fill(typed.clientSecret)
    await closeDialog(page)
    await closeDialog(page)
  })
  after(async () => {
    await browser.close()
    await red.stop()
  })

  /** Opens the export dialog, reads its JSON for this range and closes the dialog. */
  const exported = async (range: 'flow' | 'full') => {
    await page.evaluate(() => (window as unknown as Editor).RED.actions.invoke('core:show-export-dialog'))
    const dialog = page.locator('#red-ui-clipboard-dialog')
    await dialog.waitFor()
    await page.locator(`#red-ui-clipboard-dialog-export-rng-${range}`).click()
    await page
      .locator(
        '#red-ui-clipboard-dialog-export-tab-clipboard-json, [href="#red-ui-clipboard-dialog-export-tab-clipboard-json"]',
      )
      .first()
      .waitFor({ state: 'attached' })
    const text = await page.locator('#red-ui-clipboard-dialog-export-text').inputValue()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    return text
  }
  const shouldHoldNone = (text: string) => {
    for (const secret of Object.values(typed)) should(text.includes(secret)).be.false()
  }

  it('are not exported before they are deployed', async () => {
    const all = await exported('full')
    should(all).containEql(webhook).and.containEql(client)
    shouldHoldNone(all)
  })

  describe('and deployed', () => {
    before(() => deploy(page))

    for (const range of ['flow', 'full'] as const) {
      it(`are not exported with ${range === 'flow' ? 'the flow' : 'all flows'}`, async () => {
        const text = await exported(range)
        should(text).containEql(webhook).and.containEql(client)
        shouldHoldNone(text)
      })
    }

    it('are not in what the editor is given', async () => {
      const flows = await get(page, '/flows')
      should(flows).containEql(webhook).and.containEql(client)
      shouldHoldNone(flows)
      for (const path of ['/settings', '/nodes', '/diagnostics']) shouldHoldNone(await get(page, path))
      should(await get(page, '/diagnostics')).containEql('"report":"diagnostics"')
    })

    it('are reported only as present', async () => {
      for (const path of [`/credentials/eid-client/${client}`, `/credentials/eid-webhook/${webhook}`]) {
        const answer = await get(page, path)
        should(answer).match(/"has_(clientSecret|secret)":true/)
        for (const secret of [typed.clientSecret, typed.secret, typed.secret2]) should(answer).not.containEql(secret)
      }
    })

    it('are not in the file of the flows, and encrypted in the file of the credentials', () => {
      const flows = readFileSync(join(red.userDir, 'flows.json'), 'utf8')
      should(flows).containEql(webhook).and.containEql(client)
      shouldHoldNone(flows)
      const credentials = readFileSync(join(red.userDir, 'flows_cred.json'), 'utf8')
      should(Object.keys(JSON.parse(credentials) as object)).deepEqual(['$'])
      shouldHoldNone(credentials)
      for (const backup of ['.flows.json.backup', '.flows_cred.json.backup']) {
        if (existsSync(join(red.userDir, backup))) shouldHoldNone(readFileSync(join(red.userDir, backup), 'utf8'))
      }
    })

    it('are not in the log, nor in the page after a reload', async () => {
      shouldHoldNone(red.output())
      const again = await openEditor(browser, red)
      await openNode(again, webhook)
      should(await again.locator('#node-input-secret').inputValue()).not.equal(typed.secret)
      shouldHoldNone(await again.content())
      await again.context().close()
    })
  })
})

interface Editor {
  RED: { actions: { invoke(name: string): void } }
}

async function get(page: Page, path: string): Promise<string> {
  const answer = await page.request.get(new URL(path, page.url()).href)
  should(answer.status()).equal(200)
  return answer.text()
}
