/**
 * Rows of a list that were corrected after they were done: the sidebar sends them as new contracts, each change once.
 */
import should from 'should'
import { batchesOf, listBatches, listEndedBatches } from '../../../lib/runtime/monitor/batches'
import { type BatchFlow, byNumber, failedRows, startBatch } from '../../support/batch-flow'
import { RED } from '../../support/errors'
import { removeFlow } from '../../support/flow'
import { until } from '../../support/time'
import { sentence } from '../../support/wording'

describe('the changed rows of a list', () => {
  let flow: BatchFlow
  beforeEach(async () => void (flow = await startBatch(byNumber)))
  afterEach(removeFlow)

  const list = (rents: Record<string, number>) => ({
    batchId: 'may',
    payload: Object.entries(rents).map(([number, rent]) => ({ number, rent })),
  })
  const sendAll = async (rents: Record<string, number>, rows: number) => {
    flow.send(list(rents))
    await flow.answer(rows)
    return (await flow.report()).payload
  }
  const press = () => batchesOf(RED, 'n')?.sendChanged?.('may')
  const offered = () => listEndedBatches(RED).map(({ id, offersChanged }) => [id, offersChanged])

  it('are offered, sent once with keys of their own, and not again for the same change', async () => {
    await sendAll({ A: 1, B: 1 }, 2)
    should(offered()).deepEqual([['may', false]])
    should(await press()).be.false()
    should(await sendAll({ A: 1, B: 2 }, 0)).have.properties({ done: 1, changed: 1, failed: 0 })
    should(offered()).deepEqual([['may', true]])
    should(await press()).be.true()
    const [row = {}] = await flow.rows(1)
    should(row.payload).deepEqual({ number: 'B', rent: 2 })
    should(row.batch).have.property('id', 'may (changed)')
    // While the rows are in flight, and afterwards, there is nothing more to send.
    should(await press()).be.false()
    flow.send(row)
    should((await flow.report()).payload).have.properties({ id: 'may (changed)', total: 1, done: 1, failed: 0 })
    should(await sendAll({ A: 1, B: 2 }, 0)).have.properties({ done: 2, failed: 0 })
    should(await press()).be.false()
    should(flow.waitingAt(0)).equal(0)
  })

  it('count as changed until their new contracts are done, and nothing counts as failed', async () => {
    await sendAll({ A: 1, B: 1 }, 2)
    await sendAll({ A: 1, B: 2 }, 0)
    const ended = () => listEndedBatches(RED).map(({ id, done, changed, failed }) => [id, done, changed, failed])
    should(ended()).containDeep([['may', 1, 1, 0]])
    const words = sentence('batch', 'status.changed', { count: 1 })
    await until(() => flow.statuses.some(({ text }) => text?.endsWith(words)))
    await press()
    await flow.answer(1)
    await flow.report()
    should(await failedRows('may')).be.empty()
    should(ended()).containDeep([['may', 2, 0, 0]])
  })

  it('have the documents of their new contracts when the list is sent once more, also after a restart', async () => {
    await sendAll({ A: 1, B: 1 }, 2)
    await sendAll({ A: 1, B: 2 }, 0)
    await press()
    await flow.answer(1, (msg) => ({ ...msg, documentId: 'again' }))
    await flow.report()
    await until(async () => (await listBatches(RED)).length === 0)
    await flow.redeploy({ ...byNumber, name: 'again' })
    const { rows } = await sendAll({ A: 1, B: 2 }, 0)
    should(rows[1]).have.properties({ state: 'done', documentId: 'again' })
    // A different change is offered again.
    should(await sendAll({ A: 1, B: 3 }, 0)).have.properties({ done: 1, changed: 1, failed: 0 })
  })

  it('are still offered after a deploy', async () => {
    await sendAll({ A: 1, B: 1 }, 2)
    await sendAll({ A: 1, B: 2 }, 0)
    await flow.redeploy({ ...byNumber, name: 'again' })
    should(offered()).deepEqual([['may', true]])
    should(await press()).be.true()
    should((await flow.rows(1)).map(({ payload }) => payload)).deepEqual([{ number: 'B', rent: 2 }])
  })

  it('are new contracts: none has the key of an earlier one', async () => {
    flow.send(list({ B: 1 }))
    const [first = {}] = await flow.rows(1)
    flow.send({ ...first })
    await flow.report()
    const keys = [first.externalId]
    for (const rent of [2, 3]) {
      await sendAll({ B: rent }, 0)
      await press()
      const [row = {}] = await flow.rows(1)
      keys.push(row.externalId)
      flow.send({ ...row })
      await flow.report()
    }
    should(new Set(keys).size).equal(3)
  })

  it('are sent once when two people press at the same time', async () => {
    await sendAll({ A: 1 }, 1)
    await sendAll({ A: 2 }, 0)
    should((await Promise.all([press(), press()])).sort()).deepEqual([false, true])
    await flow.answer(1)
    should((await flow.report()).payload).have.property('total', 1)
  })

  it('are offered no more when the list comes back or is forgotten', async () => {
    await sendAll({ A: 1 }, 1)
    await sendAll({ A: 2 }, 0)
    await sendAll({ A: 1 }, 0)
    should(offered()).deepEqual([['may', false]])
    flow.send({ reset: true })
    await until(() => offered().length === 0)
  })
})

describe('a list with other columns', () => {
  let flow: BatchFlow
  beforeEach(async () => void (flow = await startBatch(byNumber)))
  afterEach(removeFlow)

  const file = (...lines: readonly string[]) => Buffer.from(lines.join('\n'))
  const sendAll = async (payload: unknown, rows: number, batchId = 'may') => {
    flow.send({ batchId, payload })
    await flow.answer(rows)
    return (await flow.report()).payload
  }
  const refuses = async (payload: unknown) => {
    flow.send({ batchId: 'may', payload })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message).startWith(sentence('batch', 'problems.otherShape', { path: 'Rows', id: 'may' }))
    should(flow.waitingAt(0)).equal(0)
  }

  it('is refused if a column was added, renamed or removed, in a file or in the message', async () => {
    await sendAll(file('number;rent', 'A;1', 'B;2'), 2)
    await refuses(file('number;rent;mail', 'A;1;', 'B;2;'))
    await refuses(file('number;monthly', 'A;1', 'B;2'))
    await refuses(file('number', 'A', 'B'))
    await refuses([{ number: 'A', rent: 1, mail: '' }])
  })

  it('is the same list if its columns are in another order, or come in the message', async () => {
    await sendAll(file('number;rent', 'A;1', 'B;2'), 2)
    const ended = await sendAll(file('rent;number', '1;A', '3;B'), 0)
    should(ended.rows.map(({ state }) => state)).deepEqual(['done', 'changed'])
    should(await sendAll([{ rent: 1, number: 'A' }, { number: 'B' }, { number: 'C', rent: 3 }], 1)).have.properties({
      done: 2,
      changed: 1,
      failed: 0,
    })
  })

  it('is sent under another name', async () => {
    await sendAll([{ number: 'A', rent: 1 }], 1)
    await sendAll([{ number: 'A', monthly: 1 }], 1, 'june')
  })

  it('is not one without rows, which has no columns', async () => {
    await sendAll([{ number: 'A', rent: 1 }], 1)
    await sendAll([], 0)
    await refuses([{ number: 'A', monthly: 1 }])
    await sendAll([{ number: 'A', rent: 1 }], 0)
  })
})
