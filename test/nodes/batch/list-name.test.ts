/** The name under which a list is remembered: of a setting, of the message, of its file, or none. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { byNumber, people, startBatch, type BatchFlow } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'

describe('the name of a list', () => {
  let folder = ''
  let flow: BatchFlow
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-name-'))
    writeFileSync(join(folder, 'tenants.csv'), 'number\nC-1\n')
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  afterEach(removeFlow)
  const named = (listName: string, more: object = {}) => ({ ...byNumber, listName, listNameType: 'tpl', ...more })
  const sendAll = async (msg: Record<string, unknown>, rows: number) => {
    flow.send(msg)
    await flow.answer(rows)
    return (await flow.report()).payload
  }

  it('is that of the setting, filled in from the message', async () => {
    flow = await startBatch(named('Rents {month}'))
    should(await sendAll({ month: 'May', payload: people(2) }, 2)).have.property('id', 'Rents May')
    should(await sendAll({ month: 'June', payload: people(2) }, 2)).have.property('id', 'Rents June')
    should(await sendAll({ month: 'May', payload: people(3) }, 1)).have.properties({ id: 'Rents May', total: 3 })
  })

  it('refuses the list if the setting needs a field that the message lacks', async () => {
    flow = await startBatch(named('Rents {month}'))
    flow.send({ payload: people(2) })
    const { error } = await flow.caught()
    should(error.code).equal('EID_INVALID_INPUT')
    should(error.message).startWith('List name needs {month}')
  })

  it('comes from msg.batchId before the setting, and from the setting before the file', async () => {
    const file = { rows: join(folder, 'tenants.csv'), rowsType: 'path' }
    flow = await startBatch(named('Rents', file))
    should(await sendAll({ batchId: 'once more' }, 1)).have.property('id', 'once more')
    should(await sendAll({}, 1)).have.property('id', 'Rents')
    await removeFlow()
    flow = await startBatch(named('', file))
    should(await sendAll({}, 1)).have.property('id', 'tenants.csv')
  })

  it('is one for all lists of the node that have none: only new rows are sent and reported', async () => {
    flow = await startBatch(byNumber)
    should(await sendAll({ payload: people(2) }, 2)).have.properties({ total: 2, done: 2 })
    const report = await sendAll({ payload: [{ number: 'C-2' }, { number: 'C-3' }] }, 1)
    should(report).have.properties({ total: 2, done: 2 })
    should(report.rows.map(({ key }) => key)).deepEqual(['C-2', 'C-3'])
    // C-1 is remembered, although it was not in the latest list.
    should(await sendAll({ payload: people(3) }, 0)).have.properties({ total: 3, done: 3 })
  })

  it('does not let a list without a name take the place of another one that is still sent', async () => {
    flow = await startBatch({ ...byNumber, parallel: 1 })
    flow.send({ payload: people(2) })
    const [first = {}] = await flow.rows(1)
    flow.send({ payload: [{ number: 'D-1' }] })
    flow.send(first)
    await flow.answer(1)
    await flow.answer(1)
    const { rows } = (await flow.report()).payload
    should(rows.map(({ key }) => key).sort()).deepEqual(['C-1', 'C-2', 'D-1'])
  })
})
