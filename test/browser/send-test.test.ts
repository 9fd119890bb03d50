/**
 * "Send a test" in a real editor: it works before anything is deployed, and shows the link of the person who gets it.
 *
 * @rest
 */
import should from 'should'
import { useEditor } from './support/desk'
import { accessibilityFindings, dragNode, openNode, type EditorPage } from '../support/node-red/editor'

describe('a test sent from a form', () => {
  let page: EditorPage
  useEditor((desk) => ({ page } = desk))

  it('goes out before Deploy, once for a double click, and its link opens', async () => {
    const dialog = await openNode(page, await dragNode(page, 'eid-create-document'))
    await dialog.locator('[data-row="title"] .red-ui-typedInput-input').fill('Lease')
    await dialog.locator('.eid-send-test summary').click()
    await dialog.getByLabel("Recipient's e-mail").fill('ola.nordmann@example.com')
    const asked: string[] = []
    page.on('request', (one) => void (one.url().endsWith('/eid/send-test') && asked.push(one.url())))
    await dialog.getByRole('button', { name: 'Send a test' }).dblclick()
    await dialog.locator('.eid-answer').getByText("Created in the sandbox: 'Lease (test)'").waitFor()
    should(asked).have.length(1)
    should(await accessibilityFindings(page, '.red-ui-tray .eid-form')).deepEqual([])
    const [app] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Open it as the recipient' }).click(),
    ])
    await app.getByText('Lease (test)').first().waitFor()
    await app.close()
    await dialog.getByLabel("Recipient's e-mail").fill('ola')
    await dialog.getByRole('button', { name: 'Send a test' }).click()
    await dialog.locator('.eid-answer').getByText('must be one e-mail address').waitFor()
    should(await dialog.getByRole('link', { name: 'Open it' }).isVisible()).be.false()
  })

  it('asks before it sends anything real', async () => {
    const id = await dragNode(page, 'eid-create-document')
    await page.evaluate((node) => {
      const { RED } = window as unknown as { RED: { nodes: { node(id: string): Record<string, unknown> } } }
      const client = RED.nodes.node(String(RED.nodes.node(node).client))
      Object.assign(client, { environment: 'live', baseUrl: 'https://api.example.com' })
    }, id)
    const dialog = await openNode(page, id)
    await dialog.locator('.eid-send-test summary').click()
    await dialog.getByLabel("Recipient's e-mail").fill('ola.nordmann@example.com')
    await dialog.getByRole('button', { name: 'Send a test' }).click()
    await dialog.locator('.eid-answer').getByText('This client uses the live service').waitFor()
    await dialog.getByRole('button', { name: 'Yes, send it for real' }).waitFor()
    await dialog.getByLabel("Recipient's e-mail").fill('kari.nordmann@example.com')
    await dialog.getByRole('button', { name: 'Send a test' }).waitFor()
  })
})
