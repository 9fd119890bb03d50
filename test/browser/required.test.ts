/** What a form asks for in a real editor: stars, reasons, marks of tabs and nodes, and the settings of an operation. @rest */
import should from 'should'
import type { Locator } from 'playwright-core'
import { useEditor } from './support/desk'
import {
  type EditorPage,
  accessibilityFindings,
  closeDialog,
  deploy,
  dragNode,
  isMarked,
  settingsOf,
} from '../support/node-red/editor'
import { openForm } from './support/walked-form'
import { drawWire } from './support/wire'

describe('what has to be filled in', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))
  const reason = (dialog: Locator, row: string) => dialog.locator(`[data-row="${row}"] .eid-reason`).innerText()
  const fill = (dialog: Locator, row: string, text: string) =>
    dialog.locator(`[data-row="${row}"] .red-ui-typedInput-input`).fill(text)
  const tab = (dialog: Locator, name: string) => dialog.locator(`#eid-tab-${name}`).click()

  it('carries a star, and is asked for as soon as one field of the request is filled in', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openForm(page, id)
    const starred = await dialog
      .locator('.form-row:has(.eid-star:not([style*=none]))')
      .evaluateAll((rows) => rows.map((row) => row.dataset.row))
    should(starred).deepEqual(['title', 'file', 'contactEmail', 'signers'])
    should(await dialog.locator('.eid-reason:not(:empty)').count()).equal(0)
    await fill(dialog, 'title', 'Lease')
    should(await reason(dialog, 'contactEmail')).match(/Contact e-mail is missing/)
    const sign = dialog.locator('#eid-tab-signers .eid-tab-mark')
    await sign.waitFor()
    await tab(dialog, 'signers')
    should(await reason(dialog, 'signers')).match(/Signers: at least one is needed/)
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    await closeDialog(page)
    should(await isMarked(page, id)).be.true()
    await openForm(page, id)
    await fill(dialog, 'contactEmail', 'ola')
    should(await reason(dialog, 'contactEmail')).match(/must be one e-mail address/)
    await fill(dialog, 'contactEmail', 'kari.nordmann@example.com')
    await tab(dialog, 'signers')
    await dialog.getByRole('button', { name: 'add signer' }).click()
    await dialog.locator('[data-fold="more"] summary').click()
    await dialog.locator('[data-cell="mobileNumber"] .red-ui-typedInput-input').fill('phone?')
    should(await dialog.locator('[data-cell="mobileNumber"] .eid-reason').innerText()).match(/telephone number/)
    await dialog.locator('[data-cell="mobileNumber"] .red-ui-typedInput-input').fill('99999999')
    should(await dialog.locator('[data-cell="mobileCountryCode"] .eid-reason').innerText()).match(/missing/)
    await dialog.locator('[data-cell="mobileCountryCode"] .red-ui-typedInput-input').fill('47')
    await sign.waitFor({ state: 'detached' })
    // Nothing is asked for while the form is combined with an object of the message.
    await tab(dialog, 'document')
    await fill(dialog, 'contactEmail', '')
    should(await reason(dialog, 'contactEmail')).match(/Contact e-mail is missing/)
    await tab(dialog, 'more')
    await dialog.locator('[data-row="body"] .red-ui-typedInput-type-select').click()
    await page.locator('.red-ui-typedInput-options:visible').getByText('msg.', { exact: true }).click()
    should(await reason(dialog, 'contactEmail')).equal('')
    await closeDialog(page)
    should(await isMarked(page, id)).be.false()
  })

  it('is no id of wait, as long as the message can contain it: the form shows which property is used', async () => {
    const dialog = await openForm(page, await dragNode(page, 'eid-wait'))
    const row = dialog.locator('[data-row="resourceId"]')
    const input = row.locator('.red-ui-typedInput-input')
    should(await row.locator('.eid-star').isVisible()).be.false()
    should(await input.getAttribute('aria-required')).equal('false')
    should(await input.getAttribute('placeholder')).equal('documentId if empty')
    await dialog.locator('[data-row="what"] select').selectOption('deposit-signed')
    should(await input.getAttribute('placeholder')).equal('depositId if empty')
    await row.locator('.red-ui-typedInput-type-select').click()
    await page.locator('.red-ui-typedInput-options:visible').getByText('string', { exact: true }).click()
    await row.locator('.eid-star').waitFor()
    should(await input.getAttribute('placeholder')).equal('')
    should(await row.locator('.eid-reason').innerText()).equal('Id is missing')
  })

  it('is said of a deadline that is later than the service allows', async () => {
    const dialog = await openForm(page, await dragNode(page, 'eid-create-document'))
    await tab(dialog, 'more')
    const hint = dialog.locator('[data-row="deadline"] .eid-word-hint')
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    for (const [days, text] of [[60, /more than 45 days ahead/] as const, [40, /^$/] as const]) {
      await fill(dialog, 'deadline', inDays(days))
      await dialog.locator('[data-row="deadline"] .red-ui-typedInput-input').blur()
      should(await hint.innerText()).match(text)
    }
  })

  it('follows another setting at once: star, reason, sign of the tab and mark of the node', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openForm(page, id)
    await fill(dialog, 'title', 'Lease')
    await tab(dialog, 'after')
    const domain = dialog.locator('[data-row="domain"]')
    const star = domain.locator('.eid-star')
    should(await star.isVisible()).be.false()
    const mode = dialog.locator('[data-row="redirectMode"] select')
    await mode.selectOption('iframe_with_webmessaging')
    await domain.getByText('Domain is missing').waitFor()
    should(await star.isVisible()).be.true()
    await dialog.locator('#eid-tab-after .eid-tab-mark').waitFor()
    await fill(dialog, 'domain', 'example.com')
    await dialog.locator('#eid-tab-after .eid-tab-mark').waitFor({ state: 'detached' })
    await fill(dialog, 'domain', '')
    await mode.selectOption('donot_redirect')
    await star.waitFor({ state: 'hidden' })
    should(await domain.locator('.eid-reason').innerText()).equal('')
  })

  it('is both amounts of a split, which must add up before anything is deployed', async () => {
    const id = await dragNode(page, 'eid-deposit-terminate')
    const dialog = await openForm(page, id)
    await dialog.locator('[data-row="category"] select').selectOption('SPLIT')
    await fill(dialog, 'username', 'kari.nordmann@example.com')
    should(await reason(dialog, 'amountTenant')).match(/is missing/)
    await fill(dialog, 'amountTenant', '25000')
    await fill(dialog, 'amountLandlord', '2000.50')
    await fill(dialog, 'expectedTotal', '27000')
    should(await reason(dialog, 'amountLandlord')).match(/add up to 27000.50, not to 27000.00/)
    await fill(dialog, 'amountTenant', '24999,50')
    should(await reason(dialog, 'amountLandlord')).equal('')
    await closeDialog(page)
    should(await isMarked(page, id)).be.false()
  })

  it('is asked for in a row that has been started, and so is an address when no one would be notified', async () => {
    const dialog = await openForm(page, await dragNode(page, 'eid-create-document'))
    await tab(dialog, 'signers')
    await dialog.getByRole('button', { name: 'add signer' }).click()
    const hint = dialog.locator('.eid-hint')
    const cell = (name: string) => dialog.locator(`[data-cell="${name}"] .red-ui-typedInput-input`)
    should(await hint.isVisible()).be.false()
    should(await dialog.locator('[data-row="signers"] .input-error').count()).equal(0)
    await cell('firstName').fill('Ola')
    await cell('lastName').fill('Nordmann')
    await hint.getByText('This signer is not notified').waitFor()
    const shown = await hint.boundingBox()
    const fold = await dialog.locator('.eid-fold').first().boundingBox()
    should(shown?.y).be.below(fold?.y ?? 0)
    await dialog.getByText('1. Ola Nordmann').waitFor()
    await cell('email').fill('ola.nordmann@example.com')
    await hint.waitFor({ state: 'hidden' })
    await dialog.locator('[data-cell="notification"] select').selectOption({ label: 'by SMS' })
    await hint.waitFor()
    await dialog.locator('[data-cell="notification"] select').selectOption({ label: 'not notified' })
    await hint.waitFor({ state: 'hidden' })
  })

  it('carries a star in the rows of a share, and is asked for when the row has something', async () => {
    const id = await dragNode(page, 'eid-share-create')
    const dialog = await openForm(page, id)
    await tab(dialog, 'recipients')
    await dialog.getByRole('button', { name: 'add recipient' }).click()
    const starred = await dialog
      .locator('.eid-cell:has(.eid-star)')
      .evaluateAll((cells) => cells.map((one) => one.dataset.cell))
    const needed = ['firstName', 'lastName', 'email', 'mobileCountryCode', 'mobileNumber', 'identityProvider']
    should(starred.sort()).deepEqual([...needed, 'expires'].sort())
    const missing = dialog.locator('[data-cell="lastName"] .eid-reason')
    should(await missing.count()).equal(0)
    await dialog.locator('[data-cell="firstName"] .red-ui-typedInput-input').fill('Ola')
    should(await missing.innerText()).equal('Last name is missing')
    await closeDialog(page)
    should(await isMarked(page, id)).be.true()
  })

  it('is checked when a form has opened, not again for each setting that opening fills in', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const looks = await page.evaluateHandle(() => {
      const { title } = (window as unknown as EditorWindow).RED.nodes.getType('eid-create-document').defaults
      const { validate } = title
      const count = { looks: 0 }
      title.validate = function (value, options) {
        count.looks++
        return validate.call(this, value, options)
      }
      // `end` restores the form, because the next test uses the same page.
      return {
        count,
        end() {
          title.validate = validate
        },
      }
    })
    await openForm(page, id)
    should(await looks.evaluate(({ count }) => count.looks)).be.belowOrEqual(2)
    await looks.evaluate((spy) => spy.end())
  })
})

