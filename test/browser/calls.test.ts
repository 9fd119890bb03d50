/**
 * The forms of document, share and deposit show the settings of the chosen operation, and mark the missing ones.
 *
 * @rest
 */
import should from 'should'
import type { Locator } from 'playwright-core'
import { useEditor } from './support/desk'
import {
  accessibilityFindings,
  closeDialog,
  deploy,
  dragNode,
  openNode,
  settingsOf,
  type EditorPage,
} from '../support/node-red/editor'
import { drawWire } from './support/wire'

describe('a node of many operations', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  const open = async (type: string, operation: string) => {
    const id = await dragNode(page, type, 300, 200)
    const dialog = await openNode(page, id)
    await choose(dialog, operation)
    return { id, dialog }
  }
  const choose = (dialog: Locator, operation: string) => dialog.locator('#node-input-operation').selectOption(operation)
  const shownRows = (dialog: Locator) =>
    dialog
      .locator('.form-row[data-row]:visible')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.row ?? ''))
  const tabs = (dialog: Locator) => dialog.locator('.eid-tabs button:visible').allTextContents()
  const starred = (dialog: Locator) =>
    dialog.locator('.form-row[data-row]:visible').evaluateAll((rows) =>
      rows.flatMap((row) => {
        const star = row.querySelector<HTMLElement>('label .eid-star')
        return star && star.style.display !== 'none' ? [(row as HTMLElement).dataset.row ?? ''] : []
      }),
    )
  const picture = async (name: string) => {
    if (process.env.EID_PICTURES) await page.screenshot({ path: `${process.env.EID_PICTURES}/${name}.png` })
  }
  const type = async (dialog: Locator, name: string, value: string) => {
    const input = dialog.locator(`.form-row[data-row="${name}"] .red-ui-typedInput-input`).first()
    await input.fill(value)
  }

  it('groups what can be done with a document, and puts a star where that needs it', async () => {
    const { dialog } = await open('eid-document', 'addAttachment')
    const groups = await dialog.locator('optgroup').evaluateAll((all) => all.map((one) => one.getAttribute('label')))
    should(groups).deepEqual(['Document', 'Signers', 'Attachments', 'Files and log'])
    should(await starred(dialog)).deepEqual(['documentId', 'title', 'file'])
    await picture('document-attachment')
    await choose(dialog, 'update')
    should(await starred(dialog)).deepEqual(['documentId'])
    should(await shownRows(dialog)).deepEqual([
      'name',
      'client',
      'operation',
      'documentId',
      'title',
      'description',
      'deadline',
      'contactEmail',
      'more',
      'body',
    ])
    await choose(dialog, 'addSigner')
    await picture('document-signer')
    should(await accessibilityFindings(page, '.eid-form')).deepEqual([])
  })

  it('shows tabs of a share where there is something to fill in, and a sign where something is missing', async () => {
    const { id, dialog } = await open('eid-share', 'get')
    should(await tabs(dialog)).deepEqual([])
    should(await shownRows(dialog)).deepEqual(['name', 'client', 'operation', 'shareId'])
    await choose(dialog, 'change')
    should(await tabs(dialog)).deepEqual(['Share', 'More'])
    await choose(dialog, 'addRecipient')
    should(await tabs(dialog)).deepEqual(['Recipient', 'Identification', 'More'])
    await type(dialog, 'firstName', 'Kari')
    await picture('share-missing')
    // The tab Identification also lacks a setting.
    should(await dialog.locator('.eid-tab-mark').count()).equal(2)
    should(await starred(dialog)).containEql('lastName')
    const all = {
      lastName: 'Nordmann',
      email: 'kari.nordmann@example.com',
      mobileCountryCode: '47',
      mobileNumber: '99999999',
    }
    for (const [name, value] of Object.entries({ ...all, uploads: 'slip', expires: '2031-01-01T00:00:00+01:00' }))
      await type(dialog, name, value)
    should(await dialog.locator('.eid-tab-mark').count()).equal(1)
    await dialog.locator('#eid-tab-identify .eid-tab-mark').waitFor()
    await dialog.locator('#eid-tab-identify').click()
    await type(dialog, 'ssn', '00000000000')
    should(await dialog.locator('.eid-tab-mark').count()).equal(0)
    await picture('share-identify')
    await choose(dialog, 'removeRecipient')
    should(await tabs(dialog)).deepEqual([])
    should(await starred(dialog)).deepEqual(['shareId', 'recipientId'])
    await choose(dialog, 'addRecipient')
    should(await accessibilityFindings(page, '.eid-form')).deepEqual([])
    await closeDialog(page)
    should(await settingsOf(page, id)).have.properties({
      operation: 'addRecipient',
      firstName: 'Kari',
      uploads: 'slip',
    })
  })

  it('creates a deposit from the form, and shows the result below the node', async () => {
    const { id, dialog } = await open('eid-deposit', 'create')
    should(await tabs(dialog)).deepEqual(['Deposit', 'Tenants', 'Landlord', 'Home', 'More'])
    await type(dialog, 'monthlyRent', '9000')
    await picture('deposit-missing')
    // The tabs Deposit, Tenants and Landlord lack settings.
    should(await dialog.locator('.eid-tab-mark').count()).equal(3)
    await type(dialog, 'depositFactor', '3')
    await dialog.locator('#eid-tab-tenants').click()
    await dialog.locator('.red-ui-editableList-addButton:visible').click()
    const cell = (name: string) => dialog.locator(`[data-cell="${name}"] .red-ui-typedInput-input`)
    await cell('firstName').fill('Ola')
    await cell('lastName').fill('Nordmann')
    await cell('email').fill('ola.nordmann@example.com')
    await picture('deposit-tenants')
    await dialog.locator('#eid-tab-landlord').click()
    await type(dialog, 'landlordName', 'Kari Nordmann')
    await picture('deposit-landlord')
    should(await dialog.locator('.eid-tab-mark').count()).equal(0)
    should(await accessibilityFindings(page, '.eid-form')).deepEqual([])
    await closeDialog(page)
    const inject = await dragNode(page, 'inject', 100, 200)
    await drawWire(page, inject, id)
    await deploy(page)
    await page.locator(`[id="${inject}"] .red-ui-flow-node-button`).click()
    await page.locator(`[id="${id}"] .red-ui-flow-node-status-label`, { hasText: 'deposit created' }).waitFor()
    await picture('deposit-created')
  })

  it('offers the known calls of request, and takes the method of the one that is chosen', async () => {
    const id = await dragNode(page, 'eid-request', 300, 200)
    const dialog = await openNode(page, id)
    const path = dialog.locator('.form-row[data-row="path"] .red-ui-typedInput-input')
    await path.click()
    await path.pressSequentially('resend', { delay: 30 })
    const offered = page.locator(
      '.red-ui-autoComplete-container .red-ui-menu-label:visible, .red-ui-autoComplete-container a:visible',
    )
    await offered.first().click()
    await picture('request-chosen')
    await closeDialog(page)
    should(await settingsOf(page, id)).have.properties({
      method: 'POST',
      path: '/share/buckets/{shareId}/resendNotificationToRecipient/{recipientId}',
    })
  })
})
