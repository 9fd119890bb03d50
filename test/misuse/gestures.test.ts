/**
 * Gestures of the editor with something pending, in a real Node-RED, with files and with PostgreSQL: nothing is lost, and
 * nothing happens twice.
 *
 * @rest
 */
import should from 'should'
import { createHmac } from 'node:crypto'
import { act, startParties, type Parties } from '../support/parties'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { startService, type Service } from '../support/service'
import { startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { linkPackage } from '../support/node-red/user-folder'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import type { RestingRow, SidebarView } from '../../plugins/sidebar/view'

type Config = Record<string, unknown>
type Flow = readonly Config[]
interface Got {
  readonly from: string
  readonly documentId?: string
  readonly name?: string
  readonly eventId?: string
  readonly embedUrl?: string
  readonly redelivered?: boolean
}

const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
const ours = ['wait', 'batch', 'page', 'hook']
const secret = 'of the webhook'

const withTab = (flow: Flow, more: Config) => flow.map((one) => (one.id === 'f' ? { ...one, ...more } : one))
const withNodes = (flow: Flow, more: Config) =>
  flow.map((one) => (ours.includes(String(one.id)) ? { ...one, ...more } : one))
/** The selection as a subflow with one instance; its four outputs lead to the collector. */
const asSubflow = (flow: Flow): Config[] => [
  {
    id: 's',
    type: 'subflow',
    name: 'Contracts',
    in: [],
    out: ours.map((id) => ({ x: 1, y: 1, wires: [{ id, port: id === 'page' ? 2 : 0 }] })),
  },
  ...flow.map((one): Config => {
    if (ours.includes(String(one.id))) return { ...one, z: 's', wires: [] }
    return one.id === 'set' ? { ...one, wires: [[], [], [], ['ok']] } : one
  }),
  { id: 'i', z: 'f', x: 1, y: 1, type: 'subflow:s', wires: ours.map((id) => [`to-${id}`]) },
]

/** Each gesture as the flows that the editor deploys one after the other; the last ones are those in which all continues. */
const gestures: readonly (readonly [string, ...((flow: Flow) => Config[])[]])[] = [
  ['disable and enable the flow', (flow) => withTab(flow, { disabled: true }), (flow) => [...flow]],
  ['disable and enable the nodes of a group', (flow) => withNodes(flow, { d: true }), (flow) => [...flow]],
  [
    'cut and paste to another tab, and delete the old one',
    (flow) => [
      { id: 'g', type: 'tab', label: 'Other' },
      ...flow.filter(({ id }) => id !== 'f').map((one) => (one.z === 'f' ? { ...one, z: 'g' } : one)),
    ],
  ],
  ['delete, deploy and undo', (flow) => flow.filter(({ id }) => !ours.includes(String(id))), (flow) => [...flow]],
  ['turn the selection into a subflow', asSubflow],
  ['turn the selection into a subflow and back', asSubflow, (flow) => [...flow]],
  ['import over it', (flow) => withNodes(flow, { name: 'imported' })],
]

for (const shared of [false, true]) {
  describe(`with what is pending in ${shared ? 'PostgreSQL' : 'files'}, a person may`, () => {
    let service: Service
    let parties: Parties
    let database: PostgresServer | undefined
    let red: NodeRedProcess
    const folder = temporaryFolder()

    before(async () => {
      service = await startService()
      parties = await startParties(service)
      if (shared) database = await startPostgres()
      linkPackage(folder.path)
      red = await startRuntime(installation, folder.path, flowOf())
    })
    after(async () => {
      await red?.stop()
      await database?.stop()
      await service?.close()
      folder.remove()
    })

    const at = { z: 'f', x: 1, y: 1 }
    const store = () => (shared ? { shared: 'store' } : {})
    const flowOf = (): Config[] => [
      { id: 'f', type: 'tab', label: 'Leases' },
      { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
      ...(database ? [{ id: 'store', type: 'eid-store', address: database.url, takeOver: 2 }] : []),
      { ...at, id: 'in', type: 'http in', url: '/in', method: 'post', wires: [['set']] },
      { ...at, id: 'set', type: 'function', outputs: 4, wires: [['wait'], ['batch'], ['page'], ['ok']], func: route },
      { ...at, id: 'ok', type: 'http response', wires: [] },
      { ...at, ...store(), id: 'wait', type: 'eid-wait', client: 'c', ...quick, wires: [['to-wait'], [], []] },
      { ...at, ...store(), id: 'batch', type: 'eid-batch', ...byName, wires: [['to-batch'], []] },
      { ...at, ...store(), id: 'page', type: 'eid-embed', client: 'c', url: 'url', wires: [[], [], ['to-page']] },
      { ...at, ...store(), id: 'hook', type: 'eid-webhook', wires: [['to-hook']], credentials: { secret } },
      ...ours.map((id) => ({ id: `to-${id}`, ...at, type: 'function', outputs: 0, func: noteFrom(id), wires: [] })),
      { id: 'g0', type: 'tab', label: 'Got' },
      { id: 'got-in', z: 'g0', x: 1, y: 1, type: 'http in', url: '/got', method: 'get', wires: [['got']] },
      { id: 'got', z: 'g0', x: 1, y: 1, type: 'function', outputs: 1, func: reading, wires: [['got-out']] },
      { id: 'got-out', z: 'g0', x: 1, y: 1, type: 'http response', wires: [] },
    ]
    const deploy = async (flows: Flow, type = 'full') => {
      const before = red.output().length
      const headers = {
        'content-type': 'application/json',
        'Node-RED-API-Version': 'v2',
        'Node-RED-Deployment-Type': type,
      }
      const answer = await fetch(`${red.url}/flows`, { method: 'POST', headers, body: JSON.stringify({ flows }) })
      should(answer.status).equal(200)
      await until(() => /Started (modified )?(flows|nodes)/.test(red.output().slice(before)))
    }
    const send = (to: string, msg: object) =>
      fetch(`${red.url}/in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to, ...msg }),
      })
    const got = async (from: string) =>
      ((await (await fetch(`${red.url}/got`)).json()) as Got[]).filter((one) => one.from === from)
    const call = async (id: string) => {
      const body = JSON.stringify({ id, type: 'document_signed', payload: { documentId: 'd' }, tags: null })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature }
      return comeBack(() => fetch(`${red.url}/eid/webhook`, { method: 'POST', headers, body }))
    }
    /** The status of a request that is repeated for as long as its node is starting. */
    const comeBack = (ask: () => Promise<Response>) =>
      until(async () => {
        const { status, headers } = await ask()
        return (status !== 503 || headers.get('retry-after') !== '2') && status
      })
    const resting = async () => ((await (await fetch(`${red.url}/eid/sidebar`)).json()) as SidebarView).resting

    for (const [number, [name, ...deploys]] of gestures.entries()) {
      it(name, async () => {
        await deploy(flowOf())
        await send('batch', { reset: true })
        const key = `g${number}`
        const { documentId, signers } = await parties.createDocument(`gesture-${key}-${shared}`)
        await send('wait', { documentId })
        await send('page', { documentId, url: signers[0]?.url })
        await send('batch', { batchId: key, payload: ['Ola', 'Kari'].map((one) => ({ name: `${key} ${one}` })) })
        should(await call(key)).equal(204)
        const page = await until(async () => (await got('page')).find((one) => one.documentId === documentId))
        const first = await until(async () => (await got('batch')).find((one) => one.name === `${key} Ola`))
        await until(async () => (await got('hook')).some(({ eventId }) => eventId === key))
        await until(async () =>
          (await service.requests('getDocumentStatus')).some(({ path }) => path.includes(documentId)),
        )
        await until(async () => red.output().length > 0)
        for (const flows of deploys) await deploy(flows(flowOf()), number % 2 === 0 ? 'full' : 'nodes')
        await act(signers[0]?.url ?? '')
        await until(async () => (await got('wait')).some((one) => one.documentId === documentId))
        const address = new URL(String(page.embedUrl), red.url)
        should(await comeBack(() => fetch(`${red.url}${address.pathname}`))).equal(200)
        should([await call(key), await call(`${key} later`)]).deepEqual([204, 204])
        await until(async () => (await got('hook')).some(({ eventId }) => eventId === `${key} later`))
        should((await got('hook')).filter(({ eventId }) => eventId === key)).have.length(1)
        should((await got('wait')).filter((one) => one.documentId === documentId)).have.length(1)
        // The row that was in flight has acted on nothing, so it may come out again, and then says so.
        const rows = (await got('batch')).filter((one) => one.name === first.name)
        should(rows.filter(({ redelivered }) => redelivered !== true)).have.length(1)
      })
    }

    it('see what rests after any deploy, and Node-RED may be killed meanwhile', async () => {
      const flow = flowOf()
      await deploy(flow)
      const { documentId, signers } = await parties.createDocument(`gesture-killed-${shared}`)
      await send('wait', { documentId })
      await until(async () =>
        (await service.requests('getDocumentStatus')).some(({ path }) => path.includes(documentId)),
      )
      await deploy(withNodes(flow, { d: true }), 'nodes')
      const isOurs = ({ id, waits }: RestingRow) => id === 'wait' && waits === 1
      should((await resting()).find(isOurs)).have.properties({ state: 'disabled', type: 'eid-wait', flow: 'Leases' })
      should(await call('none')).equal(503)
      red.kill()
      red = await startRuntime(installation, folder.path, withNodes(flow, { d: true }))
      should((await resting()).find(isOurs)).have.property('state', 'disabled')
      await deploy(
        flow.filter(({ id }) => id !== 'wait'),
        'nodes',
      )
      const isGone = async () => (await resting()).find((one) => isOurs(one) && one.state === 'gone')
      await until(isGone)
      await deploy([...flow.filter(({ id }) => id !== 'wait'), { ...flow.find(({ id }) => id === 'wait'), id: 'next' }])
      const body = JSON.stringify({ id: 'wait', shared: shared ? 'store' : '', action: 'continue', to: 'next' })
      const headers = { 'content-type': 'application/json', Origin: red.url }
      const answer = await fetch(`${red.url}/eid/sidebar/resting`, { method: 'POST', headers, body })
      should(await answer.json()).deepEqual({ ok: true })
      await act(signers[0]?.url ?? '')
      await until(async () => (await got('wait')).some((one) => one.documentId === documentId))
      await until(async () => !(await resting()).some(isOurs))
    })
  })
}

const quick = { pollInterval: '0.2', maxInterval: '0.4' }
const byName = { key: 'payload.name', keyType: 'msg', parallel: '1', pace: '' }
const route = `const { to, ...rest } = msg.payload
const out = Object.assign(to === 'batch' ? {} : { payload: {} }, rest)
node.send(['wait', 'batch', 'page'].map((one) => (one === to ? out : null)).concat(msg))`
const reading = `msg.payload = global.get('got') || []; return msg`
const noteFrom = (from: string) => `const got = global.get('got') || []
got.push({ from: '${from}', documentId: msg.documentId, name: msg.payload && msg.payload.name, eventId: msg.eventId,
  embedUrl: msg.embedUrl, redelivered: msg.redelivered })
global.set('got', got)`
