/**
 * Gestures of the editor with something pending, in a real Node-RED, with files and with PostgreSQL: nothing is lost, and
 * nothing happens twice. At the end, a table shows what was seen for each gesture and node.
 *
 * @rest
 */
import should from 'should'
import { createHmac } from 'node:crypto'
import { gestures, keepers, type Config, type Flow, type Gesture } from '../support/gestures'
import { act, startParties, type Parties } from '../support/parties'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { startService, type Service } from '../support/service'
import { startRuntime, type NodeRedProcess } from '../support/node-red/installed'
import { linkPackage } from '../support/node-red/user-folder'
import { temporaryFolder } from '../support/temporary-folder'
import { until } from '../support/time'
import type { RestingRow, SidebarView } from '../../plugins/sidebar/view'

/** What left a node, as its collector noted it. */
interface Got {
  readonly from: string
  readonly documentId?: string
  readonly payload?: { readonly name?: string; readonly total?: number; readonly done?: number; readonly type?: string }
  readonly eventId?: string
  readonly embedUrl?: string
  readonly redelivered?: boolean
  readonly batch?: { readonly id: string }
  readonly batchId?: string
  readonly topic?: string
  readonly status?: string
}

const installation = { label: 'Node-RED', node: process.execPath, redMain: require.resolve('node-red/red.js') }
const secret = 'of the webhook'
const at = { z: 'f', x: 1, y: 1 }

/** The flow with everything that keeps something, beside the flow from which the test reads what came out. */
function flowOf(service: Service, database: PostgresServer | undefined): Config[] {
  const ours = { ...at, ...(database && { shared: 'store' }), client: 'c' }
  return [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', baseUrl: service.url, retries: 0 },
    ...(database ? [{ id: 'store', type: 'eid-store', address: database.url, takeOver: 2 }] : []),
    { ...at, id: 'in', type: 'http in', url: '/in', method: 'post', wires: [['set']] },
    { ...at, id: 'set', type: 'function', outputs: 4, wires: [['wait'], ['batch'], ['page'], ['ok']], func: route },
    { ...at, id: 'ok', type: 'http response', wires: [] },
    { ...ours, id: 'wait', type: 'eid-wait', ...quick, wires: [['to-wait'], [], []] },
    { ...ours, id: 'batch', type: 'eid-batch', ...byName, wires: [['to-batch'], ['to-batch']] },
    { ...ours, id: 'page', type: 'eid-embed', url: 'url', wires: [[], [], ['to-page']] },
    { ...ours, id: 'hook', type: 'eid-webhook', wires: [['to-hook']], credentials: { secret } },
    { ...ours, id: 'events', type: 'eid-events', interval: '0.2', wires: [['to-events']] },
    { ...ours, id: 'alerts', type: 'eid-alerts', kinds: 'canceled', wires: [['to-alerts']] },
    ...keepers.map((id) => ({ id: `to-${id}`, ...at, type: 'function', outputs: 0, func: noteFrom(id), wires: [] })),
    { id: 'got-tab', type: 'tab', label: 'Got' },
    { id: 'got-in', z: 'got-tab', x: 1, y: 1, type: 'http in', url: '/got', method: 'get', wires: [['got']] },
    { id: 'got', z: 'got-tab', x: 1, y: 1, type: 'function', outputs: 1, func: reading, wires: [['got-out']] },
    { id: 'got-out', z: 'got-tab', x: 1, y: 1, type: 'http response', wires: [] },
  ]
}

