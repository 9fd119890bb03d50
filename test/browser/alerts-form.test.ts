/** The form of "alerts": the address with which the links in its messages begin. @rest */
import should from 'should'
import { useEditor, type Desk } from './support/desk'
import { closeDialog, deployFlows, openNode, settingsOf } from '../support/node-red/editor'

const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'alerts', z: 'f', type: 'eid-alerts', x: 200, y: 100, wires: [[]] },
]

describe('the form of alerts', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('says that without a client all of them are reported', async () => {
    const { page, red } = desk
    await deployFlows(red, [...flows, { id: 'c', type: 'eid-client', name: 'Nord' }])
    await page.reload()
    await page.waitForSelector('.red-ui-palette-node')
    await openNode(page, 'alerts')
    const client = page.locator('.form-row', { has: page.locator('#node-input-client') })
    should(await client.locator('option:checked').innerText()).equal('none')
    await client.getByText('With “none”, all clients are reported.').waitFor()
    await page.screenshot({ path: '.cache/pictures/alerts-client.png' })
    await closeDialog(page)
  })

  it('says that messages have no link, and offers the address at which others can open the editor', async () => {
    const { page, red } = desk
    await deployFlows(red, flows)
    await page.reload()
    await page.waitForSelector('.red-ui-palette-node')
    await openNode(page, 'alerts')
    await page.locator('.eid-path-hint', { hasText: 'Messages have no link' }).waitFor()
    const use = page.getByRole('button', { name: /^Use http/ })
    should(await use.isVisible()).be.false()
    await closeDialog(page)
    const { port } = new URL(red.url)
    const address = `http://flows.localhost:${port}/`
    await page.goto(address)
    await page.waitForSelector('.red-ui-palette-node')
    await openNode(page, 'alerts')
    await page.screenshot({ path: '.cache/pictures/alerts-form.png' })
    await use.click()
    should(await page.locator('.eid-path-hint', { hasText: 'Messages have no link' }).isVisible()).be.false()
    await closeDialog(page)
    should(await settingsOf(page, 'alerts')).have.property('editorUrl', address)
  })
})
