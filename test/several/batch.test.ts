/**
 * Two Node-REDs share a batch: one of them sends the rows, wherever they come back. If it is killed, the other takes
 * over.
 *
 * @rest
 */
import should from 'should'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from '../support/batch-flow'
import { startProcess, type Arrived, type Started } from '../support/node-red/killable'
import { startPostgres, type PostgresServer } from '../support/servers/postgres-server'
import { until, untilCount } from '../support/time'

const takeOver = 2
const count = 300

describe('two Node-REDs with one batch', () => {
  let server: PostgresServer
  const folders: string[] = []
  const all: Started[] = []

  before(async () => (server = await startPostgres()))
  afterEach(() => Promise.all(all.map((one) => one.kill())))
  after(async () => {
    await server.stop()
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  const start = async (onRow: (red: Started, msg: Arrived['msg']) => void): Promise<Started> => {
    const userDir = mkdtempSync(join(tmpdir(), 'eid-several-'))
    folders.push(userDir)
    const started = await startProcess({
      userDir,
      flow: [
        { id: 's', type: 'eid-store', address: server.url, takeOver },
        { id: 'batch', z: 'f', type: 'eid-batch', shared: 's', key: 'payload.n', wires: [['row'], ['report']] },
        ...['row', 'report'].map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
    })
    started.onArrived = ({ at, msg }) => at === 'row' && onRow(started, msg)
    all.push(started)
    return started
  }
  const arrivedAt = (place: string) =>
    all.flatMap(({ arrived }) => arrived.filter(({ at }) => at === place).map(({ msg }) => msg))
  const reports = () => arrivedAt('report').filter(({ status }) => status === 'ended')

  it('sends every row from one of them, takes it back in the other, and continues when one is killed', async () => {
    const reds: Started[] = []
    // Every row comes back to the Node-RED that did not send it, as after a wait that both share.
    const onRow = (from: Started, msg: Arrived['msg']) =>
      (reds.find((one) => one !== from) ?? from).send('batch', { ...msg, documentId: `doc-${String(msg.externalId)}` })
    reds.push(await start(onRow), await start(onRow))
    const payload = Array.from({ length: count }, (_none, n) => ({ n }))
    reds[0]?.send('batch', { payload, batchId: 'together' })
    await untilCount(() => arrivedAt('row').length, 100)
    const senders = reds.filter(({ arrived }) => arrived.some(({ at }) => at === 'row'))
    should(senders).have.length(1)
    const [leader] = senders
    reds.splice(reds.indexOf(leader as Started), 1)
    await leader?.kill()
    await until(() => reports().length > 0)
    const sent = arrivedAt('row').map(({ externalId, redelivered }) => ({ externalId, redelivered }))
    const once = new Set(sent.map(({ externalId }) => externalId))
    console.log(`      sent ${sent.length}, repeats ${sent.length - once.size}`)
    const [report] = reports()
    const { rows, ...totals } = report?.payload as Report
    should(totals).deepEqual({ id: 'together', total: count, done: count, failed: 0, changed: 0 })
    should(rows.every(({ documentId, externalId }) => documentId === `doc-${String(externalId)}`)).be.true()
    should(once.size).equal(count)
    const unmarked = sent.filter(({ redelivered }) => !redelivered)
    should(new Set(unmarked.map(({ externalId }) => externalId)).size).equal(unmarked.length)
    should(reports()).have.length(1)
  })

  it('continues when the leader is paused, which then sends nothing more', async () => {
    const reds: Started[] = []
    const onRow = (from: Started, msg: Arrived['msg']) => from.send('batch', { ...msg })
    reds.push(await start(onRow), await start(onRow))
    const payload = Array.from({ length: count }, (_none, n) => ({ n }))
    reds[0]?.send('batch', { payload, batchId: 'still' })
    const rows = () => arrivedAt('row').filter(({ batch }) => (batch as { id: string }).id === 'still')
    await untilCount(() => rows().length, 50)
    const leader = reds.find(({ arrived }) => arrived.some(({ at }) => at === 'row')) as Started
    leader.freeze()
    const other = reds.find((one) => one !== leader) as Started
    await untilCount(() => other.arrived.filter(({ at }) => at === 'row').length, 1)
    const sentByFirst = leader.arrived.filter(({ at }) => at === 'row').length
    leader.goOn()
    const ended = () => reports().filter(({ batchId }) => batchId === 'still')
    await until(() => ended().length > 0)
    const sent = rows().map(({ externalId, redelivered }) => ({ externalId, redelivered }))
    const once = new Set(sent.map(({ externalId }) => externalId))
    const late = leader.arrived.filter(({ at }) => at === 'row').length - sentByFirst
    console.log(
      `      sent ${sent.length}, repeats ${sent.length - once.size}, of the one that stood still afterwards ${late}`,
    )
    should(once.size).equal(count)
    const unmarked = sent.filter(({ redelivered }) => !redelivered)
    should(new Set(unmarked.map(({ externalId }) => externalId)).size).equal(unmarked.length)
    const { rows: _rows, ...totals } = ended()[0]?.payload as Report
    should(totals).deepEqual({ id: 'still', total: count, done: count, failed: 0, changed: 0 })
    should(ended()).have.length(1)
  })
})
