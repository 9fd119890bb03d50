/** Setting up "overview": users typed in the form are stored as hashes, and `httpNodeAuth` replaces them. @rest */
import should from 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/time'
import { type Desk, useEditor } from './support/desk'
import {
  accessibilityFindings,
  closeDialog,
  deploy,
  dragNode,
  isMarked,
  openNode,
  startNodeRed,
} from '../support/node-red/editor'

const basic = (name: string, password: string) => ({ Authorization: `Basic ${btoa(`${name}:${password}`)}` })
const statusAt = async (url: string, headers = {}) => (await fetch(`${url}/contracts`, { headers })).status

describe('the form of overview', () => {
  let desk: Desk
  useEditor((opened) => (desk = opened))

  it('stores passwords as hashes, shows none of them, and keeps those that are not changed', async () => {
    const { red, page } = desk
    const id = await dragNode(page, 'eid-overview')
    const stored = () =>
      page.evaluate((node) => {
        const { RED } = window as unknown as {
          RED: { nodes: { node(id: string): { credentials: { users: string } } } }
        }
        return RED.nodes.node(node).credentials.users
      }, id)
    let dialog = await openNode(page, id)
    const users = () => dialog.locator('#eid-users')
    await users().fill('kari correct horse\nola short')
    await dialog.getByText('Line 2: the password of ola has fewer than 8 characters.').waitFor()
    should(await accessibilityFindings(page, '.red-ui-tray:last-of-type .eid-form')).deepEqual([])
    await page.screenshot({ path: '.cache/pictures/overview-form.png' })
    await users().fill('kari correct horse\nola battery staple')
    await closeDialog(page)
    const first = await stored()
    should(first).match(/^kari scrypt\$\S+\nola scrypt\$\S+$/)
    await deploy(page)
    await until(async () => (await statusAt(red.url, basic('kari', 'correct horse'))) === 200)
    // The form shows only names, both for a deployed node and for one that was not deployed.
    await page.reload()
    await page.waitForSelector('.red-ui-palette-node')
    dialog = await openNode(page, id)
    await until(async () => (await users().inputValue()) === 'kari ••••••••\nola ••••••••')
    await users().fill('kari ••••••••\nper a new password')
    await closeDialog(page)
    should((await stored()).split('\n')[0]).equal(first.split('\n')[0])
    dialog = await openNode(page, id)
    should(await users().inputValue()).equal('kari ••••••••\nper ••••••••')
    await closeDialog(page)
    await deploy(page)
    await until(async () => (await statusAt(red.url, basic('per', 'a new password'))) === 200)
    should(await statusAt(red.url, basic('kari', 'correct horse'))).equal(200)
    should(await statusAt(red.url, basic('ola', 'battery staple'))).equal(401)
    should(readFileSync(join(red.userDir, 'flows.json'), 'utf8')).not.match(/scrypt|correct horse/)
  })

  it('asks for users: star, example, reason, and the mark of the node until it has one', async () => {
    const { page } = desk
    const id = await dragNode(page, 'eid-overview')
    const dialog = await openNode(page, id)
    const users = dialog.locator('#eid-users')
    const row = dialog.locator('.form-row:has(#eid-users)')
    should(await row.locator('.eid-star').isVisible()).be.true()
    should(await users.getAttribute('placeholder')).match(/kari correct horse battery/)
    await row.getByText('At least one user is needed').waitFor()
    await closeDialog(page)
    should(await isMarked(page, id)).be.true()
    await openNode(page, id)
    await users.fill('kari correct horse')
    should(await row.locator('.eid-reason').innerText()).equal('')
    await closeDialog(page)
    should(await isMarked(page, id)).be.false()
  })

  it('uses httpNodeAuth if that is set, instead of users of its own', async () => {
    // The hash of "password" from the documentation of Node-RED.
    const httpNodeAuth = { user: 'office', pass: '$2a$08$zZWtXTja0fB1pzD4sHCMyOCMYz2Z6dNbM6tl8sJogENOMcxWV9DN.' }
    const overview = { id: 'o', z: 'f', type: 'eid-overview', x: 100, y: 100, wires: [] }
    const red = await startNodeRed({ flows: [{ id: 'f', type: 'tab' }, overview], settings: { httpNodeAuth } })
    try {
      await until(async () => (await statusAt(red.url, basic('office', 'password'))) === 200)
      should(await statusAt(red.url)).equal(401)
      should(await statusAt(red.url, basic('office', 'wrong'))).equal(401)
      should(await statusAt(red.url, basic('kari', 'password'))).equal(401)
    } finally {
      await red.stop()
    }
  })
})