interface EditorWindow {
  RED: { nodes: { getType(name: string): { defaults: { title: { validate: Validate } } } } }
}

type Validate = (this: unknown, value: unknown, options: unknown) => boolean | string

describe('a node of many operations', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  const open = async (type: string, operation: string) => {
    const id = await dragNode(page, type, 300, 200)
    const dialog = await openForm(page, id)
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
  const type = async (dialog: Locator, name: string, value: string) => {
    const input = dialog.locator(`.form-row[data-row="${name}"] .red-ui-typedInput-input`).first()
    await input.fill(value)
  }

  it('groups what can be done with a document, and puts a star where that needs it', async () => {
    const { dialog } = await open('eid-document', 'addAttachment')
    const groups = await dialog.locator('optgroup').evaluateAll((all) => all.map((one) => one.getAttribute('label')))
    should(groups).deepEqual(['Document', 'Signers', 'Attachments', 'Files and log'])
    should(await starred(dialog)).deepEqual(['documentId', 'title', 'file'])
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
    await choose(dialog, 'removeRecipient')
    should(await tabs(dialog)).deepEqual([])
    should(await starred(dialog)).deepEqual(['shareId', 'recipientId'])
    await choose(dialog, 'addRecipient')
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
    // The tabs Deposit, Tenants and Landlord lack settings.
    should(await dialog.locator('.eid-tab-mark').count()).equal(3)
    await type(dialog, 'depositFactor', '3')
    await dialog.locator('#eid-tab-tenants').click()
    await dialog.locator('.red-ui-editableList-addButton:visible').click()
    const cell = (name: string) => dialog.locator(`[data-cell="${name}"] .red-ui-typedInput-input`)
    await cell('firstName').fill('Ola')
    await cell('lastName').fill('Nordmann')
    await cell('email').fill('ola.nordmann@example.com')
    await dialog.locator('#eid-tab-landlord').click()
    await type(dialog, 'landlordName', 'Kari Nordmann')
    should(await dialog.locator('.eid-tab-mark').count()).equal(0)
    await closeDialog(page)
    const inject = await dragNode(page, 'inject', 100, 200)
    await drawWire(page, inject, id)
    await deploy(page)
    await page.locator(`[id="${inject}"] .red-ui-flow-node-button`).click()
    await page.locator(`[id="${id}"] .red-ui-flow-node-status-label`, { hasText: 'deposit created' }).waitFor()
  })
})

