/** What the sidebar tab still knows when Node-RED was stopped and started: Saturday night's errors are there on Monday. */
import should from 'should'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SidebarView } from '../../plugins/sidebar/view'
import { leaseByEmail } from '../support/lease-by-email'
import { json } from '../support/node-red/inspected'
import { startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { startService, type Service } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { linkPackage } from '../support/node-red/user-folder'

const place = (id: string) => ({ id, z: 'f', x: 1, y: 1 })
const flowsWith = (baseUrl: string) => [
  { id: 'f', type: 'tab', label: 'Leases' },
  { id: 'c', type: 'eid-client' },
  { id: 'ours', type: 'eid-client', baseUrl, retries: 0 },
  { ...place('in'), type: 'http in', url: '/fail', method: 'post', wires: [['cancel', 'out']] },
  { ...place('out'), type: 'http response', wires: [] },
  { ...place('cancel'), type: 'eid-deposit-cancel', name: 'nightly', client: 'c', wires: [[]] },
  { ...place('lease'), type: 'http in', url: '/lease', method: 'post', wires: [['create', 'out']] },
  { ...place('create'), type: 'eid-create-document', name: 'the lease', client: 'ours', wires: [[]] },
]

describe('the sidebar tab after a restart', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  let red: NodeRedProcess | undefined
  let service: Service
  const start = async () => {
    const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
    red = await startRuntime(installation, folder.path, flowsWith(service.url))
    return red.url
  }
  /** What the tab lists once it lists anything: what was kept is read while the flows start. */
  const listed = (url: string) =>
    until(async () => {
      const { troubles } = (await (await fetch(`${url}/eid/sidebar`)).json()) as SidebarView
      return troubles.length > 0 && troubles
    })
  const kept = join(folder.path, 'eid', 'kept', 'sidebar-tab', 'troubles')
  /** The stored list, which is written within a moment. */
  const stored = (part: string) =>
    until(() => {
      const files = existsSync(kept) ? readdirSync(kept).filter((name) => /\.\d+$/.test(name)) : []
      return files.some((name) => readFileSync(join(kept, name), 'utf8').includes(part))
    })

  before(async () => {
    linkPackage(folder.path)
    service = await startService()
  })
  afterEach(() => red?.stop())
  after(async () => {
    await service?.close()
    folder.remove()
  })

  it('lists what went wrong before it', async () => {
    const first = await start()
    await fetch(`${first}/fail`, { method: 'POST' })
    const [before] = await listed(first)
    await stored('nightly')
    await red?.stop()
    const [after] = await listed(await start())
    should(after).deepEqual(before)
    should(after).match({ code: 'EID_INVALID_INPUT', outcome: 'not-done', node: { name: 'nightly' } })
  })

  it('still says that a contract was not created, once a person has looked', async () => {
    const first = await start()
    await service.fault({ kind: 'close-before', operation: 'createDocument' })
    // The node itself would look, and find out.
    await service.fault({ kind: 'status', operation: 'listDocuments', status: 503 })
    await fetch(`${first}/lease`, json(leaseByEmail(1)))
    const doubtful = await until(async () => (await listed(first)).find(({ canLook }) => canLook))
    should(doubtful.text).match(/It may have been done/)
    await fetch(`${first}/eid/sidebar/troubles`, json({ id: doubtful.id, action: 'look' }))
    await stored('"found":"absent"')
    await red?.stop()
    const after = (await listed(await start())).find(({ id }) => id === doubtful.id)
    should(after?.found).equal('absent')
    should(after?.text).endWith(
      'the service does not have “Lease 1” (key lease-1). It is safe to send the message again.',
    )
  })
})
