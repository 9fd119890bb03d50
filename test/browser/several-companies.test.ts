/** A subflow whose instances choose their own client, in the editor: the choice is in the form, and is stored. @rest */
import should from 'should'
import { read } from '../support/house'
import { type Desk, useEditor } from './support/desk'
import { closeDialog, deploy, deployFlows, openEditor, openNode, settingsOf } from '../support/node-red/editor'

interface Item {
  readonly id: string
  readonly type: string
  readonly name?: string
}

const flow = JSON.parse(read('examples', '19-several-companies.json')) as Item[]
const idOf = (name: string) => flow.find((one) => one.name === name)?.id ?? ''
const clients = flow.filter(({ type }) => type === 'eid-client')

describe('several companies in the editor', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('chooses the client in the form of each instance', async () => {
    await deployFlows(desk.red, flow)
    const page = await openEditor(desk.browser, desk.red)
    await page.locator('#red-ui-workspace-tabs .red-ui-tab', { hasText: 'Several companies' }).click()
    const id = idOf('letter of Sør')
    const dialog = await openNode(page, id)
    const choice = dialog.locator('select', { has: page.locator(`option[value="${clients[1]?.id}"]`) })
    should(await choice.inputValue()).equal(clients[1]?.id)
    await choice.selectOption(clients[0]?.id ?? '')
    await closeDialog(page)
    const { env } = (await settingsOf(page, id)) as { env: { name: string; value: string }[] }
    should(env.find(({ name }) => name === 'company')?.value).equal(clients[0]?.id)
    // Inside the subflow, the node refers to the property instead of a client, and the editor finds no error.
    const marked = page.locator('.red-ui-flow-node-group', { has: page.locator('.red-ui-flow-node-error:visible') })
    should(await marked.allTextContents()).deepEqual([])
    await deploy(page)
    should(page.errors).deepEqual([])
    await page.context().close()
  })
})
