/**
 * The main job as a person does it: drag, wire, fill in, deploy, press the button, sign in the signer app, and see the
 * signed document in the debug sidebar.
 */
import type { Page } from 'playwright-core'
import { until } from '../support/time'
import { showDebug } from './support/debug'
import { useEditor } from './support/desk'
import { closeDialog, deploy, dragNode, openNode, type EditorPage } from '../support/node-red/editor'
import { openLink, showSidebar } from './support/sidebar'
import { drawWire } from './support/wire'

describe('the main job in a browser', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  it('creates a document with nodes that were dragged, wired and filled in, and ends when it is signed', async () => {
    const inject = await dragNode(page, 'inject', 100, 120)
    const create = await dragNode(page, 'eid-create-document', 330, 120)
    const wait = await dragNode(page, 'eid-wait', 610, 120)
    const debug = await dragNode(page, 'debug', 330, 220)
    await drawWire(page, inject, create)
    await drawWire(page, create, wait)
    await drawWire(page, wait, debug)

    const form = await openNode(page, create)
    await typed(page, 'title').fill('Rental agreement')
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: 'lease.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 A lease') })
    await form.getByText('lease.pdf is now on the server.').waitFor()
    await typed(page, 'contactEmail').fill('kari.nordmann@example.com')
    await form.getByRole('tab', { name: 'Signers' }).click()
    await form.getByRole('button', { name: 'add signer' }).click()
    for (const [cell, value] of [
      ['firstName', 'Ola'],
      ['lastName', 'Nordmann'],
      ['email', 'ola.nordmann@example.com'],
    ]) {
      await form.locator(`[data-cell="${cell}"] .red-ui-typedInput-input`).fill(value ?? '')
    }
    await closeDialog(page)

    await deploy(page)
    await page.locator(`[id="${inject}"] .red-ui-flow-node-button-button`).click()
    const statusOf = (id: string, text: string) =>
      page.locator(`[id="${id}"] .red-ui-flow-node-status-label`, { hasText: text }).waitFor()
    await statusOf(wait, 'waiting for Ola')
    await sign(page)
    await statusOf(wait, 'signed')
    await showDebug(page)
    // The entries of a message appear one after the other.
    const message = page.locator('.red-ui-debug-msg').last()
    await until(async () => /Rental agreement/.test(await message.innerText()))
  })
})

/** Opens the link of the signer from the tab eID, and signs. */
async function sign(page: Page): Promise<void> {
  await showSidebar(page, page.getByRole('button', { name: /^Open the link/ }))
  const app = await openLink(page)
  await app.getByRole('button', { name: 'Sign', exact: true }).click()
  await app.getByText('Signed.').waitFor()
  await app.close()
}

const typed = (page: Page, name: string) =>
  page.locator(`.form-row[data-row="${name}"] .red-ui-typedInput-input`).first()
