/**
 * Takes the pictures of the README from the running package: into docs/images with PICTURES=docs, otherwise into a
 * folder that is not part of the project.
 *
 * @rest
 */
import should from 'should'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { exists, filesBelow, read, root, readExample } from '../support/house'
import { until } from '../support/time'
import { temporaryFolder } from '../support/temporary-folder'
import { launchBrowser, openEditor, openNode, settingsOf, startNodeRed, type NodeRed } from '../support/node-red/editor'
import { showDebug } from './support/debug'

const folder = join(root, ...(process.env.PICTURES === 'docs' ? ['docs', 'images'] : ['.cache', 'pictures']))
const limit = 150_000
// The tour does not run at the start, so that the picture shows a single run.
const tour = (JSON.parse(readExample('Tour')) as { once?: boolean }[]).map((node) =>
  node.once ? { ...node, once: false } : node,
)

/** The first flow of the README, and an address that returns the link of its signer. */
const create = {
  type: 'eid-create-document',
  client: 'e1d0c11e47000001',
  title: 'Rental agreement',
  description: 'Storgata 1, from 1 March',
  file: 'rental-agreement.pdf',
  fileType: 'path',
  fileName: 'rental-agreement.pdf',
  fileNameType: 'str',
  contactEmail: 'kari.nordmann@example.com',
  signersType: 'form',
  signersRows: [
    {
      externalSignerId: 'signer-1',
      firstName: 'Ola',
      lastName: 'Nordmann',
      email: 'ola.nordmann@example.com',
      redirectMode: 'donot_redirect',
      mechanism: 'pkisignature',
    },
  ],
}
const place = { z: 'first', y: 100 }
const button = { props: [], repeat: '', crontab: '', once: false }
const behind = { z: 'behind' }
const tellLink = 'msg.payload = msg.signers[0].url; return msg'
const first = [
  { id: 'first', type: 'tab', label: 'My first flow' },
  { ...place, id: 'inject', type: 'inject', name: 'send it', x: 120, wires: [['create']], ...button },
  { ...place, ...create, id: 'create', x: 280, wires: [['wait']] },
  { ...place, id: 'wait', type: 'eid-wait', client: create.client, x: 490, wires: [[], [], []] },
  { ...behind, id: 'ask', type: 'http in', url: '/link', method: 'get', wires: [['make']] },
  { ...behind, ...create, id: 'make', wires: [['tell']] },
  { ...behind, id: 'tell', type: 'function', func: tellLink, outputs: 1, wires: [['answer']] },
  { ...behind, id: 'answer', type: 'http response', wires: [] },
  { id: 'behind', type: 'tab', label: 'Pages' },
]

/** The list of the third example, and an address that returns the links of its tenants. */
type Node = { readonly id: string; readonly type: string; readonly wires?: string[][] }
const listed = 'e1d0c11e47000001'
const keepLinks = `const links = global.get('links') || []
links.push({ title: msg.payload.title, url: msg.signers[0].url })
global.set('links', links)`
const list = [
  ...(JSON.parse(readExample('From Excel and Word to signed files')) as Node[])
    .filter(({ id }) => id !== listed)
    .map((node) =>
      node.type === 'eid-create-document' ? { ...node, wires: [[...(node.wires?.[0] ?? []), 'keep']] } : node,
    ),
  { ...behind, id: 'keep', type: 'function', func: keepLinks, outputs: 0, wires: [] },
  { ...behind, id: 'asks', type: 'http in', url: '/links', method: 'get', wires: [['links']] },
  {
    ...behind,
    id: 'links',
    type: 'function',
    func: "msg.payload = global.get('links') || []; return msg",
    wires: [['answers']],
  },
  { ...behind, id: 'answers', type: 'http response', wires: [] },
]
const small = { width: 515, height: 480 }

