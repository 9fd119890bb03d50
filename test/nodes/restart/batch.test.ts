/**
 * Node-RED is killed repeatedly in the middle of a batch, with the settings of a fresh installation: every row is
 * created once.
 *
 * @rest
 */
import should from 'should'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until, untilCount } from '../../support/time'
import type { Report } from '../../support/batch-flow'
import { startProcess, type Started } from '../../support/node-red/killable'
import { startService, type Service } from '../../support/service'

const count = 400
const parallel = 8
/** How many documents exist at each kill. */
const kills = [0, 30, 200, 203, 390]

describe('when Node-RED is killed in the middle of a batch', () => {
  let service: Service
  let userDir: string
  const all: Started[] = []

  before(async () => {
    service = await startService()
    userDir = mkdtempSync(join(tmpdir(), 'eid-batch-'))
  })
  after(async () => {
    await all.at(-1)?.kill()
    await service.close()
    rmSync(userDir, { recursive: true })
  })

  const start = async () => {
    const document = {
      title: 'payload.title',
      titleType: 'msg',
      file: 'payload.file',
      fileType: 'msg',
      fileName: 'lease.txt',
      fileNameType: 'str',
      contactEmail: 'kari.nordmann@example.com',
      signers: 'payload.signers',
      signersType: 'msg',
    }
    const started = await startProcess({
      userDir,
      flow: [
        { id: 'c', type: 'eid-client', retries: 0, baseUrl: service.url },
        {
          id: 'batch',
          z: 'f',
          type: 'eid-batch',
          key: 'payload.title',
          parallel,
          wires: [['make', 'sent'], ['report']],
        },
        { id: 'make', z: 'f', type: 'eid-create-document', client: 'c', ...document, wires: [['batch']] },
        { id: 'catch', z: 'f', type: 'catch', scope: ['make'], wires: [['batch', 'caught']] },
        ...['sent', 'report', 'caught'].map((id) => ({ id, z: 'f', type: 'helper' })),
      ],
    })
    all.push(started)
    return started
  }
  const made = () => [...service.sandbox.world.signature.documents.values()].map(({ externalId }) => externalId)
  const arrivedAt = (place: string) =>
    all.flatMap(({ arrived }) => arrived.filter(({ at }) => at === place).map(({ msg }) => msg))

  it(`makes ${count} documents, one for each row`, async () => {
    const signers = [
      {
        externalSignerId: 'ola-nordmann',
        redirectSettings: { redirectMode: 'donot_redirect' },
        signatureType: { mechanism: 'pkisignature' },
      },
    ]
    const file = 'YWdyZWVk'
    const list = Array.from({ length: count }, (_none, at) => ({ title: `Lease ${at + 1}`, file, signers }))
    let red = await start()
    red.send('batch', { payload: list, batchId: 'leases', note: 'kept' })
    for (const least of kills) {
      await untilCount(() => (least === 0 ? arrivedAt('sent').length : made().length), Math.max(least, 1))
      await red.kill()
      red = await start()
    }
    const reports = () => arrivedAt('report').filter(({ status }) => status === 'ended')
    const [msg] = await until(() => (reports().length > 0 ? reports() : undefined))
    const { rows, ...totals } = msg?.payload as Report
    const sent = arrivedAt('sent')
    const repeats = sent.length - new Set(sent.map(({ externalId }) => externalId)).size
    const tallies = {
      kills: kills.length,
      sent: sent.length,
      repeats,
      made: made().length,
      caught: arrivedAt('caught').length,
    }
    console.log(
      `      ${Object.entries(tallies)
        .map((one) => one.join(' '))
        .join(', ')}`,
    )

    should(totals).deepEqual({ id: 'leases', total: count, done: count, failed: 0, changed: 0 })
    should(msg).have.property('note', 'kept')
    should(made()).have.length(count)
    should(new Set(made()).size).equal(count)
    should(rows.map(({ externalId }) => externalId).sort()).deepEqual(made().sort())
    should(new Set(rows.map(({ documentId }) => documentId)).size).equal(count)
    // A row that is sent for the second time is marked.
    const first = sent.filter(({ redelivered }) => !redelivered).map(({ externalId }) => externalId)
    should(new Set(first).size).equal(first.length)
    should(repeats).be.belowOrEqual(kills.length * parallel)

    // Sending the same list again only gives the report.
    const known = reports().length
    red.send('batch', { payload: list, batchId: 'leases' })
    await untilCount(() => reports().length, known + 1)
    should(arrivedAt('sent')).have.length(sent.length)
    should(made()).have.length(count)
  })
})
