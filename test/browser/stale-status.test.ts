/**
 * A status below a node is cleared when it is no longer true: after a client was switched from the sandbox to the live
 * service, after a deploy, and after a restart. A second sandbox acts as the live service.
 *
 * @rest
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { startService, type Service } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import {
  closeDialog,
  deploy,
  launchBrowser,
  openDialog,
  openEditor,
  openNode,
  settingsOf,
  type EditorPage,
} from '../support/node-red/editor'
import { startRuntime } from '../support/node-red/installed'
import { linkPackage } from '../support/node-red/user-folder'

const list = { z: 'f', client: 'c', operation: 'list', wires: [[]] }
const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'c', type: 'eid-client', environment: 'sandbox' },
  { ...list, id: 'documents', type: 'eid-document', x: 320, y: 100 },
  { ...list, id: 'deposits', type: 'eid-deposit', x: 320, y: 200 },
  { id: 'still', type: 'eid-client', environment: 'sandbox' },
  { ...list, id: 'other', client: 'still', type: 'eid-document', x: 320, y: 300 },
]
const nodes = ['documents', 'deposits']

describe('the status of the sandbox', () => {
  const userDir = temporaryFolder()
  let live: Service
  before(async () => (live = await startService()))
  after(async () => {
    await live.close()
    userDir.remove()
  })

  it('is stored by no deploy, and is gone after going live and a restart', async () => {
    linkPackage(userDir.path)
    const browser = await launchBrowser()
    let red = await start(userDir.path, flows)
    try {
      let page = await openEditor(browser, red)
      for (const id of nodes) await until(async () => (await statusOf(page, id)) === 'sandbox')
      for (const id of nodes) should(JSON.stringify(await settingsOf(page, id))).not.containEql('ring')
      await goLive(page, live.url)
      await deploy(page)
      for (const id of nodes) await until(async () => (await statusOf(page, id)) === '')
      const stored = JSON.parse(readFileSync(join(userDir.path, 'flows.json'), 'utf8')) as Record<string, unknown>[]
      should(stored.find(({ id }) => id === 'c')?.environment).equal('live')
      should(stored.filter((node) => JSON.stringify(node).includes('ring'))).deepEqual([])

      await red.stop()
      red = await start(userDir.path, stored)
      await page.context().close()
      page = await openEditor(browser, red)
      // The editor gets all statuses at the same time.
      await until(async () => (await statusOf(page, 'other')) === 'sandbox')
      for (const id of nodes) should(await statusOf(page, id)).equal('')
      should(page.errors).deepEqual([])
    } finally {
      await browser.close()
      await red.stop()
    }
  })
})

const start = (userDir: string, own: readonly object[]) =>
  startRuntime(
    { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') },
    userDir,
    own,
    {
      editorTheme: { tours: false, projects: { enabled: false } },
    },
  )

/** The text below the node on the canvas. */
async function statusOf(page: EditorPage, id: string): Promise<string> {
  const shown = page.locator(`[id="${id}"] .red-ui-flow-node-status-label`)
  return (await shown.isVisible()) ? ((await shown.textContent()) ?? '').trim() : ''
}

/** Switches the client of the first node to the live service, as a person does. */
async function goLive(page: EditorPage, address: string): Promise<void> {
  await openNode(page, nodes[0] ?? '')
  await page.locator('#node-input-btn-client-edit').click()
  const dialog = await openDialog(page)
  await dialog.locator('#node-config-input-environment').selectOption('live')
  const answer = page.getByRole('button', { name: 'Switch' })
  await answer.click()
  await answer.waitFor({ state: 'detached' })
  await dialog.locator('#node-config-input-baseUrl').fill(address)
  await dialog.locator('#node-config-input-clientId').fill('sandbox')
  await dialog.locator('#node-config-input-clientSecret').fill('sandbox')
  await closeDialog(page)
  await closeDialog(page)
}
