/**
 * A corrected list: the sidebar shows which rows have changed, and sends them as new contracts if a person wants that.
 *
 * @rest
 */
import { mkdirSync } from 'node:fs'
import should from 'should'
import { accessibilityFindings, deployFlows, patience, type EditorPage, type NodeRed } from '../support/node-red/editor'
import { until } from '../support/time'
import { useEditor } from './support/desk'

const place = (id: string, x: number, y: number) => ({ id, z: 'f', x, y })
const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { ...place('in', 120, 80), type: 'http in', url: '/leases', method: 'post', wires: [['name', 'out']] },
  { ...place('out', 300, 140), type: 'http response', wires: [] },
  {
    ...place('name', 280, 80),
    type: 'change',
    rules: [{ t: 'set', p: 'batchId', pt: 'msg', to: 'May', tot: 'str' }],
    wires: [['list']],
  },
  {
    ...place('list', 460, 80),
    type: 'eid-batch',
    name: 'tenants',
    key: 'payload.number',
    keyType: 'msg',
    wires: [['list'], []],
  },
]

describe('the changed rows of a list in the sidebar', () => {
  let red: NodeRed
  let page: EditorPage
  useEditor((desk) => ({ red, page } = desk))

  const send = async (rents: Record<string, number>) => {
    const body = JSON.stringify(Object.entries(rents).map(([number, rent]) => ({ number, rent })))
    const headers = { 'Content-Type': 'application/json' }
    should((await fetch(`${red.url}/leases`, { method: 'POST', headers, body })).ok).be.true()
  }
  const batches = async () => {
    const view = (await (await fetch(`${red.url}/eid/sidebar`)).json()) as { batches: object[] }
    return view.batches as { id: string; ended?: number; changed?: number; done: number }[]
  }

  it('are sent when the person has read what that means', async () => {
    mkdirSync('.cache/pictures', { recursive: true })
    await deployFlows(red, flows)
    await send({ A: 9000, B: 9500 })
    await until(async () => (await batches())[0]?.ended)
    await send({ A: 9000, B: 9900 })
    await until(async () => (await batches())[0]?.changed === 1)
    await until(async () => {
      await page.evaluate(() => {
        ;(window as unknown as { RED: { sidebar: { show(id: string): void } } }).RED.sidebar.show('eid-sidebar')
      })
      return page.locator('.eid-sidebar .eid-row', { hasText: 'tenants' }).first().isVisible()
    }, patience / 1000)
    const row = page.locator('.eid-sidebar .eid-row', { hasText: 'tenants' }).filter({ hasText: 'Rows changed since' })
    await row.getByText('Send changed rows as new contracts').click()
    await row.getByText('The earlier contracts remain').waitFor()
    should(await page.evaluate(() => document.activeElement?.textContent)).equal('Do not send')
    should(await accessibilityFindings(page, '.eid-sidebar')).deepEqual([])
    await page.screenshot({ path: '.cache/pictures/changed-rows.png' })
    await page.route('**/eid/sidebar/batches', (route) => route.fulfill({ status: 503 }), { times: 1 })
    await row.getByText('Send them').click()
    await row.locator('.eid-said[data-outcome=bad]').waitFor()
    await page.screenshot({ path: '.cache/pictures/changed-rows-not-sent.png' })
    await row.getByText('Send changed rows as new contracts').click()
    await row.getByText('Send them').click()
    await until(async () => (await batches()).some(({ id, done }) => id === 'May (changed)' && done === 1))
    await row.waitFor({ state: 'detached' })
  })
})
