/**
 * Secrets that a person types appear neither in exported flows, nor in what the editor receives, nor in diagnostics or
 * the flow files.
 *
 * @rest
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import type { Browser, Page } from 'playwright-core'
import {
  closeDialog,
  deploy,
  dragNode,
  launchBrowser,
  openDialog,
  openEditor,
  openNode,
  settingsOf,
  startNodeRed,
  type EditorPage,
  type NodeRed,
} from '../support/node-red/editor'

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
