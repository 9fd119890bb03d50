/** A corrected list with its rows in other places, with and without a row key: no one gets a second contract. */
import should from 'should'
import { startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'

interface Person {
  readonly Name: string
  readonly Unit?: string | number
  readonly Rent?: number
}

describe('a corrected list whose rows are in other places', () => {
  let flow: BatchFlow
  afterEach(removeFlow)
  const people = (...list: (string | Person)[]) => ({
    batchId: 'May',
    payload: list.map((one) => ({ Rent: 9000, ...(typeof one === 'string' ? { Name: one } : one) })),
  })
  /** Sends a list, returns the rows with these names without an error, and returns the report. */
  const sendAll = async (list: Record<string, unknown>, ...names: string[]) => {
    flow.send(list)
    const sent = await flow.rows(names.length)
    for (const row of sent) flow.send({ ...row })
    const { payload } = await flow.report()
    should(flow.waitingAt(0)).equal(0)
    should(sent.map((row) => (row.payload as Person).Name)).deepEqual(names)
    return payload
  }
  const problems = async (list: Record<string, unknown>) =>
    (await sendAll(list)).rows.map(({ problem = '' }) => problem)
  const byName = { key: '{Name}', keyType: 'tpl' }
  const byUnit = { key: 'payload.Unit', keyType: 'msg' }

  it('sends what is new alone when a row is put at the top of a list without a row key', async () => {
    flow = await startBatch()
    await sendAll(people('Ola', 'Kari'), 'Ola', 'Kari')
    const report = await sendAll(people('Per', 'Ola', 'Kari'), 'Per')
    should(report).have.properties({ total: 3, done: 3, failed: 0 })
    should(new Set(report.rows.map(({ externalId }) => externalId)).size).equal(3)
    await sendAll(people('Kari', 'Per', 'Ola'))
  })

  it('takes no row for another one when a row is removed from a list without a row key', async () => {
    flow = await startBatch()
    await sendAll(people('Ola', 'Kari', 'Per'), 'Ola', 'Kari', 'Per')
    const report = await sendAll(people('Kari', 'Per'))
    // Ola's row stays in the report, because it was done.
    should(report).have.properties({ total: 3, done: 3, failed: 0 })
  })

  it('sends nothing for a row that may be another one with other content', async () => {
    flow = await startBatch()
    await sendAll(people('Ola', 'Kari', 'Per'), 'Ola', 'Kari', 'Per')
    const list = () => people('Kari', { Name: 'Per', Rent: 9500 }, 'Nils')
    for (let time = 0; time < 2; time++) {
      const [kari, per, nils] = await problems(list())
      should(kari).equal('')
      should(per).startWith('Row key is empty, and a row that was sent before is missing from the list.')
      should(nils).startWith('The row has changed since it was done.')
    }
    // Ola's row is in the list again, so it is clear which rows the others are.
    await sendAll(people('Ola', 'Kari', 'Per', 'Nils'), 'Nils')
  })

  it('sends a row again that failed and was corrected, without a row key', async () => {
    flow = await startBatch({ attempts: 1 })
    flow.send(people('Ola', 'Kari'))
    const [ola = {}, kari = {}] = await flow.rows(2)
    const refused = { code: 'EID_REFUSED', message: 'It was refused.', cause: { outcome: 'not-done' } }
    flow.send({ ...ola, error: refused })
    flow.send({ ...kari })
    should((await flow.report()).payload).have.properties({ done: 1, failed: 1 })
    await sendAll(people('Kari', { Name: 'Ola', Rent: 9500 }), 'Ola')
  })

  it('sends identical rows once each, and the one that is added', async () => {
    flow = await startBatch()
    await sendAll(people('Ola', 'Ola'), 'Ola', 'Ola')
    await sendAll(people('Ola', 'Ola', 'Ola'), 'Ola')
    await sendAll(people('Ola', 'Ola', 'Ola'))
  })

  it('recognizes its rows when a row key is chosen, and when another one is chosen', async () => {
    flow = await startBatch()
    const all = [
      { Name: 'Ola', Unit: 2 },
      { Name: 'Kari', Unit: 1 },
    ]
    const first = await sendAll(people(...all), 'Ola', 'Kari')
    await flow.redeploy(byName)
    await sendAll(people(...all))
    await flow.redeploy(byUnit)
    const second = await sendAll(people(...all))
    should(second.rows.map(({ externalId }) => externalId)).deepEqual(first.rows.map(({ externalId }) => externalId))
    should(second.rows.map(({ key }) => key)).deepEqual(['2', '1'])
    // The row is found by its key, although its content has changed.
    const third = await sendAll(
      people({ Name: 'Ola', Unit: 2, Rent: 9500 }, { Name: 'Per', Unit: 3 }, ...all.slice(1)),
      'Per',
    )
    should(third).have.properties({ total: 3, done: 2, failed: 1 })
    should(third.rows[0]?.problem).startWith('The row has changed since it was done.')
    should(new Set(third.rows.map(({ externalId }) => externalId)).size).equal(3)
  })

  it('says so when a row can no longer be recognized because another row key was chosen', async () => {
    flow = await startBatch(byName)
    await sendAll(people({ Name: 'Ola', Unit: 7 }, { Name: 'Kari', Unit: 8 }), 'Ola', 'Kari')
    await flow.redeploy(byUnit)
    const list = () => people({ Name: 'Ola', Unit: 7, Rent: 9500 }, { Name: 'Kari', Unit: 8 })
    for (let time = 0; time < 2; time++) {
      const [ola, kari] = await problems(list())
      should(ola).startWith(
        'Row key was changed, and a row that was sent before is missing from the list or has changed.',
      )
      should(kari).equal('')
    }
  })

  it('takes rows back that were on their way when another row key was chosen', async () => {
    flow = await startBatch()
    flow.send(people({ Name: 'Ola', Unit: 2 }, { Name: 'Kari', Unit: 1 }))
    const sent = await flow.rows(2)
    await flow.redeploy(byUnit)
    flow.send(people({ Name: 'Ola', Unit: 2 }, { Name: 'Kari', Unit: 1 }))
    for (const row of sent) flow.send({ ...row })
    should((await flow.report()).payload).have.properties({ total: 2, done: 2, failed: 0 })
    should(flow.waitingAt(0)).equal(0)
    await sendAll(people({ Name: 'Ola', Unit: 2 }, { Name: 'Kari', Unit: 1 }))
  })

  it('recognizes a row by its key, a number or a text, in any Unicode form', async () => {
    flow = await startBatch(byUnit)
    await sendAll(people({ Name: 'Ola', Unit: 7 }, { Name: 'Kari', Unit: 'Åse' }), 'Ola', 'Kari')
    const again = people({ Name: 'Ola', Unit: '7' }, { Name: 'Kari', Unit: ' Åse'.normalize('NFD') })
    const report = await sendAll(again)
    should(report.rows[0]).have.properties({ key: '7', state: 'done' })
    should(report).have.properties({ total: 2, done: 1, failed: 1 })
    const reordered = { batchId: 'May', payload: [{ Unit: 7, Name: 'Ola', Rent: '9000' }] }
    should(await sendAll(reordered)).have.properties({ total: 2, done: 2, failed: 0 })
  })
})
