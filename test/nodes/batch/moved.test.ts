/** A corrected list whose rows stand in other places, with and without a row key: no one gets a second contract. */
import should from 'should'
import { startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'

describe('a corrected list whose rows stand in other places', () => {
  let flow: BatchFlow
  afterEach(removeFlow)
  const people = (...names: string[]) => ({ batchId: 'May', payload: names.map((Name) => ({ Name, Rent: 9000 })) })
  const sendAll = async (list: Record<string, unknown>, rows: number) => {
    flow.send(list)
    await flow.answer(rows)
    return (await flow.report()).payload
  }

  it('sends no row again that is known by its number, and says what to do; with a key, only what is new', async () => {
    flow = await startBatch()
    should(await sendAll(people('Ola', 'Kari'), 2)).have.properties({ done: 2, failed: 0 })
    const report = await sendAll(people('Per', 'Ola', 'Kari'), 0)
    should(report).have.properties({ done: 0, failed: 3 })
    should(report.rows[2]?.problem).startWith('A row with the same content is already done')
    await flow.redeploy({ key: '{Name}', keyType: 'tpl' })
    flow.send(people('Per', 'Ola', 'Kari'))
    const [row = {}] = await flow.rows(1)
    should(row.payload).have.property('Name', 'Per')
    flow.send({ ...row })
    should((await flow.report()).payload).have.properties({ total: 3, done: 3, failed: 0 })
  })

  it('knows a row by its key, however its letters are made, and with columns in another order', async () => {
    flow = await startBatch({ key: 'payload.Name', keyType: 'msg' })
    await sendAll(people('Åse'), 1)
    const again = { batchId: 'May', payload: [{ Rent: 9000, Name: ' Åse'.normalize('NFD') }] }
    should(await sendAll(again, 0)).have.properties({ total: 1, failed: 1 })
    const reordered = { batchId: 'May', payload: [{ Rent: 9000, Name: 'Åse' }] }
    should(await sendAll(reordered, 0)).have.properties({ total: 1, done: 1, failed: 0 })
  })
})
