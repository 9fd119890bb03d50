/**
 * A rolling deploy: an older and a newer Node-RED on one database, with different nodes and a different format of
 * stored data.
 *
 * @rest
 */
import should from 'should'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { act, startParties, type CreatedDocument, type Parties } from '../support/parties'
import { startProcess, type Started } from '../support/node-red/killable'
import { startService, type Service } from '../support/service'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { until } from '../support/time'

const takeOver = 2

describe('a Node-RED of before and a newer one on one database', () => {
  let server: PostgresServer
  let service: Service
  let parties: Parties
  const folders: string[] = []
  const all: Started[] = []

  before(async () => {
    server = await startPostgres()
    service = await startService()
    parties = await startParties(service)
  })
  after(async () => {
    await Promise.all(all.map((one) => one.kill()))
    await service.close()
    await server.stop()
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  const start = async (nodes: readonly string[], storedVersion: number): Promise<Started> => {
    const userDir = mkdtempSync(join(tmpdir(), 'eid-rolling-'))
    folders.push(userDir)
    const wait = { z: 'f', type: 'eid-wait', client: 'c', shared: 's', pollInterval: '0.2', maxInterval: '0.5' }
    const started = await startProcess({
      userDir,
      storedVersion,
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        { id: 's', type: 'eid-store', address: server.url, takeOver },
        ...nodes.map((id) => ({ ...wait, id, wires: [['done'], ['other'], ['other']] })),
        { id: 'catch', z: 'f', type: 'catch', scope: null, wires: [['caught']] },
        ...['done', 'other', 'caught'].map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
    })
    all.push(started)
    return started
  }
  const startOlder = () => start(['waits'], 1)
  const startNewer = () => start(['waits', 'added'], 2)
  const createAll = (count: number, name: string) =>
    Promise.all(Array.from({ length: count }, (_none, number) => parties.createDocument(`${name}-${number}`)))
  const idsOf = (documents: readonly CreatedDocument[]) => documents.map(({ documentId }) => documentId).sort()
  const sign = (documents: readonly CreatedDocument[]) =>
    Promise.all(documents.map(({ signers }) => act(signers[0]?.url ?? '')))
  const send = (red: Started, to: string, documents: readonly CreatedDocument[]) => {
    for (const { documentId } of documents) red.send(to, { documentId, to })
  }
  const query = async (text: string) => {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(text)
    await client.end()
    return rows
  }
  /** The number of pending waits by node and version, and how often they were delivered at most. */
  const kept = () =>
    query(`select node, version, count(*)::int, max(handed) as handed from eid_kept where kind = 'waits'
      group by node, version order by node, version`)
  const leased = () => query(`select key from eid_kept where kind = 'waits' and leased > now()`)
  const arrived = (...reds: Started[]) => reds.flatMap((red) => red.arrived)
  const endedBy = (...reds: Started[]) => arrived(...reds).map(({ msg }) => String(msg.documentId))

  it('end each wait once, and the older one leaves alone what only the newer one knows', async () => {
    const older = await startOlder()
    const newer = await startNewer()
    const ofOlder = await createAll(10, 'older')
    const ofNewer = await createAll(10, 'newer')
    const ofAdded = await createAll(10, 'added')
    send(older, 'waits', ofOlder)
    send(newer, 'waits', ofNewer)
    send(newer, 'added', ofAdded)
    const onlyNewer = [
      { node: 'added', version: 2, count: 10, handed: 0 },
      { node: 'waits', version: 2, count: 10, handed: 0 },
    ]
    const ofBoth = [...onlyNewer, { node: 'waits', version: 1, count: 10, handed: 0 }]
    await until(async () => (await kept()).reduce((sum, { count }) => sum + Number(count), 0) === 30)
    should(await kept()).containDeep(ofBoth)

    await newer.kill()
    await sign([...ofOlder, ...ofNewer, ...ofAdded])
    await until(() => endedBy(older).length >= 10)
    // The newer one's claims have expired, and the older one continues with its own waits.
    await until(async () => (await leased()).length === 0)
    const late = await createAll(1, 'late')
    await sign(late)
    send(older, 'waits', late)
    await until(() => endedBy(older).length >= 11)
    should(endedBy(older).sort()).deepEqual(idsOf([...ofOlder, ...late]))
    await until(async () => isDeepStrictEqual(await kept(), onlyNewer))

    const again = await startNewer()
    await until(() => endedBy(again).length >= 20)
    await until(async () => (await kept()).length === 0)
    should(endedBy(again).sort()).deepEqual(idsOf([...ofNewer, ...ofAdded]))
    should(arrived(older, newer, again).every(({ at, msg }) => at === 'done' && !msg.redelivered)).be.true()

    // Then the older one is killed while it has claims.
    const left = await createAll(10, 'left')
    send(older, 'waits', left)
    await until(async () => (await kept()).some(({ count }) => count === 10))
    await older.kill()
    await sign(left)
    await until(async () => (await kept()).length === 0)
    await until(() => endedBy(older, again).length === 41)
    should(endedBy(older, newer, again).sort()).deepEqual(idsOf([...ofOlder, ...ofNewer, ...ofAdded, ...late, ...left]))
  })
})
