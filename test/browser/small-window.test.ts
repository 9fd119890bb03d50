/** The forms in a small window, and at a zoom of 200 %: nothing is cut. @rest */
import should from 'should'
import { useEditor } from './support/desk'
import { dragNode, openNode, type EditorPage } from '../support/node-red/editor'

describe('the form of create document', function () {
  this.timeout(120_000)
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  for (const [width, height, what] of [
    [1024, 768, 'a small window'] as const,
    [640, 450, 'a zoom of 200 %'] as const,
  ]) {
    it(`fits the dialog at ${what}`, async () => {
      const id = await dragNode(page, 'eid-create-document')
      await page.setViewportSize({ width, height })
      const dialog = await openNode(page, id)
      for (const tab of await dialog.locator('[role=tab]:visible').all()) {
        await tab.click()
        if ((await tab.getAttribute('id')) === 'eid-tab-signers')
          await dialog.getByRole('button', { name: 'add signer' }).click()
        const body = dialog.locator('.red-ui-tray-body-wrapper')
        const [inner, outer] = await body.evaluate((one) => [one.scrollWidth, one.clientWidth])
        await page.screenshot({ path: `.cache/pictures/form-at-${width}-${await tab.getAttribute('id')}.png` })
        should(inner).be.belowOrEqual(outer ?? 0)
      }
    })
  }
})
