/**
 * Three whole Node-REDs on one database: each document is reminded once and ends once, and all three archive the same
 * documents into one folder while one of them is killed.
 *
 * @rest
 */
import should from 'should'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reportOf } from '../support/files/archive-folder'
import { leaseByEmail } from '../support/lease-by-email'
import { startProcess, type Started } from '../support/node-red/killable'
import { act, signedDocument, startParties, type CreatedDocument } from '../support/parties'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { startService, type Service } from '../support/service'
import { pause, until, untilCount } from '../support/time'

const documents = 12
const numbers = Array.from({ length: documents }, (_none, number) => number)

describe('three Node-REDs on one database, reminding and archiving', () => {
  let server: PostgresServer
  let service: Service
  const folders: string[] = []
  const running: Started[] = []
  const all: Started[] = []
  before(async () => {
    server = await startPostgres()
    service = await startService()
  })
  after(async () => {
    await killAll()
    await service.close()
    await server.stop()
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'eid-together-'))
    folders.push(folder)
    return folder
  }
  const archive = newFolder()
  const start = async (userDir: string, aheadMs = 0) => {
    const node = { z: 'f', client: 'c' }
    const wait = { ...node, type: 'eid-wait', shared: 's', pollInterval: '1', maxInterval: '2' }
    const keep = { ...node, type: 'eid-archive', operation: 'archive', archiveFolder: archive, archiveAs: 'Lease' }
    const red = await startProcess({
      userDir,
      aheadMs,
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        { id: 's', type: 'eid-store', address: server.url, takeOver: 3 },
        { ...wait, id: 'waits', remindAfter: '1', remindAt: '11:00', wires: [['done'], ['other'], ['other']] },
        { ...keep, id: 'archive', wires: [['archived']] },
        { ...node, id: 'pending', type: 'eid-pending', shared: 's', wires: [['listed']] },
        { ...node, id: 'catch', type: 'catch', scope: null, wires: [['caught']] },
        ...['done', 'other', 'archived', 'listed', 'caught'].map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
    })
    running.push(red)
    all.push(red)
    return red
  }
  const killAll = () => Promise.all(running.splice(0).map((one) => one.kill()))
  const arrivedAt = (place: string) => all.flatMap(({ arrived }) => arrived.filter(({ at }) => at === place))
  const idsAt = (place: string) => arrivedAt(place).map(({ msg }) => String(msg.documentId))
  const calledFor = async (operation: string) =>
    (await service.requests(operation)).map(({ path }) => /documents\/([^/]+)/.exec(path)?.[1] ?? '')

  it('remind of each document once, and list each end once', async () => {
    const homes = [newFolder(), newFolder(), newFolder()]
    const parties = await startParties(service)
    const made = await Promise.all(
      numbers.map((number) => parties.call<CreatedDocument>('POST', '/signature/documents', leaseByEmail(number))),
    )
    const ids = made.map(({ documentId }) => documentId)
    const first = await Promise.all(homes.map((home) => start(home)))
    // Two messages wait for each document, at two of the three Node-REDs.
    ids.forEach((documentId, number) => {
      for (const at of [number % 3, (number + 1) % 3]) first[at]?.send('waits', { documentId })
    })
    await until(async () => new Set(await calledFor('getDocumentStatus')).size === documents)
    await until(async () => (await calledFor('getDocumentStatus')).length >= 3 * documents)
    await killAll()

    const noon = new Date()
    noon.setDate(noon.getDate() + 1)
    noon.setHours(12, 0, 0, 0)
    const ahead = noon.getTime() - Date.now()
    const second = await Promise.all(homes.map((home) => start(home, ahead)))
    // Only the Node-REDs' clocks are ahead. By the database's clock, the next check is not due yet.
    second[1]?.send('waits', { flush: true })
    await untilCount(async () => (await calledFor('remindDocument')).length, documents)
    for (const { signers } of made) await act(signers[0]?.url ?? '')
    await until(() => new Set(idsAt('done')).size === documents && idsAt('done').length >= 2 * documents)
    const reminded = await calledFor('remindDocument')
    should(reminded.filter((id, at) => reminded.indexOf(id) < at)).deepEqual([])
    second[1]?.send('pending', {})
    const ended = await until(() => arrivedAt('listed')[0]?.msg.ended as { documentId: string }[] | undefined)
    should(ended.map(({ documentId }) => documentId).sort()).deepEqual([...ids, ...ids].sort())
    should(idsAt('other')).deepEqual([])
    await killAll()
  })

  it('archive each document once into one folder, each with an index of its own', async () => {
    const homes = [newFolder(), newFolder(), newFolder()]
    const ids: string[] = []
    for (const number of numbers) ids.push(await signedDocument(service, `archived-${number}`))
    const sendAll = (red: Started) => ids.forEach((documentId) => red.send('archive', { documentId }))
    const reds = await Promise.all(homes.map((home) => start(home)))
    reds.forEach(sendAll)
    await untilCount(() => idsAt('archived').length, 2)
    await pause(50)
    await reds[0]?.kill()
    const again = await start(homes[0] ?? '')
    sendAll(again)
    const ended = ({ arrived }: Started) => arrived.filter(({ at }) => at === 'archived' || at === 'caught').length
    await until(() => [again, ...reds.slice(1)].every((red) => ended(red) >= documents))
    should(arrivedAt('caught').filter(({ msg }) => ids.includes(String(msg.documentId)))).deepEqual([])
    const whole = { documents, whole: documents, missing: [], changed: [], added: [], chain: 'whole' }
    should(await reportOf(archive)).deepEqual(whole)
    const names = readdirSync(archive)
    should(names.filter((name) => name.startsWith('Lease'))).have.length(documents)
    should(names.filter((name) => name.startsWith('.unfinished'))).deepEqual([])
    const indexes = names.filter((name) => name.endsWith('.jsonl'))
    should(indexes.length).be.within(1, 3)
    const lines = indexes.flatMap((name) => readFileSync(join(archive, name), 'utf8').split('\n').slice(0, -1))
    const listed = lines.map((line) => (JSON.parse(line) as { documentId: string }).documentId)
    should(new Set(listed)).deepEqual(new Set(ids))
    should(lines).have.length(documents)
  })
})
