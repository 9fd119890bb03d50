/** Rows whose errors no Catch node leads back: the list ends, and reports them as failed. */
import should from 'should'
import createDocument from '../../../nodes/create-document/create-document'
import { contractNode, startBatch } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import { clock, done, memory, openKept, take } from '../../support/kept-batches'
import { startService, type Service } from '../../support/service'
import { until } from '../../support/time'

const failed = { failed: true, outcome: 'not-done', result: { problem: 'refused' }, calls: [] } as const

describe('a row whose error no Catch node leads back', () => {
  const { open, stop } = openKept()
  afterEach(stop)

  /** Starts a list of two rows, of which the first one has failed in this way. */
  const startFailing = async () => {
    const store = memory()
    const opened = await open(store, { clock, graceMs: 20 })
    await take(opened.batches, 2)
    await until(() => opened.sent.length === 2)
    opened.batches.stopped('b', 'key-0', { sent: 1 }, failed)
    return { ...opened, store }
  }

  it('has failed, is not tried again, and the list ends', async () => {
    const { batches, sent, reports } = await startFailing()
    await batches.end({ id: 'b', key: 'key-1', sent: 1 }, done)
    const [rows = []] = await until(() => reports.length > 0 && reports)
    should(rows.map(({ phase, result }) => [phase, result?.problem])).deepEqual([
      ['failed', 'refused'],
      ['done', undefined],
    ])
    should(sent).have.length(2)
  })

  it('is done if another branch of the flow brings it back, before the list ends or after that', async () => {
    const { batches, reports, sent } = await startFailing()
    await until(() => batches.all()[0]?.rows.counts.failed === 1)
    await batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    should(batches.all()[0]?.rows.counts).have.properties({ done: 1, failed: 0 })
    await batches.end({ id: 'b', key: 'key-1', sent: 1 }, done)
    await until(() => reports.length === 1)

    const late = await startFailing()
    await late.batches.end({ id: 'b', key: 'key-1', sent: 1 }, done)
    await until(() => late.batches.all().length === 0)
    await late.batches.end({ id: 'b', key: 'key-0', sent: 1 }, done)
    await take(late.batches, 2)
    const [, rows = []] = await until(() => late.reports.length === 2 && late.reports)
    should(rows.map(({ phase }) => phase)).deepEqual(['done', 'done'])
    should([sent.length, late.sent.length]).deepEqual([2, 2])
  })
})

describe('a list with a node in a subflow, without a way back for errors', () => {
  let service: Service
  before(async () => void (service = await startService()))
  after(() => service.close())
  afterEach(removeFlow)

  it('ends, and reports the row that was refused, whose error a Catch node leads elsewhere', async () => {
    const create = {
      z: 's',
      ...contractNode,
      signersRows: [{ firstName: 'Ola', email: '{mail}', emailType: 'tpl', notification: 'off' }],
    }
    const flow = await startBatch(
      { wires: [['i'], ['out1']] },
      {
        client: { baseUrl: service.url },
        modules: [createDocument],
        more: [
          {
            id: 's',
            type: 'subflow',
            name: 'Creates',
            in: [{ wires: [{ id: 'create' }] }],
            out: [{ wires: [{ id: 'create', port: 0 }] }],
          },
          { ...create, id: 'create', wires: [[]] },
          { id: 'i', z: 'f', type: 'subflow:s', wires: [['n']] },
        ],
      },
    )
    flow.send({
      payload: [{ mail: 'ola.nordmann@example.com' }, { mail: 'no address' }, { mail: 'kari.nordmann@example.com' }],
    })
    const { payload } = await flow.report()
    should(payload).have.properties({ total: 3, done: 2, failed: 1 })
    should(payload.rows[1]).have.properties({ state: 'failed', code: 'EID_INVALID_INPUT', outcome: 'not-done' })
  })
})
