/**
 * Values that are chosen by their labels in a real editor: one from a list, several by ticks, and any other value.
 *
 * @rest
 */
import should from 'should'
import { until } from '../support/time'
import { useEditor } from './support/desk'
import {
  accessibilityFindings,
  closeDialog,
  dragNode,
  openNode,
  settingsOf,
  type EditorPage,
} from '../support/node-red/editor'

describe('the choices that a form offers', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  it('show known values in words, and accept any other value', async () => {
    const id = await dragNode(page, 'eid-create-document')
    const dialog = await openNode(page, id)
    await page.locator('#eid-tab-look').click()
    const row = dialog.locator('[data-row="spinner"]')
    const text = row.locator('.red-ui-typedInput-input')
    should(await text.isVisible()).be.false()
    should(await dialog.locator('[data-row="backgroundColor"] input[placeholder="#123456"]').isVisible()).be.true()
    await row.locator('select').selectOption({ label: 'cubes' })
    await closeDialog(page)
    should(await settingsOf(page, id)).have.properties({ spinner: 'Cubes', spinnerType: 'str' })
    await openNode(page, id)
    await page.locator('#eid-tab-look').click()
    should(await row.locator('select').inputValue()).equal('Cubes')
    await row.locator('select').selectOption({ label: 'other …' })
    await page.keyboard.type('Somersault')
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('spinner', 'Somersault')
    await openNode(page, id)
    await page.locator('#eid-tab-look').click()
    should(await text.inputValue()).equal('Somersault')
    await row.locator('.red-ui-typedInput-type-select').click()
    await page.locator('.red-ui-typedInput-options:visible').getByText('msg.', { exact: true }).click()
    should(await row.locator('select').isVisible()).be.false()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('spinnerType', 'msg')
  })

  it('allow several ticks, and other values typed beside them', async () => {
    const id = await dragNode(page, 'eid-identification-session')
    const dialog = await openNode(page, id)
    // The ticks do not make the dialog wider than others.
    should((await dialog.boundingBox())?.width).be.below(620)
    const row = dialog.locator('[data-row="allowedProviders"]')
    await row.getByRole('checkbox', { name: 'Norwegian eID', exact: true }).check()
    await row.getByRole('checkbox', { name: 'Swedish eID' }).check()
    await row.getByRole('checkbox', { name: 'other …' }).check()
    await page.keyboard.press('End')
    await page.keyboard.type(', new_eid')
    await row.getByRole('checkbox', { name: 'Norwegian eID', exact: true }).uncheck()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('allowedProviders', 'se_eid, new_eid')
    await openNode(page, id)
    should(await row.getByRole('checkbox', { name: 'Swedish eID' }).isChecked()).be.true()
    should(await row.locator('.red-ui-typedInput-input').inputValue()).equal('se_eid, new_eid')
    await row.getByRole('checkbox', { name: 'other …' }).uncheck()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.property('allowedProviders', 'se_eid')
  })

  it('keep their ticks in one order, whatever order the answer of the service has', async () => {
    const answered = { yet: false }
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/eid/suggestions/**', async (route) => {
      await held
      await route.fulfill({ json: ['new_eid', 'sms_otp', 'se_eid', 'no_eid', 'no_eid_mobile'] })
      answered.yet = true
    })
    try {
      const id = await dragNode(page, 'eid-identification-session')
      const ticks = async () => {
        const dialog = await openNode(page, id)
        const row = dialog.locator('[data-row="allowedProviders"]')
        await row.getByRole('checkbox', { name: 'Norwegian eID', exact: true }).focus()
        const values = await row
          .getByRole('checkbox')
          .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
        return { row, values }
      }
      const { row, values: before } = await ticks()
      should(answered.yet).be.false()
      release()
      await until(() => answered.yet)
      await row.getByRole('checkbox', { name: 'Swedish eID' }).check()
      await closeDialog(page)
      const after = await until(async () => {
        const { values } = await ticks()
        if (values.includes('new_eid')) return values
        return void (await closeDialog(page))
      })
      should(before.length).be.above(4)
      should(after).deepEqual([...before.slice(0, -1), 'new_eid', ...before.slice(-1)])
      await closeDialog(page)
    } finally {
      await page.unroute('**/eid/suggestions/**')
    }
  })
})
