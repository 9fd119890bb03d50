/**
 * A list that another node has sent: the sidebar says so, and sends it anyway if a person wants that.
 *
 * @rest
 */
import should from 'should'
import { accessibilityFindings, deployFlows, patience, type EditorPage, type NodeRed } from '../support/node-red/editor'
import { until } from '../support/time'
import { useEditor } from './support/desk'

const place = (id: string, x: number, y: number) => ({ id, z: 'f', x, y })
const flowOf = (name: string, y: number) => [
  { ...place(`${name}-in`, 120, y), type: 'http in', url: `/${name}`, method: 'post', wires: [[name, `${name}-out`]] },
  { ...place(`${name}-out`, 300, y + 60), type: 'http response', wires: [] },
  { ...place(name, 460, y), type: 'eid-batch', name, wires: [[`${name}-way`], []] },
  { ...place(`${name}-way`, 640, y), type: 'eid-document', client: 'c', operation: 'list', wires: [[name]] },
]
const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'c', type: 'eid-client', name: 'Sandbox' },
  ...flowOf('first', 80),
  ...flowOf('copy', 220),
]

describe('a refused list in the sidebar', () => {
  let red: NodeRed
  let page: EditorPage
  useEditor((desk) => ({ red, page } = desk))

  const send = async (path: string) => {
    const body = JSON.stringify([{ Name: 'Ola Nordmann' }, { Name: 'Kari Nordmann' }])
    const headers = { 'Content-Type': 'application/json' }
    should((await fetch(`${red.url}/${path}`, { method: 'POST', headers, body })).ok).be.true()
  }
  const batches = async () => {
    const view = (await (await fetch(`${red.url}/eid/sidebar`)).json()) as { batches: object[] }
    return view.batches as { node: string; ended?: number; refused?: string; done: number }[]
  }

  it('is sent when the person has read what that means', async () => {
    await deployFlows(red, flows)
    await send('first')
    await until(async () => (await batches()).some(({ node, ended }) => node === 'first' && ended))
    await send('copy')
    await until(async () => (await batches()).some(({ refused }) => refused === 'sentBefore'))
    await until(async () => {
      await page.evaluate(() => {
        ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('eid-sidebar')
      })
      return page.locator('.eid-sidebar .eid-row', { hasText: 'copy' }).first().isVisible()
    }, patience / 1000)
    const row = page.locator('.eid-sidebar .eid-row', { hasText: 'copy' }).filter({ hasText: 'Another node has sent' })
    await row.getByText('Send anyway').click()
    await row.getByText('each person gets everything a second time').waitFor()
    should(await page.evaluate(() => document.activeElement?.textContent)).equal('Do not send')
    should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
    await row.getByText('Send them').click()
    await until(async () => (await batches()).some(({ node, done }) => node === 'copy' && done === 2))
    await row.waitFor({ state: 'detached' })
  })
})
