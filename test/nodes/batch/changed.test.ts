/** Rows of a list that was corrected after they were done: the sidebar sends them as new contracts, each change once. */
import should from 'should'
import { batchesOf, listEndedBatches } from '../../../lib/runtime/monitor/batches'
import { byNumber, startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import { until } from '../../support/time'

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
  const press = () => batchesOf('n')?.sendChanged?.('may')
  const offered = () => listEndedBatches().map(({ id, changed }) => [id, changed])

  it('are offered, sent once with keys of their own, and not again for the same change', async () => {
    await sendAll({ A: 1, B: 1 }, 2)
    should(offered()).deepEqual([['may', 0]])
    should(await press()).be.false()
    should(await sendAll({ A: 1, B: 2 }, 0)).have.properties({ done: 1, failed: 1 })
    should(offered()).deepEqual([['may', 1]])
    should(await press()).be.true()
    const [row = {}] = await flow.rows(1)
    should(row.payload).deepEqual({ number: 'B', rent: 2 })
    should(row.batch).have.property('id', 'may (changed)')
    // While they are on their way, and afterwards, there is nothing more to send.
    should(await press()).be.false()
    flow.send(row)
    should((await flow.report()).payload).have.properties({ id: 'may (changed)', total: 1, done: 1, failed: 0 })
    await sendAll({ A: 1, B: 2 }, 0)
    should(await press()).be.true()
    should((await flow.report()).payload).have.properties({ id: 'may (changed)', total: 1, done: 1, failed: 0 })
    should(flow.waitingAt(0)).equal(0)
  })

  it('are still offered after a deploy', async () => {
    await sendAll({ A: 1, B: 1 }, 2)
    await sendAll({ A: 1, B: 2 }, 0)
    await flow.redeploy({ ...byNumber, name: 'again' })
    should(offered()).deepEqual([['may', 1]])
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
    should(offered()).deepEqual([['may', 0]])
    flow.send({ reset: true })
    await until(() => offered().length === 0)
  })
})
