/** The main job as a person does it: drag, wire, fill in, deploy, press the button, read the debug sidebar. @rest */
import type { Page } from 'playwright-core'
import { insist, until } from '../support/time'
import { useEditor } from './support/desk'
import {
  closeDialog,
  deploy,
  dragNode,
  openDialog,
  openNode,
  patience,
  type EditorPage,
} from '../support/node-red/editor'
import { drawWire } from './support/wire'

const payload = {
  contactDetails: { email: 'kari.nordmann@example.com' },
  dataToSign: { fileName: 'a.txt', base64Content: 'QUJD' },
  signers: [
    {
      externalSignerId: 'ola-1',
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    },
  ],
}

describe('the main job in a browser', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  it('creates a document with nodes that were dragged, wired and filled in', async () => {
    const inject = await dragNode(page, 'inject', 140, 120)
    const create = await dragNode(page, 'eid-create-document', 380, 120)
    const debug = await dragNode(page, 'debug', 640, 120)
    await drawWire(page, inject, create)
    await drawWire(page, create, debug)

    const form = await openNode(page, create)
    await form.locator('#node-input-name').fill('contract')
    await form.locator('#node-input-btn-client-add').click()
    await openDialog(page)
    await closeDialog(page)
    await typed(page, 'title').fill('Rental agreement')
    await form.getByRole('tab', { name: 'More' }).click()
    await chooseType(page, 'body', 'msg')
    await typed(page, 'body').fill('payload')
    await closeDialog(page)

    const injectForm = await openNode(page, inject)
    await injectForm.locator('.red-ui-typedInput-type-select').nth(1).click()
    await page.locator('.red-ui-typedInput-options:visible a', { hasText: /JSON/ }).click()
    await injectForm.locator('.red-ui-typedInput-input:visible').nth(1).fill(JSON.stringify(payload))
    await closeDialog(page)

    await deploy(page)
    await page.keyboard.press('Control+g')
    await page.keyboard.press('d')
    await page.locator(`[id="${inject}"] .red-ui-flow-node-button-button`).click()
    const message = page.locator('.red-ui-debug-msg').last()
    await message.locator('.red-ui-debug-msg-object-key', { hasText: 'documentId' }).or(message).first().waitFor()
    const handle = message.locator('.red-ui-debug-msg-row .red-ui-debug-msg-object-handle').first()
    const entry = message.locator('.red-ui-debug-msg-object-entry', { hasText: 'documentId' }).first()
    // While messages arrive, the list may miss a click, so this clicks again.
    await insist(
      async () => (await entry.isVisible()) || (await handle.click()),
      (timeout) => entry.waitFor({ timeout }),
      patience / 1000,
    )
    // The entries of a message that is opened appear one after the other.
    const shows = async (text: RegExp) => until(async () => text.test(await message.innerText()))
    await shows(/documentId:\s*"[\da-f-]{36}"/)
    await shows(/title:\s*"Rental agreement"/)
  })
})

/** The typed input of a setting. */
const typedInput = (page: Page, name: string) =>
  page.locator(`.form-row[data-row="${name}"] .red-ui-typedInput-container`).first()

const typed = (page: Page, name: string) => typedInput(page, name).locator('.red-ui-typedInput-input')

async function chooseType(page: Page, name: string, label: string): Promise<void> {
  await typedInput(page, name).locator('.red-ui-typedInput-type-select').click()
  await page.locator('.red-ui-typedInput-options:visible a', { hasText: label }).first().click()
}
