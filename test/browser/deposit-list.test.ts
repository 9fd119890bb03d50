/** The deposit to release or cancel is chosen from a list of the service's deposits, by the tenant's name. @rest */
import { mkdirSync } from 'node:fs'
import should from 'should'
import {
  closeDialog,
  deploy,
  dragNode,
  openNode,
  settingsOf,
  type EditorPage,
  type NodeRed,
} from '../support/node-red/editor'
import { until } from '../support/time'
import { useEditor } from './support/desk'

interface JQueryLike {
  typedInput(...args: string[]): JQueryLike
}

describe('the id of a deposit in a form', () => {
  let red: NodeRed
  let page: EditorPage
  useEditor((desk) => ({ red, page } = desk))

  it('is chosen from the deposits of the service, by the name of the tenant', async () => {
    mkdirSync('.cache/pictures', { recursive: true })
    const id = await dragNode(page, 'eid-deposit-terminate')
    const { client } = await settingsOf(page, id)
    await deploy(page)
    const listed = async () =>
      (await (await page.request.get(`${red.url}/eid/suggestions/${String(client)}/deposits`)).json()) as object[]
    await until(async () => (await listed()).length > 0)
    should(JSON.stringify(await listed())).not.match(/TERMINATED/)
    await openNode(page, id)
    await page.evaluate(() => {
      const { jQuery } = window as unknown as { jQuery: (selector: string) => JQueryLike }
      jQuery('#node-input-depositId').typedInput('type', 'str').typedInput('value', '')
    })
    const input = page.locator('[data-row="depositId"] .red-ui-typedInput-input')
    await input.click()
    await input.pressSequentially('nordmann', { delay: 30 })
    const entry = page
      .locator('.red-ui-autoComplete-container .red-ui-menu-label:visible, .red-ui-autoComplete-container a:visible')
      .filter({ hasText: 'deposit-funded-2' })
    await entry.first().waitFor()
    await page.screenshot({ path: '.cache/pictures/deposit-list.png' })
    await entry.first().click()
    await closeDialog(page)
    should(await settingsOf(page, id)).have.properties({ depositId: 'deposit-funded-2', depositIdType: 'str' })
  })
})
