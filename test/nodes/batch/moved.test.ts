/** A list that is sent again with its rows in other places: rows are the same by their key or, without one, by content. */
import should from 'should'
import { startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'
import { sentence } from '../../support/wording'

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
    should(await sendAll(people('Kari', 'Per'))).have.properties({ total: 2, done: 2, failed: 0 })
    // Ola's row is remembered, although it was not in the latest list.
    await sendAll(people('Ola', 'Per'))
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

  it('sends a row without a row key as a new one when its content has changed', async () => {
    flow = await startBatch()
    await sendAll(people('Ola', 'Kari'), 'Ola', 'Kari')
    await sendAll(people('Kari', { Name: 'Ola', Rent: 9500 }), 'Ola')
  })

  it('is refused with another row key, until the list is forgotten or has another name', async () => {
    flow = await startBatch(byUnit)
    const all = () => people({ Name: 'Ola', Unit: 2 }, { Name: 'Kari', Unit: 1 })
    await sendAll(all(), 'Ola', 'Kari')
    await flow.redeploy(byName)
    flow.send(all())
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message).equal(
      `${sentence('batch', 'problems.otherShape', { path: 'Rows', id: 'May' })}. Nothing was sent.`,
    )
    await sendAll({ ...all(), batchId: 'June' }, 'Ola', 'Kari')
    flow.send({ reset: true, batchId: 'May' })
    await sendAll(all(), 'Ola', 'Kari')
  })

  it('is refused while its rows are in flight, and takes these back', async () => {
    flow = await startBatch()
    flow.send(people('Ola', 'Kari'))
    const sent = await flow.rows(2)
    await flow.redeploy(byName)
    flow.send(people('Ola', 'Kari'))
    should((await flow.caught()).error.code).equal('EID_INVALID_INPUT')
    for (const row of sent) flow.send({ ...row })
    should((await flow.report()).payload).have.properties({ total: 2, done: 2, failed: 0 })
    should(flow.waitingAt(0)).equal(0)
  })

  it('is refused whole if a key occurs twice, with the numbers of both rows', async () => {
    flow = await startBatch(byUnit)
    flow.send(people({ Name: 'Ola', Unit: 7 }, { Name: 'Kari', Unit: 8 }, { Name: 'Per', Unit: '7' }))
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message).startWith(sentence('batch', 'problems.sameKey', { path: 'Rows', row: 1, other: 3 }))
    await sendAll(people({ Name: 'Ola', Unit: 7 }), 'Ola')
  })

  it('recognizes a row by its key, a number or a text, in any Unicode form', async () => {
    flow = await startBatch(byUnit)
    await sendAll(people({ Name: 'Ola', Unit: 7 }, { Name: 'Kari', Unit: 'Åse' }), 'Ola', 'Kari')
    const again = people({ Name: 'Ola', Unit: '7' }, { Name: 'Kari', Unit: ' Åse'.normalize('NFD') })
    const report = await sendAll(again)
    should(report.rows[0]).have.properties({ key: '7', state: 'done' })
    should(report).have.properties({ total: 2, done: 1, changed: 1 })
    const reordered = { batchId: 'May', payload: [{ Unit: 7, Name: 'Ola', Rent: '9000' }] }
    should(await sendAll(reordered)).have.properties({ total: 1, done: 1, failed: 0 })
  })
})