describe('the pictures of the README', () => {
  let red: NodeRed
  let browser: Browser
  let link = ''
  const files = temporaryFolder()
  const taken: string[] = []

  before(async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(files.path, create.file), '%PDF-1.4 Rental agreement')
    red = await startNodeRed({ flows: [...tour, ...first, ...list], settings: { fileWorkingDirectory: files.path } })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
    files.remove()
  })

  /** Saves a picture of the page; fails if the picture is too large for a README. */
  const take = async (page: Page, name: string, clip?: Clip) => {
    const path = join(folder, `${name}.png`)
    await page.screenshot({ path, animations: 'disabled', ...(clip ? { clip } : {}) })
    should(statSync(path).size).be.within(5_000, limit)
    taken.push(`${name}.png`)
  }

  it('show the tour and what it said', async () => {
    const page = await openEditor(browser, red, { width: 1220, height: 600 })
    await showDebug(page)
    await page.locator('.red-ui-tab', { hasText: 'Tour' }).first().click()
    for (let step = 0; step < 3; step++) await page.keyboard.press('Control+-')
    const start = page.locator('.red-ui-flow-node-group', { hasText: 'run the tour' })
    await start.locator('.red-ui-flow-node-button-button').click()
    await page.locator('.red-ui-debug-msg', { hasText: 'tour: end' }).last().waitFor()
    await page.locator('.red-ui-flow-node-group', { hasText: 'wait for the answer' }).getByText('identified').waitFor()
    const marked = page.locator('.red-ui-flow-node-group', { has: page.locator('.red-ui-flow-node-error:visible') })
    should(await marked.allTextContents()).deepEqual([])
    await onlyOurPalette(page)
    await quiet(page)
    await take(page, 'tour')
    should(page.errors).deepEqual([])
    await page.context().close()
  })

  it('show the filled form of create document', async () => {
    const page = await openEditor(browser, red, { width: 1180, height: 760 })
    await page.locator('.red-ui-tab', { hasText: 'My first flow' }).first().click()
    const dialog = await openNode(page, 'create')
    await dialog.locator('[data-row="title"]').waitFor()
    should(await settingsOf(page, 'create')).have.property('title', 'Rental agreement')
    await take(page, 'create-document')
    await dialog.locator('#eid-tab-signers').click()
    await dialog.locator('.eid-block').first().waitFor()
    await take(page, 'signers')
    should(page.errors).deepEqual([])
    await page.context().close()
  })

  it('show the first flow and whom it waits for', async () => {
    const page = await openEditor(browser, red, { width: 1180, height: 520 })
    await page.locator('.red-ui-tab', { hasText: 'My first flow' }).first().click()
    await page.locator('[id="inject"] .red-ui-flow-node-button-button').click()
    await page.locator('[id="wait"]').getByText('waiting for Ola').waitFor()
    await page.evaluate(() => {
      const { RED } = window as unknown as { RED: { actions: { invoke(name: string): void } } }
      RED.actions.invoke('eid:show-eid-tab')
    })
    await page.getByRole('button', { name: /^Open the link/ }).waitFor()
    await onlyOurPalette(page)
    await quiet(page)
    await take(page, 'first-flow')
    link = await (await fetch(`${red.url}/link`)).text()
    should(link).match(/^http/)
    await page.context().close()
  })

  it('show the page of a signer', async () => {
    const page = await browser.newPage({ viewport: { width: 900, height: 620 } })
    await page.goto(link)
    await page.locator('#sign').waitFor()
    await take(page, 'signer')
    await page.close()
  })

  it('show the control room', async () => {
    const page = await browser.newPage({ viewport: { width: 1180, height: 760 } })
    await page.goto(new URL('/', link).href)
    await page.getByText('Rental agreement').first().waitFor()
    await take(page, 'control-room')
    await page.close()
  })

  it('show in three steps an Excel list, the page of a tenant, and the signed files', async () => {
    const page = await openEditor(browser, red, { width: 1180, height: 760 })
    await page.locator('.red-ui-tab', { hasText: 'From Excel' }).first().click()
    const dialog = await openNode(page, '0e84bc14373d7029')
    await dialog.locator('.eid-preview td').first().waitFor()
    await take(page, 'step-list', await clipAt(dialog.locator('[data-row="rows"]')))
    await dialog.locator('#node-dialog-cancel').click()
    await fetch(`${red.url}/inject/b05a62b867d14f0c`, { method: 'POST' })
    const links = async () => (await (await fetch(`${red.url}/links`)).json()) as { title: string; url: string }[]
    await until(async () => (await links()).length === 39)
    const [own, ...others] = (await links()).slice(0, 5)
    const tenant = await browser.newPage({ viewport: small })
    await tenant.goto(own?.url ?? '')
    await tenant.locator('#sign').waitFor()
    await take(tenant, 'step-sign')
    await tenant.close()
    const headers = { 'Content-Type': 'application/json' }
    for (const { url } of [...others]) {
      await fetch(url.replace(/\/sign\/start\?jwt=([^&]+).*/, '/sign/$1/sign'), { method: 'POST', headers, body: '{}' })
    }
    const kept = () => readdirSync(join(files.path, 'contracts')).filter((name) => name.includes('Lease'))
    await until(() => existsSync(join(files.path, 'contracts')) && kept().length === 4)
    await page.evaluate(() => {
      const { RED } = window as unknown as { RED: { actions: { invoke(name: string): void } } }
      RED.actions.invoke('eid:show-eid-tab')
    })
    await page.locator('.eid-section-title', { hasText: 'Waiting' }).click()
    await page.getByText('Open the file').nth(3).waitFor()
    await take(page, 'step-files', { x: 866, y: 48, width: 314, height: small.height })
    should(page.errors).deepEqual([])
    await page.context().close()
  })

  it('are those that the README refers to, all of them there and small', () => {
    const referred = [...read('README.md').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map((match) => match[1] ?? '')
    should(referred).not.be.empty()
    should(referred.filter((path) => !exists(path))).deepEqual([])
    should(referred.filter((path) => statSync(join(root, path)).size > limit)).deepEqual([])
    // Pictures of other pages are taken by the tests of those features.
    const pages = filesBelow('docs', '.md').map((path) => read(path))
    const isOthers = (path: string) => pages.some((page) => page.includes(`](${path.replace('docs/', '')})`))
    const all = filesBelow('docs/images', '.png').map((path) => path.replaceAll('\\', '/'))
    const stored = all.filter((path) => !isOthers(path))
    should(stored.sort()).deepEqual([...new Set(referred)].sort())
    should([...new Set(taken)].sort()).deepEqual(stored.map((path) => path.replace('docs/images/', '')))
  })
})

type Clip = { x: number; y: number; width: number; height: number }

/** A small clip that begins a little above and to the left of the element. */
async function clipAt(what: Locator): Promise<Clip> {
  const box = await what.boundingBox()
  return { x: (box?.x ?? 0) - 12, y: (box?.y ?? 0) - 12, ...small }
}

/** Filters the palette to our nodes, as a person does who looks for them. */
async function onlyOurPalette(page: Page): Promise<void> {
  await page.locator('#red-ui-palette-search input').pressSequentially('eid-')
  await page.locator('.red-ui-palette-node[data-palette-type="inject"]').waitFor({ state: 'hidden' })
}

/** Waits until no message of the editor covers the picture. */
async function quiet(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelectorAll('.red-ui-notification').length === 0)
}