/** A Node-RED with this flow, and what the test does to it. */
function desk(red: NodeRedProcess) {
  const deploy = async (flows: Flow, type = 'full') => {
    const headers = {
      'content-type': 'application/json',
      'Node-RED-API-Version': 'v2',
      'Node-RED-Deployment-Type': type,
    }
    const answer = await fetch(`${red.url}/flows`, { method: 'POST', headers, body: JSON.stringify({ flows }) })
    should(answer.status).equal(200)
  }
  const starts = () => red.output().match(/Started (modified )?(flows|nodes)/g)?.length ?? 0
  const get = async <T>(path: string) => (await (await fetch(red.url + path)).json()) as T
  /** The answer to a request that is repeated for as long as its node is starting. */
  const comeBack = (ask: () => Promise<Response>) =>
    until(async () => {
      const { status, headers } = await ask()
      return (status !== 503 || headers.get('retry-after') !== '2') && status
    })
  return {
    /** Deploys these flows one after the other, or at once; resolves when the last ones run. */
    async deploy(all: readonly Flow[], { type, atOnce }: Pick<Gesture, 'type' | 'atOnce'> = {}) {
      const before = starts()
      if (atOnce) await Promise.all(all.map((flows) => deploy(flows, type)))
      else for (const flows of all) await deploy(flows, type)
      await until(() => starts() >= before + all.length)
    },
    send: (to: string, msg: object) =>
      fetch(`${red.url}/in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to, ...msg }),
      }),
    got: async (from: string) => (await get<Got[]>('/got')).filter((one) => one.from === from),
    /** Sends an event to the webhook; resolves with the status of the answer. */
    call(id: string) {
      const body = JSON.stringify({ id, type: 'document_signed', payload: { documentId: 'd' }, tags: null })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature }
      return comeBack(() => fetch(`${red.url}/eid/webhook`, { method: 'POST', headers, body }))
    },
    open: (address: unknown) => comeBack(() => fetch(red.url + new URL(String(address), red.url).pathname)),
    resting: async () => (await get<SidebarView>('/eid/sidebar')).resting,
  }
}

type Desk = ReturnType<typeof desk>

/** Something pending in each node, and what has come out of them in the end. */
async function pend(key: string, { send, got, call, open }: Desk, service: Service, parties: Parties) {
  const [signed, canceled] = await Promise.all(
    ['signed', 'canceled'].map((end) => parties.createDocument(`${key}-${end}`)),
  )
  if (!signed || !canceled) throw new Error('no documents')
  const { documentId, signers } = signed
  const url = signers[0]?.url ?? ''
  for (const one of [signed, canceled]) await send('wait', { documentId: one.documentId })
  await send('page', { documentId, url })
  await send('batch', { batchId: key, payload: ['Ola', 'Kari'].map((name) => ({ name: `${key} ${name}` })) })
  should(await call(key)).equal(204)
  const isPolled = async (id: string) =>
    (await service.requests('getDocumentStatus')).some(({ path }) => path.includes(id))
  const rows = async (name: string) => (await got('batch')).filter((one) => one.payload?.name === `${key} ${name}`)
  const eventsOf = async (type: string) =>
    (await got('events')).filter((one) => one.documentId === documentId && one.payload?.type === type)
  const hooks = async (id: string) => (await got('hook')).filter(({ eventId }) => eventId === id)
  const page = await until(async () => (await got('page')).find((one) => one.documentId === documentId))
  const first = await until(async () => (await rows('Ola'))[0])
  await until(async () => (await hooks(key)).length > 0)
  await until(async () => (await eventsOf('document_created')).length > 0)
  for (const one of [signed, canceled]) await until(() => isPolled(one.documentId))
  const ofWait = async () => (await got('wait')).filter((one) => one.documentId === documentId)
  const alerts = async () =>
    (await got('alerts')).filter((one) => one.topic === 'canceled' && one.documentId === canceled.documentId)
  const reports = async () => (await got('batch')).filter((one) => one.batchId === key && one.status === 'ended')
  return {
    /** What happens at the service while the nodes may be disabled or gone. */
    async meanwhile() {
      await act(url)
      await parties.call('POST', `/signature/documents/${canceled.documentId}/cancel`, { reason: 'Moved' })
    },
    /** Waits until everything has come out, and counts how often it has. */
    async outcome(): Promise<Record<(typeof keepers)[number], string>> {
      await until(async () => (await ofWait()).length > 0)
      await until(async () => (await alerts()).length > 0)
      await until(async () => (await eventsOf('document_signed')).length > 0)
      // The row that was out comes back as the message that left before the gesture.
      await send('batch', { back: first })
      const second = await until(async () => (await rows('Kari'))[0])
      await send('batch', { back: second })
      const [report] = await until(async () => (await reports()).length > 0 && reports())
      const again = await call(key)
      const later = await call(`${key} later`)
      const opened = await open(page.embedUrl)
      await until(async () => (await hooks(`${key} later`)).length > 0)
      const sent = [...(await rows('Ola')), ...(await rows('Kari'))]
      const events = [...(await eventsOf('document_created')), ...(await eventsOf('document_signed'))]
      return {
        wait: times(await ofWait()),
        batch: `${times(sent, 2)}, ${report?.payload?.done} of 2 done`,
        page: opened === 200 ? 'opens' : String(opened),
        hook: `${[...new Set([again, later])].join(' and ')}, ${times(await hooks(key))}`,
        events: times(events, 2),
        alerts: times(await alerts()),
      }
    },
  }
}

/**
 * How often `of` different things came out. What leaves in the very moment of a deploy may be lost on its way; it then
 * comes out again, and says so.
 */
function times(got: readonly Got[], of = 1): string {
  const unmarked = got.filter(({ redelivered }) => redelivered !== true).length
  if (unmarked <= of && got.length >= of) return 'once'
  return `${Math.max(unmarked, got.length) / of} times`
}

const good = {
  wait: 'once',
  batch: 'once, 2 of 2 done',
  page: 'opens',
  hook: '204, once',
  events: 'once',
  alerts: 'once',
}

const table: string[][] = [['store', 'gesture', ...keepers]]

function tableText(): string {
  const widths = (table[0] ?? []).map((_cell, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`).join('\n')
}

after(() => console.log(`\n${tableText()}\n`))

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
      red = await startRuntime(installation, folder.path, flow())
    })
    after(async () => {
      await red?.stop()
      await database?.stop()
      await service?.close()
      folder.remove()
    })

    const flow = () => flowOf(service, database)

    for (const [number, gesture] of gestures.entries()) {
      it(gesture.name, async () => {
        const seen = desk(red)
        await seen.deploy([flow()])
        await seen.send('batch', { reset: true })
        const pending = await pend(`g${number}${shared ? 's' : ''}`, seen, service, parties)
        const [first, ...others] = gesture.deploys.map((change) => change(flow()))
        const now = gesture.atOnce ? [first ?? [], ...others] : [first ?? []]
        await seen.deploy(now, gesture)
        await pending.meanwhile()
        if (!gesture.atOnce && others.length > 0) await seen.deploy(others, gesture)
        const outcome = await pending.outcome()
        table.push([shared ? 'PostgreSQL' : 'embedded', gesture.name, ...keepers.map((one) => outcome[one])])
        should(outcome).deepEqual(good)
      })
    }

    it('see what rests after any deploy, and Node-RED may be killed meanwhile', async () => {
      const { deploy, send, call } = desk(red)
      const off = () => flow().map((one) => (keepers.some((id) => id === one.id) ? { ...one, d: true } : one))
      await deploy([flow()])
      const { documentId, signers } = await parties.createDocument(`gesture-killed-${shared}`)
      await send('wait', { documentId })
      await until(async () =>
        (await service.requests('getDocumentStatus')).some(({ path }) => path.includes(documentId)),
      )
      await deploy([off()], { type: 'nodes' })
      const isOurs = ({ id, waits }: RestingRow) => id === 'wait' && waits === 1
      const disabled = { state: 'disabled', type: 'eid-wait', flow: 'Leases' }
      should((await desk(red).resting()).find(isOurs)).have.properties(disabled)
      should(await call('none')).equal(503)
      red.kill()
      red = await startRuntime(installation, folder.path, off())
      const later = desk(red)
      should((await later.resting()).find(isOurs)).have.property('state', 'disabled')
      const rest = flow().filter(({ id }) => id !== 'wait')
      await later.deploy([rest], { type: 'nodes' })
      await until(async () => (await later.resting()).find((one) => isOurs(one) && one.state === 'gone'))
      await later.deploy([[...rest, { ...flow().find(({ id }) => id === 'wait'), id: 'next' }]])
      const body = JSON.stringify({ id: 'wait', shared: shared ? 'store' : '', action: 'continue', to: 'next' })
      const headers = { 'content-type': 'application/json', Origin: red.url }
      const answer = await fetch(`${red.url}/eid/sidebar/resting`, { method: 'POST', headers, body })
      should(await answer.json()).deepEqual({ ok: true })
      await act(signers[0]?.url ?? '')
      await until(async () => (await later.got('wait')).some((one) => one.documentId === documentId))
      await until(async () => !(await later.resting()).some(isOurs))
    })

    if (!shared) return
    it('use one namespace in two Node-REDs, one of which lacks the nodes', async () => {
      const seen = desk(red)
      await seen.deploy([flow()])
      const pending = await pend('namespace', seen, service, parties)
      const other = temporaryFolder()
      linkPackage(other.path)
      const lacking = flow().filter(({ id }) => !keepers.some((one) => one === id))
      const second = await startRuntime(installation, other.path, lacking)
      try {
        const isOurs = ({ id, state }: RestingRow) => id === 'wait' && state === 'gone'
        await until(async () => (await desk(second).resting()).some(isOurs))
        await desk(second).deploy([lacking])
        await pending.meanwhile()
        await seen.deploy([flow()])
        const outcome = await pending.outcome()
        table.push(['PostgreSQL', 'two Node-REDs, one lacks the nodes', ...keepers.map((one) => outcome[one])])
        should(outcome).deepEqual(good)
        should((await seen.resting()).filter(isOurs)).deepEqual([])
      } finally {
        await second.stop()
        other.remove()
      }
    })
  })
}

const quick = { pollInterval: '0.2', maxInterval: '0.4' }
const byName = { key: 'payload.name', keyType: 'msg', parallel: '1', pace: '' }
const route = `const { to, back, ...rest } = msg.payload
const out = back || Object.assign(to === 'batch' ? {} : { payload: {} }, rest)
node.send(['wait', 'batch', 'page'].map((one) => (one === to ? out : null)).concat(msg))`
const reading = `msg.payload = global.get('got') || []; return msg`
/** The id of the document is on the message, or in what an event or an alert says. */
const noteFrom = (from: string) => `const got = global.get('got') || []
const { payload } = msg
const documentId = msg.documentId || (payload && (payload.documentId || (payload.payload && payload.payload.documentId)))
got.push(Object.assign({}, msg, { from: '${from}', documentId }))
global.set('got', got)`
