/** What the sidebar tab still knows when Node-RED was stopped and started: Saturday night's errors are there on Monday. */
import should from 'should'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SidebarView } from '../../plugins/sidebar/view'
import { startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { linkPackage } from '../support/node-red/user-folder'

const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })
const flows = [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'c', type: 'eid-client' },
  { ...place('in'), type: 'http in', url: '/fail', method: 'post', wires: [['cancel', 'out']] },
  { ...place('out'), type: 'http response', wires: [] },
  { ...place('cancel'), type: 'eid-deposit-cancel', name: 'nightly', client: 'c', wires: [[]] },
]

describe('the sidebar tab after a restart', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  let red: NodeRedProcess | undefined
  const start = async () => {
    const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
    red = await startRuntime(installation, folder.path, flows)
    return red.url
  }
  /** What the tab lists once it lists anything: what was kept is read while the flows start. */
  const listed = (url: string) =>
    until(async () => {
      const { troubles } = (await (await fetch(`${url}/eid/sidebar`)).json()) as SidebarView
      return troubles.length > 0 && troubles
    })

  before(() => linkPackage(folder.path))
  after(async () => {
    await red?.stop()
    folder.remove()
  })

  it('lists what went wrong before it', async () => {
    const first = await start()
    await fetch(`${first}/fail`, { method: 'POST' })
    const [before] = await listed(first)
    // It is written down within a moment.
    const kept = join(folder.path, 'eid', 'kept', 'sidebar-tab', 'troubles')
    await until(() => existsSync(kept) && readdirSync(kept).some((name) => /\.\d+$/.test(name)))
    await red?.stop()
    const [after] = await listed(await start())
    should(after).deepEqual(before)
    should(after).match({ code: 'EID_INVALID_INPUT', outcome: 'not-done', node: { name: 'nightly' } })
  })
})
