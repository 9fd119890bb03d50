/**
 * What the sidebar tab still shows after Node-RED was stopped and started: Saturday night's errors are still listed on
 * Monday.
 *
 * @rest
 */
import should from 'should'
import type { SidebarView } from '../../plugins/sidebar/view'
import { keptIn } from '../support/kept-items'
import { leaseByEmail } from '../support/lease-by-email'
import { json } from '../support/node-red/inspected'
import { startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { startService, type Service } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import { linkPackage } from '../support/node-red/user-folder'
import { saying } from '../support/wording'

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
  { ...place('list'), type: 'http in', url: '/list', method: 'post', wires: [['batch', 'out']] },
  { ...place('batch'), type: 'eid-batch', key: 'payload.externalId', keyType: 'msg', wires: [['made'], []] },
  { ...place('made'), type: 'eid-create-document', client: 'c', wires: [['batch', 'wait']] },
  { ...place('wait'), type: 'eid-wait', client: 'c', wires: [[], [], []] },
]

describe('the sidebar tab after a restart', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let red: NodeRedProcess | undefined
  let service: Service
  const start = async () => {
    const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
    red = await startRuntime(installation, folder.path, flowsWith(service.url))
    return red.url
  }
  /** The listed errors, once there are any: stored errors are read while the flows start. */
  const listed = (url: string) =>
    until(async () => {
      const troubles = await troublesAt(url)
      return troubles.length > 0 && troubles
    })
  const troublesAt = async (url: string) => ((await (await fetch(`${url}/eid/sidebar`)).json()) as SidebarView).troubles
  /** Waits until the stored list contains `part`; it is written within a moment. */
  const stored = (part: string) =>
    until(() =>
      keptIn(folder.path).some(({ node, body, about }) => node === 'sidebar-tab' && `${body}${about}`.includes(part)),
    )

  before(async () => (service = await startService()))
  beforeEach(() => {
    folder = temporaryFolder()
    linkPackage(folder.path)
  })
  afterEach(async () => {
    await red?.stop()
    folder.remove()
  })
  after(() => service?.close())

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

  it('lists each wait for a document that the sandbox has forgotten, also when its list is sent again', async () => {
    const viewAt = async (url: string) => (await (await fetch(`${url}/eid/sidebar?done=10`)).json()) as SidebarView
    const send = (url: string) => fetch(`${url}/list`, json([leaseByEmail(1), leaseByEmail(2)]))
    const first = await start()
    await send(first)
    await until(async () => (await viewAt(first)).batches.some(({ ended, done }) => ended && done === 2))
    await until(async () => (await viewAt(first)).waiting.count === 2)
    await red?.stop()
    const second = await start()
    const gone = async () => (await viewAt(second)).done.rows.filter(({ outcome }) => outcome === 'gone')
    await until(async () => (await gone()).length === 2)
    const earlier = (await viewAt(second)).batches[0]?.ended ?? 0
    await send(second)
    await until(async () => (await viewAt(second)).batches.some(({ ended = 0 }) => ended > earlier))
    const reason = saying('client', 'errors.forgotten', { missing: '@notFound.document' })
    should(await gone()).matchEach((one: unknown) => should(one).match({ reason }))
    should(await gone()).have.length(2)
    should(await troublesAt(second)).be.empty()
  })

  /** Starts a flow whose contract may have been created, presses *Look now*, and restarts Node-RED. */
  const lookAndRestart = async (lease: object, keyOf: 'person' | 'node') => {
    const first = await start()
    await service.reset()
    await service.fault({ kind: 'close-before', operation: 'createDocument' })
    // For a key that a person chose, the node itself would look and find the answer, so its look-up fails here.
    if (keyOf === 'person') await service.fault({ kind: 'status', operation: 'listDocuments', status: 503, count: 1 })
    await fetch(`${first}/lease`, json(lease))
    const doubtful = await until(async () => (await listed(first)).find(({ canLook }) => canLook))
    should(doubtful.text).match(saying('client', 'outcomes.unknownOf'))
    await fetch(`${first}/eid/sidebar/troubles`, json({ id: doubtful.id, action: 'look' }))
    if (keyOf === 'person') await stored('"found":"absent"')
    await red?.stop()
    const second = await start()
    await listed(second)
    const now = async () => (await troublesAt(second)).find(({ id }) => id === doubtful.id)
    return { second, now }
  }

  it('still says that a contract with a key of a person was not created, until it has been created', async () => {
    const lease = leaseByEmail(1)
    const { second, now } = await lookAndRestart(lease, 'person')
    const text = saying('client', 'outcomes.absentOf', { what: '“Lease 1” (key lease-1)' })
    should(await now()).match({ found: 'absent', text })
    // The flow runs again and creates the contract. The tab must then no longer say that it is safe to send another
    // one.
    await fetch(`${second}/lease`, json(lease))
    await until(async () => (await now()) === undefined)
    should(await service.requests('createDocument')).have.length(2)
  })

  it('no longer says so of a contract with a key of the node, because the flow would use another key', async () => {
    const { externalId: _none, ...lease } = leaseByEmail(2)
    const { second, now } = await lookAndRestart(lease, 'node')
    const doubtful = {
      outcome: 'unknown',
      text: saying('client', 'outcomes.unknownOf', { what: '@subjects.titleAndKey', title: 'Lease 2' }),
    }
    should(await now()).match(doubtful)
    // If the first request still arrives, there are two contracts. So the error stays when the flow has created one.
    await fetch(`${second}/lease`, json(lease))
    await until(async () => (await service.requests('createDocument')).length === 2)
    should(await now()).match(doubtful)
  })
})