interface Editor {
  nodes: {
    import(nodes: object[]): void
    node(id: string): object
    addLink(link: object): void
    removeLink(link: object): void
    filterLinks(wanted: object): object[]
  }
  view: { redraw(all: boolean): void }
}

describe('a list whose rows come back through a wait', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  const draw = (rows: object, wait: object = {}) =>
    page.evaluate(
      ([list, waits]) => {
        const { RED } = window as unknown as { RED: Editor }
        const at = { z: 'f', y: 120 }
        RED.nodes.import([
          { ...at, id: 'c', type: 'eid-client', name: 'Sandbox', environment: 'sandbox' },
          { ...at, id: 'b', type: 'eid-batch', name: 'tenants', x: 160, wires: [['d'], []], ...list },
          { ...at, id: 'd', type: 'eid-create-document', client: 'c', x: 400, wires: [['w']] },
          { ...at, id: 'w', type: 'eid-wait', client: 'c', name: 'signed?', x: 640, wires: [['b'], [], []], ...waits },
        ])
        RED.view.redraw(true)
      },
      [rows, wait] as const,
    )
  const wire = (source: string, target: string) =>
    page.evaluate(
      ([from, to]) => {
        const { RED } = window as unknown as { RED: Editor }
        RED.nodes.addLink({ source: RED.nodes.node(from), sourcePort: 0, target: RED.nodes.node(to) })
      },
      [source, target] as const,
    )

  it('is marked unless enough rows may be in flight, names the wait, and is no longer marked once a wire leads past it', async () => {
    await draw({})
    should(await isMarked(page, 'b')).be.true()
    const dialog = await openForm(page, 'b')
    await dialog.locator('[data-row="parallel"] .input-error, #node-input-parallel.input-error').waitFor()
    // Enough rows may be in flight.
    await dialog.locator('[data-row="parallel"] input:visible').first().fill('500')
    await closeDialog(page)
    should(await isMarked(page, 'b')).be.false()
    await openForm(page, 'b')
    await dialog.locator('[data-row="parallel"] input:visible').first().fill('')
    await closeDialog(page)
    should(await isMarked(page, 'b')).be.true()
    await wire('d', 'b')
    await page.waitForFunction(() => {
      const { RED } = window as unknown as { RED: Editor }
      return (RED.nodes.node('b') as { valid?: boolean }).valid !== false
    })
    should(await isMarked(page, 'b')).be.false()
  })

  it('has a hint in its form until a wire and a Catch node lead back', async () => {
    await draw({}, { wires: [[], [], []] })
    should(await isMarked(page, 'b')).be.false()
    const hintOf = async () => {
      const dialog = await openForm(page, 'b')
      const hints = await dialog.locator('[data-row="paceUnit"] + .eid-way-back').allTextContents()
      await closeDialog(page)
      return hints.join()
    }
    should(await hintOf()).startWith('No wire leads back to this node')
    await wire('d', 'b')
    should(await hintOf()).startWith('Rows that fail do not come back')
    await page.evaluate(() => {
      const { RED } = window as unknown as { RED: Editor }
      RED.nodes.import([{ z: 'f', id: 'k', type: 'catch', scope: ['d'], x: 160, y: 220, wires: [[]] }])
      RED.view.redraw(true)
    })
    await wire('k', 'b')
    should(await hintOf()).equal('')
  })
})
