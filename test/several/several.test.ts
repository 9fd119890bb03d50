/**
 * Three Node-REDs on one database, behind one address: one is killed, the database goes down and comes back, and
 * nothing is lost or done twice.
 *
 * @rest
 */
import should from 'should'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { act, startParties, type Parties } from '../support/parties'
import { startProcess, type Arrived, type Started } from '../support/node-red/killable'
import { startService, type Service } from '../support/service'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { pause, until, untilCount } from '../support/time'
import type { HttpServer } from '../support/servers/http-server'
import { inTurns } from './in-turns'
import { startRoundRobin } from './round-robin'
import { figures, hasShown, pairOf } from './seen'

const takeOver = 3
const waits = Number(process.env.EID_SEVERAL_WAITS ?? 120)
const secret = 'of the webhook'
const ends = ['done', 'ended', 'expired']
const outputs = ['message', 'final', 'page']

describe('three Node-REDs on one database', () => {
  let server: PostgresServer
  let service: Service
  let parties: Parties
  let proxy: HttpServer
  const folders: string[] = []
  let reds: Started[] = []
  /** All Node-REDs, including those that were killed, to read what arrived at them. */
  const all: Started[] = []

  before(async () => {
    server = await startPostgres()
    service = await startService()
    parties = await startParties(service)
    proxy = await startRoundRobin(() => reds.map(({ url }) => url))
  })
  after(async () => {
    await Promise.all(reds.map((one) => one.kill()))
    await proxy.close()
    await service.close()
    await server.stop()
    for (const folder of folders) rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    const missing = Array.from({ length: 3 - reds.length }, () => start())
    reds.push(...(await Promise.all(missing)))
  })

  const start = async (): Promise<Started> => {
    const userDir = mkdtempSync(join(tmpdir(), 'eid-several-'))
    folders.push(userDir)
    const node = { z: 'f', client: 'c', shared: 's' }
    const webhook = { path: '/hook', register: true, publicUrl: proxy.url, events: 'nothing_of_all' }
    const started = await startProcess({
      userDir,
      statusOf: ['waits', 'webhook'],
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        { id: 's', type: 'eid-store', address: server.url, takeOver },
        { ...node, id: 'waits', type: 'eid-wait', pollInterval: '1', maxInterval: '2', wires: ends.map((id) => [id]) },
        // This wait polls only once an hour.
        { ...node, id: 'patient', type: 'eid-wait', pollInterval: '3600', wires: ends.map((id) => [id]) },
        { ...node, id: 'pending', type: 'eid-pending', wires: [['listed']] },
        { ...node, id: 'catch', type: 'catch', scope: ['waits'], wires: [['caught']] },
        { ...node, id: 'embed', type: 'eid-embed', publicUrl: proxy.url, wires: outputs.map((id) => [id]) },
        { ...node, id: 'webhook', type: 'eid-webhook', ...webhook, wires: [['entered']] },
        ...[...ends, ...outputs, 'entered', 'caught', 'listed'].map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
      credentials: { webhook: { secret } },
    })
    all.push(started)
    return started
  }
  const killFirst = async () => {
    const [first, ...others] = reds
    reds = others
    await first?.kill()
  }
  const arrivedAt = (...places: string[]): Arrived['msg'][] =>
    all.flatMap(({ arrived }) => arrived.filter(({ at }) => places.includes(at)).map(({ msg }) => msg))
  const post = async (url: string, id: string, documentId = 'doc-1') => {
    const body = JSON.stringify({ id, type: 'document_signed', payload: { documentId } })
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = { 'Content-Type': 'application/json', 'X-EID-Signature': signature }
    return (await fetch(`${url}/hook`, { method: 'POST', headers, body })).status
  }
  /** The report of a page whose document has been signed. */
  const saysSigned = (documentId: string) =>
    JSON.stringify({ origin: service.url, data: JSON.stringify({ type: 'sign_success', payload: { documentId } }) })
  const query = async (text: string) => {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query<Record<string, string>>(text)
    await client.end()
    return rows
  }

  it('register one webhook', async () => {
    await until(() => reds.every((red) => hasShown(red, 'webhook', /registered/)))
    const calls = await Promise.all(['createWebhook', 'updateWebhook'].map((one) => service.requests(one)))
    should(calls.map(({ length }) => length)).deepEqual([1, 0])
  })

  it('let 200 events in once, each delivered to two of them at the same time', async () => {
    const ids = Array.from({ length: 200 }, (_none, number) => `event-${number}`)
    const [one, two] = reds.map(({ url }) => url)
    await inTurns(ids, 10, async (id) => {
      should(await Promise.all([post(one ?? '', id), post(two ?? '', id)])).deepEqual([204, 204])
    })
    await untilCount(() => arrivedAt('entered').length, 200)
    // When no event is due any more, an event that comes a second time is recognized.
    const open = `select key from eid_kept where kind = 'events' and due is not null`
    await until(async () => (await query(open)).length === 0)
    const entered = arrivedAt('entered')
    should(entered.map(({ eventId }) => String(eventId)).sort()).deepEqual([...ids].sort())
    should(entered.filter(({ redelivered }) => redelivered)).deepEqual([])
  })

  it(`end ${waits} waits while one of them is killed`, async () => {
    const numbers = Array.from({ length: waits }, (_none, number) => number)
    const urls = new Map<string, string>()
    await inTurns(numbers, 20, async (number) => {
      const { documentId, signers } = await parties.createDocument(`several-${number}`)
      urls.set(documentId, signers[0]?.url ?? '')
    })
    const ids = [...urls.keys()].sort()
    ids.forEach((documentId, number) => reds[number % 3]?.send('waits', { documentId, note: documentId }))
    const waitsLeft = async () => Number((await query(`select count(*) from eid_kept where kind = 'waits'`))[0]?.count)
    const start = performance.now()
    const secondsNow = () => ((performance.now() - start) / 1000).toFixed(1)
    // Before a Node-RED is killed, all waits must be stored.
    await untilCount(waitsLeft, waits)
    const kept = secondsNow()
    const ended = () => arrivedAt(...ends)
    const signing = inTurns([...urls.values()], 10, (url) => act(url))
    await untilCount(() => ended().length, waits / 3)
    await killFirst()
    const killed = performance.now()
    const claimed = async () => (await query('select key, owner from eid_kept where owner is not null')).map(pairOf)
    const left = new Set(await claimed())
    await until(async () => !(await claimed()).some((pair) => left.has(pair)))
    const tookOver = (performance.now() - killed) / 1000
    await signing
    const signed = secondsNow()
    await until(async () => (await waitsLeft()) === 0)
    // The latest messages may still be in transit to this process.
    await until(() => new Set(ended().map(({ documentId }) => documentId)).size === waits).catch(() => undefined)
    const messages = ended()
    const there = new Set(messages.map(({ documentId }) => documentId))
    const lost = ids.filter((id) => !there.has(id))
    const doubles = messages.length - there.size
    const marked = messages.filter(({ redelivered }) => redelivered).length
    const seconds = { takeOver: tookOver.toFixed(1), kept, signed, allEnded: secondsNow() }
    figures({ ended: there.size, lost: lost.length, doubles, marked, ...seconds })
    should({ lost, caught: arrivedAt('caught') }).deepEqual({ lost: [], caught: [] })
    const first = new Set(messages.filter(({ redelivered }) => !redelivered).map(({ documentId }) => documentId))
    const unmarked = messages.filter(({ redelivered }) => !redelivered)
    should(unmarked).have.length(first.size)
    should(messages.every(({ note, documentId, status }) => note === documentId && status === 'signed')).be.true()
  })

  it('end every wait once though one is paused for three leases', async () => {
    const documents = await Promise.all(
      Array.from({ length: 60 }, (_none, number) => parties.createDocument(`frozen-${number}`)),
    )
    const ids = new Set(documents.map(({ documentId }) => documentId))
    documents.forEach(({ documentId }, number) => reds[number % 3]?.send('waits', { documentId }))
    await untilCount(async () => (await query(`select key from eid_kept where kind = 'waits'`)).length, 60)
    const [frozen] = reds
    // The Node-RED is paused in the middle of its polling.
    frozen?.freeze()
    await Promise.all(documents.map(({ signers }) => act(signers[0]?.url ?? '')))
    await pause(3 * takeOver * 1000)
    frozen?.goOn()
    const ended = () => arrivedAt(...ends).filter(({ documentId }) => ids.has(String(documentId)))
    await until(async () => (await query(`select key from eid_kept where kind = 'waits'`)).length === 0)
    await until(() => new Set(ended().map(({ documentId }) => documentId)).size === 60)
    const unmarked = ended().filter(({ redelivered }) => !redelivered)
    figures({ frozen: 60, doubles: ended().length - 60, unmarked: unmarked.length })
    should(new Set(unmarked.map(({ documentId }) => documentId)).size).equal(unmarked.length)
  })

  it('wake a wait at once by the event that another one receives, and list it wherever they are asked', async () => {
    const { documentId, signers } = await parties.createDocument('woken')
    const [first, second, third] = reds
    first?.send('patient', { documentId })
    const due = `select key from eid_kept where kind = 'waits' and owner is null and due > now() + interval '1 minute'`
    await until(async () => (await query(due)).length === 1)
    third?.send('pending', {})
    const [listed] = (await until(() => arrivedAt('listed')[0])).payload as Record<string, unknown>[]
    should(listed).containDeep({ kind: 'document', id: documentId, title: 'Contract woken', node: { id: 'patient' } })
    await act(signers[0]?.url ?? '')
    const signed = performance.now()
    should(await post(second?.url ?? '', 'event-woken', documentId)).equal(204)
    // Without the event, the next poll would be in an hour.
    await until(() => arrivedAt(...ends).some((msg) => msg.documentId === documentId))
    figures({ wokenAfterSeconds: ((performance.now() - signed) / 1000).toFixed(2) })
  })

  it('list the same ended waits, also an instance that was started since', async () => {
    const endedAt = async (red: Started | undefined) => {
      const since = red?.arrived.length ?? 0
      red?.send('pending', {})
      return (await until(() => red?.arrived.slice(since).find(({ at }) => at === 'listed'))).msg.ended as object[]
    }
    const before = await endedAt(reds[0])
    should(before).not.be.empty()
    await killFirst()
    for (const red of [...reds, (reds[2] = await start())]) should(await endedAt(red)).deepEqual(before)
  })

  it('give up a wait that was handed out five times without end, and say so', async () => {
    const { documentId, signers } = await parties.createDocument('handed-out')
    reds[0]?.send('waits', { documentId, note: 'mine' })
    // Only rows without an owner are changed, because an owner has already read how often the wait was delivered.
    const spent = `update eid_kept set handed = 5 where kind = 'waits' and owner is null returning key`
    await until(async () => (await query(spent)).length === 1)
    await act(signers[0]?.url ?? '')
    const caught = await until(() => arrivedAt('caught')[0])
    should(caught).containDeep({ documentId, note: 'mine', redelivered: true })
    should((caught.error as { code: string }).code).equal('EID_FAILED')
    await until(async () => (await query(`select key from eid_kept where kind = 'waits'`)).length === 0)
    should(arrivedAt(...ends).some((msg) => msg.documentId === documentId)).be.false()
  })

  it('serve the page of one that was killed, and end it once', async () => {
    const { documentId, signers } = await parties.createDocument('page')
    const url = signers[0]?.url ?? ''
    reds[0]?.send('embed', { documentId, url, note: 'mine' })
    const page = await until(() => arrivedAt('page').find((msg) => msg.documentId === documentId))
    const address = String(page.embedUrl)
    should(address.startsWith(proxy.url)).be.true()
    await killFirst()
    await act(url)
    should((await fetch(address)).status).equal(200)
    const body = saysSigned(documentId)
    // The load balancer sends each of the two reports to another Node-RED.
    const report = () => fetch(`${address}/messages`, { method: 'POST', body })
    should((await Promise.all([report(), report()])).map(({ status }) => status)).deepEqual([204, 204])
    for (const { url: own } of reds)
      await until(async () => (await fetch(own + new URL(address).pathname)).status === 410)
    const final = arrivedAt('final').filter((msg) => msg.documentId === documentId)
    should(final.map(({ confirmed, note }) => [confirmed, note])).deepEqual([[true, 'mine']])
  })

  it('report an end that a page had reported to an instance that was killed before it asked the service', async () => {
    const { documentId, signers } = await parties.createDocument('reported')
    const url = signers[0]?.url ?? ''
    const [first] = reds
    first?.send('embed', { documentId, url, note: 'mine' })
    const { embedUrl } = await until(() => arrivedAt('page').find((msg) => msg.documentId === documentId))
    await act(url)
    service.sandbox.world.requests.clear()
    await service.fault({ operation: 'getDocument', kind: 'slow', delay: 3_000 })
    const body = saysSigned(documentId)
    const page = new URL(String(embedUrl)).pathname
    should((await fetch(`${first?.url}${page}/messages`, { method: 'POST', body })).status).equal(204)
    await until(async () => (await service.requests('getDocument')).length > 0)
    await killFirst()
    const final = await until(() => arrivedAt('final').find((msg) => msg.documentId === documentId))
    should(final).containEql({ confirmed: true, note: 'mine' })
    for (const { url: own } of reds) await until(async () => (await fetch(own + page)).status === 410)
    should(arrivedAt('final').filter((msg) => msg.documentId === documentId)).have.length(1)
  })

  it('pause while the database is down, and resume by themselves', async () => {
    const { documentId, signers } = await parties.createDocument('away')
    const page = await parties.createDocument('page-away')
    reds[0]?.send('waits', { documentId })
    reds[1]?.send('embed', { documentId: page.documentId, url: page.signers[0]?.url })
    const { embedUrl } = await until(() => arrivedAt('page').find((msg) => msg.documentId === page.documentId))
    await until(async () => (await query(`select key from eid_kept where kind = 'waits'`)).length === 1)
    const since = reds.map(({ arrived }) => arrived.length)
    const everyoneSays = (text: RegExp) => reds.every((red, at) => hasShown(red, 'waits', text, since[at]))
    await server.crash()
    await until(() => everyoneSays(/brief\.storeAway|database unreachable/))
    should((await fetch(String(embedUrl))).status).equal(503)
    should(await post(proxy.url, 'while-away')).equal(503)
    await act(signers[0]?.url ?? '')
    await server.start()
    await until(() => arrivedAt(...ends).some((msg) => msg.documentId === documentId))
    await until(async () => (await fetch(String(embedUrl))).status === 200)
    // The service delivers the event again.
    await until(async () => (await post(proxy.url, 'while-away')) === 204)
    await until(() => arrivedAt('entered').some(({ eventId }) => eventId === 'while-away'))
  })
})
