/**
 * The required settings of a form, in a real editor: marked with a star, required once the request comes from the form,
 * and never before.
 *
 * @rest
 */
import should from 'should'
import type { Locator } from 'playwright-core'
import { useEditor } from './support/desk'
import {
  accessibilityFindings,
  closeDialog,
  dragNode,
  isMarked,
  openDialog,
  openNode,
  type EditorPage,
} from '../support/node-red/editor'

describe('what has to be filled in', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))
  const reason = (dialog: Locator, row: string) => dialog.locator(`[data-row="${row}"] .eid-reason`).innerText()
  const fill = (dialog: Locator, row: string, text: string) =>
    dialog.locator(`[data-row="${row}"] .red-ui-typedInput-input`).fill(text)
  const tab = (dialog: Locator, name: string) => dialog.locator(`#eid-tab-${name}`).click()

  it('carries a star, and is asked for as soon as one field of the request is filled in', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openNode(page, id)
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
    await openNode(page, id)
    await fill(dialog, 'contactEmail', 'ola')
    should(await reason(dialog, 'contactEmail')).match(/must be one e-mail address/)
    await fill(dialog, 'contactEmail', 'kari.nordmann@example.com')
    await tab(dialog, 'signers')
    await dialog.getByRole('button', { name: 'add signer' }).click()
    await dialog.locator('[data-cell="mobileNumber"] .red-ui-typedInput-input').fill('phone?')
    should(await dialog.locator('[data-cell="mobileNumber"] .eid-reason').innerText()).match(/telephone number/)
    await dialog.locator('[data-cell="mobileNumber"] .red-ui-typedInput-input').fill('99999999')
    should(await dialog.locator('[data-cell="mobileCountryCode"] .eid-reason').innerText()).match(/missing/)
    await dialog.locator('[data-cell="mobileCountryCode"] .red-ui-typedInput-input').fill('47')
    await sign.waitFor({ state: 'detached' })
    await closeDialog(page)
    should(await isMarked(page, id)).be.false()
  })

  it('is asked of a client for the live service: address, id and secret', async () => {
    await openNode(page, await dragNode(page, 'eid-document'))
    await page.locator('#node-input-btn-client-edit').click()
    const dialog = await openDialog(page)
    const starred = () =>
      dialog
        .locator('.form-row:visible:has(.eid-star:visible)')
        .evaluateAll((rows) => rows.map((row) => row.dataset.row))
    should(await starred()).deepEqual([])
    await dialog.locator('#node-config-input-environment').selectOption('live')
    should(await starred()).deepEqual(['baseUrl', 'clientId', 'clientSecret'])
    should(await reason(dialog, 'baseUrl')).equal('Address is missing')
    await dialog.locator('#eid-test').click()
    await dialog.getByText('The address of the service is missing. Fill it in above.').waitFor()
  })

  it('is the secret of a webhook', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-webhook'))
    await dialog.locator('[data-row="secret"] .eid-star').waitFor()
    should(await dialog.locator('#node-input-secret').getAttribute('aria-required')).equal('true')
    should(await dialog.locator('[data-row="secret2"] .eid-star').count()).equal(0)
  })

  it('is no id of wait, as long as the message can contain it: the form shows which property is used', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-wait'))
    const row = dialog.locator('[data-row="resourceId"]')
    const input = row.locator('.red-ui-typedInput-input')
    should(await row.locator('.eid-star').isVisible()).be.false()
    should(await input.getAttribute('aria-required')).equal('false')
    should(await input.getAttribute('placeholder')).equal('documentId if empty')
    await dialog.locator('[data-row="what"] select').selectOption('deposit-signed')
    should(await input.getAttribute('placeholder')).equal('depositId if empty')
    await page.screenshot({ path: '.cache/pictures/wait-id.png' })
    await row.locator('.red-ui-typedInput-type-select').click()
    await page.locator('.red-ui-typedInput-options:visible').getByText('string', { exact: true }).click()
    await row.locator('.eid-star').waitFor()
    should(await input.getAttribute('placeholder')).equal('')
    should(await row.locator('.eid-reason').innerText()).equal('Id is missing')
  })

  it('is said of a deadline that is later than the service allows', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-create-document'))
    await tab(dialog, 'more')
    const hint = dialog.locator('[data-row="deadline"] .eid-word-hint')
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    for (const [days, text] of [[60, /more than 45 days ahead/] as const, [40, /^$/] as const]) {
      await fill(dialog, 'deadline', inDays(days))
      await dialog.locator('[data-row="deadline"] .red-ui-typedInput-input').blur()
      should(await hint.innerText()).match(text)
      if (days === 60) await page.screenshot({ path: '.cache/pictures/long-deadline.png' })
    }
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
  })

  it('follows another setting at once: star, reason, sign of the tab and mark of the node', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openNode(page, id)
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
    await page.screenshot({ path: '.cache/pictures/domain-is-missing.png' })
    await fill(dialog, 'domain', 'example.com')
    await dialog.locator('#eid-tab-after .eid-tab-mark').waitFor({ state: 'detached' })
    await fill(dialog, 'domain', '')
    await mode.selectOption('donot_redirect')
    await star.waitFor({ state: 'hidden' })
    should(await domain.locator('.eid-reason').innerText()).equal('')
  })

  it('is both amounts of a split, which must add up before anything is deployed', async () => {
    const id = await dragNode(page, 'eid-deposit-terminate')
    const dialog = await openNode(page, id)
    await dialog.locator('[data-row="category"] select').selectOption('SPLIT')
    await fill(dialog, 'username', 'kari.nordmann@example.com')
    should(await reason(dialog, 'amountTenant')).match(/is missing/)
    await fill(dialog, 'amountTenant', '25000')
    await fill(dialog, 'amountLandlord', '2000.50')
    await fill(dialog, 'expectedTotal', '27000')
    should(await reason(dialog, 'amountLandlord')).match(/add up to 27000.50, not to 27000.00/)
    await page.screenshot({ path: '.cache/pictures/split-does-not-add-up.png' })
    await closeDialog(page)
    should(await isMarked(page, id)).be.true()
    await openNode(page, id)
    await fill(dialog, 'amountTenant', '24999,50')
    should(await reason(dialog, 'amountLandlord')).equal('')
    await closeDialog(page)
    should(await isMarked(page, id)).be.false()
  })

  it('is asked for in a row that has been started, and so is an address when no one would be notified', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-create-document'))
    await tab(dialog, 'signers')
    await dialog.getByRole('button', { name: 'add signer' }).click()
    const hint = dialog.locator('.eid-hint')
    const cell = (name: string) => dialog.locator(`[data-cell="${name}"] .red-ui-typedInput-input`)
    should(await hint.isVisible()).be.false()
    should(await dialog.locator('[data-row="signers"] .input-error').count()).equal(0)
    await cell('firstName').fill('Ola')
    await cell('lastName').fill('Nordmann')
    await hint.getByText('This signer is not notified').waitFor()
    const [shown, fold] = [await hint.boundingBox(), await dialog.locator('.eid-fold').first().boundingBox()]
    should(shown?.y).be.below(fold?.y ?? 0)
    await dialog.getByText('1. Ola Nordmann').waitFor()
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    await cell('email').fill('ola.nordmann@example.com')
    await hint.waitFor({ state: 'hidden' })
    await dialog.locator('[data-cell="notification"] select').selectOption({ label: 'by SMS' })
    await hint.waitFor()
    await dialog.locator('[data-cell="notification"] select').selectOption({ label: 'not notified' })
    await hint.waitFor({ state: 'hidden' })
  })

  it('carries a star in the rows of a share, and is asked for when the row has something', async () => {
    const id = await dragNode(page, 'eid-share-create')
    const dialog = await openNode(page, id)
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
    await openNode(page, id)
    should(await looks.evaluate(({ count }) => count.looks)).be.belowOrEqual(2)
    await looks.evaluate((spy) => spy.end())
  })

  it('is not asked for while the form is combined with an object of the message', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openNode(page, id)
    await fill(dialog, 'title', 'Lease')
    await tab(dialog, 'more')
    const type = dialog.locator('[data-row="body"] .red-ui-typedInput-type-select')
    await type.click()
    await page.locator('.red-ui-typedInput-options:visible').getByText('msg.', { exact: true }).click()
    should(await dialog.locator('.eid-reason:not(:empty)').count()).equal(0)
    await closeDialog(page)
    should(await isMarked(page, id)).be.false()
  })
})

interface EditorWindow {
  RED: { nodes: { getType(name: string): { defaults: { title: { validate: Validate } } } } }
}

type Validate = (this: unknown, value: unknown, options: unknown) => boolean | string
