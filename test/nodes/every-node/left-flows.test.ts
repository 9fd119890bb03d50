/**
 * What a node keeps after it has left the flows: it continues in the subflow that the node became part of, in the node
 * that a person picks, or in the same node after undo; otherwise it is removed after 30 days.
 */
import helper from 'node-red-node-test-helper'
import should from 'should'
import batch from '../../../nodes/batch/batch'
import wait from '../../../nodes/wait/wait'
import client from '../../../nodes/client/client'
import { listEnded } from '../../../lib/runtime/monitor/ended'
import { continueIn, deleteKept, listKept } from '../../../lib/runtime/monitor/kept-nodes'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { removeFlow } from '../../support/flow'
import type { FlowMessage } from '../../support/node-types'
import { act, type Parties } from '../../support/parties'
import type { Service } from '../../support/service'
import { useParties } from '../../support/service-and-site'
import { until } from '../../support/time'

type Config = Record<string, unknown>

const day = 86_400_000

describe('what a node keeps after it has left the flows', () => {
  let service: Service
  let parties: Parties
  let RED: Runtime
  let arrived: FlowMessage[]
  const wall = Date.now
  const watched = new WeakSet<object>()
  useParties((sides) => ({ service, parties } = sides))
  afterEach(async () => {
    Date.now = wall
    await removeFlow()
  })

  const base = (): Config[] => [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
    { id: 'out', z: 'f', x: 1, y: 1, type: 'helper' },
  ]
  const node = (more: Config = {}): Config => ({
    id: 'lease',
    z: 'f',
    x: 1,
    y: 1,
    type: 'eid-wait',
    client: 'c',
    pollInterval: '0.05',
    wires: [['out'], [], []],
    ...more,
  })
  /** The node as part of a subflow with these instances. */
  const inSubflow = (...instances: string[]): Config[] => [
    { id: 's', type: 'subflow', name: 'Signing', in: [], out: [{ x: 1, y: 1, wires: [{ id: 'lease', port: 0 }] }] },
    node({ z: 's', wires: [[], [], []] }),
    ...instances.map((id) => ({ id, z: 'f', x: 1, y: 1, type: 'subflow:s', wires: [['out']] })),
  ]
  const watch = () => {
    const out = helper.getNode('out')
    if (!out || watched.has(out)) return
    watched.add(out)
    out.on('input', (msg: FlowMessage) => void arrived.push(msg))
  }
  const start = async (...more: Config[]) => {
    arrived = []
    const keep = (one: Runtime) => void (RED = one)
    await helper.load([keep, client, wait, batch], [...base(), ...more])
    watch()
  }
  const deploy = async (...more: Config[]) => {
    const started = new Promise((resolve) => helper._events.once('flows:started', resolve))
    await helper._redNodes.setFlows([...base(), ...more], {}, 'full')
    await started
    watch()
    // Reading waits until what is kept has been compared with the flows.
    await kept()
  }
  /** What the nodes of these tests keep; earlier files of this process may have left more in memory. */
  const kept = async () => (await listKept(RED)).items.filter(({ id }) => id.endsWith('lease'))
  /** Starts a flow in which one message waits for a document. */
  const startWaiting = async () => {
    const { documentId, signers } = await parties.createDocument('left')
    await start(node())
    helper.getNode('lease')?.receive({ documentId, kept: 1 })
    await until(async () => (await service.requests('getDocumentStatus')).length > 0)
    return { documentId, sign: () => act(signers[0]?.url ?? '') }
  }

  it('continues in the only instance of a subflow', async () => {
    const { documentId, sign } = await startWaiting()
    await deploy(...inSubflow('i'))
    await until(async () => (await kept()).length === 1)
    should((await kept())[0]).have.properties({ id: 'i-lease', state: 'running', waits: 1, flow: 'Leases' })
    await sign()
    await until(() => arrived.length === 1)
    should(arrived[0]).have.properties({ documentId, status: 'signed', kept: 1 })
  })

  it('continues in the node when it leaves the subflow again', async () => {
    const { sign } = await startWaiting()
    await deploy(...inSubflow('i'))
    await kept()
    await deploy(node())
    should((await kept())[0]).have.properties({ id: 'lease', state: 'running', waits: 1 })
    await sign()
    await until(() => arrived.length === 1)
  })

  it('continues although the deploys follow each other before anything is compared with the flows', async () => {
    const { sign } = await startWaiting()
    const setFlows = (...more: Config[]) => helper._redNodes.setFlows([...base(), ...more], {}, 'full')
    await Promise.all(['i', 'j', 'k'].flatMap((one) => [setFlows(...inSubflow(one)), setFlows(node())]))
    await deploy(node())
    should((await kept()).map(({ id, state, waits }) => [id, state, waits])).deepEqual([['lease', 'running', 1]])
    await sign()
    await until(() => arrived.length === 1)
  })

  it('is listed with its titles, and what has ended stays listed, while the node is disabled or gone', async () => {
    await startWaiting()
    const other = await parties.createDocument('signed')
    helper.getNode('lease')?.receive({ documentId: other.documentId })
    await act(other.signers[0]?.url ?? '')
    await until(() => arrived.length === 1)
    const done = async () =>
      (await listEnded(RED)).items.filter(({ node: { id } }) => id === 'lease').map(({ id }) => id)
    for (const flows of [[node()], [node({ d: true })], []]) {
      await deploy(...flows)
      should(await done()).deepEqual([other.documentId])
    }
    const [gone] = await kept()
    should(gone).have.properties({ state: 'gone', waits: 1, titles: ['Contract left'] })
    should(await deleteKept(RED, { id: 'lease', shared: '' })).equal('deleted')
    should(await done()).deepEqual([])
  })

  it('continues in none of several instances until a person picks one', async () => {
    const { sign } = await startWaiting()
    await deploy(...inSubflow('i', 'j'))
    const [gone, ...others] = await kept()
    should(others).deepEqual([])
    should(gone).have.properties({ id: 'lease', state: 'gone', type: 'eid-wait', flow: 'Leases', waits: 1 })
    should(gone?.removedAt).be.approximately(Date.now() + 30 * day, day)
    should(await continueIn(RED, { id: 'lease', shared: '' }, 'out')).equal('otherNode')
    should(await continueIn(RED, { id: 'lease', shared: '' }, 'j-lease')).equal('moved')
    should((await kept()).map(({ id }) => id)).deepEqual(['j-lease'])
    await sign()
    await until(() => arrived.length === 1)
    should(await continueIn(RED, { id: 'lease', shared: '' }, 'j-lease')).equal('gone')
  })

  it('is removed a month after the node has left, and counts from the start if undo brings the node back', async () => {
    await startWaiting()
    await deploy()
    const [gone] = await kept()
    should(gone).have.properties({ state: 'gone', waits: 1 })
    Date.now = () => wall() + 29 * day
    await deploy()
    should(await kept()).have.length(1)
    await deploy(node())
    should((await kept())[0]).have.properties({ state: 'running', waits: 1 })
    await deploy()
    Date.now = () => wall() + 58 * day
    await deploy()
    should(await kept()).have.length(1)
    Date.now = () => wall() + 60 * day
    await deploy()
    should(await kept()).deepEqual([])
    await deploy(node())
    should(await kept()).deepEqual([])
  })

  it('is kept until its deadline if that is later', async () => {
    const { documentId } = await parties.createDocument('left-late')
    await start(node({ timeout: '45', timeoutUnit: 'days' }))
    helper.getNode('lease')?.receive({ documentId })
    await until(async () => (await service.requests('getDocumentStatus')).length > 1)
    await deploy()
    should((await kept())[0]?.removedAt).be.approximately(Date.now() + 45 * day, day)
    Date.now = () => wall() + 44 * day
    await deploy()
    should(await kept()).have.length(1)
    Date.now = () => wall() + 46 * day
    await deploy()
    should(await kept()).deepEqual([])
  })

  it('is deleted when a person says so, but not if the node is back', async () => {
    await startWaiting()
    should(await deleteKept(RED, { id: 'lease', shared: '' })).equal('gone')
    await deploy()
    should(await deleteKept(RED, { id: 'lease', shared: '' })).equal('deleted')
    await deploy(node())
    should(await kept()).deepEqual([])
  })

  it('sends the rest of a list with the keys made before, and takes back the rows that were on their way', async () => {
    const settings = { type: 'eid-batch', key: 'payload.name', keyType: 'msg', parallel: '2', wires: [['out'], []] }
    const list = { batchId: 'May', payload: ['Ola', 'Kari', 'Per'].map((name) => ({ name })) }
    await start(node(settings))
    helper.getNode('lease')?.receive({ ...list })
    await until(() => arrived.length === 2)
    const [ola, kari] = arrived.splice(0)
    helper.getNode('lease')?.receive({ ...ola })
    await until(() => arrived.length === 1)
    const [per] = arrived.splice(0)
    await deploy(node({ ...settings, id: 'otherlease' }))
    await until(async () =>
      (await kept()).some(({ id, state, lists }) => id === 'lease' && state === 'gone' && lists === 1),
    )
    should(await continueIn(RED, { id: 'lease', shared: '' }, 'otherlease')).equal('moved')
    for (const row of [kari, per]) helper.getNode('otherlease')?.receive({ ...row })
    await until(async () => (await kept()).every(({ lists }) => lists === 0))
    helper.getNode('otherlease')?.receive({ ...list, payload: [...list.payload, { name: 'Nils' }] })
    await until(() => arrived.length > 0)
    should(arrived.map(({ payload }) => (payload as { name: string }).name)).deepEqual(['Nils'])
    // The key of a row is made from the node that took the list first.
    await deploy(node(settings))
    helper.getNode('lease')?.receive({ ...list, batchId: 'May', payload: [{ name: 'Nils' }] })
    await until(() => arrived.length === 2)
    should(arrived[1]?.externalId).equal(arrived[0]?.externalId)
  })
})
