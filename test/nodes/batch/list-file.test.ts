/** A list from a spreadsheet: each row of the file is sent once, with the names of its columns. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import node from '../../../nodes/batch/batch'
import { byNumber, notDone, people, startBatch, failedRows } from '../../support/batch-flow'
import { removeFlow, startFlow, type Flow } from '../../support/flow'
import { workbook } from '../../support/files/workbook'

describe('batch with a list from a file', () => {
  let folder = ''
  let flow: Flow
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-list-'))
    const rows = [['Unit', 'Last name', 'Rent'], ['A 1', 'Nordmann', 12500], [], ['A 2', 'Hansen', 9000.5]]
    writeFileSync(join(folder, 'tenants.xlsx'), workbook({ Notes: [['x'], ['y']], Tenants: rows }))
    writeFileSync(join(folder, 'tenants.csv'), 'Unit;Last name\r\nA 1;Nordmann\r\nA 2;Ås\r\n', 'latin1')
    writeFileSync(join(folder, 'wrong.csv'), 'Unit;Unit\r\nA 1;Nordmann\r\n')
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
  afterEach(removeFlow)
  const start = async (settings: object) => {
    flow = await startFlow({ type: 'eid-batch', module: node, settings })
  }
  const twoRows = async () => {
    const rows = [await flow.next(), await flow.next()]
    return rows.map((msg) => ({ payload: msg.payload as unknown, key: (msg.batch as { key: string }).key }))
  }

  it('sends the rows of the sheet that is named, each by its key', async () => {
    const rows = join(folder, 'tenants.xlsx')
    await start({ rows, rowsType: 'path', sheet: 'Tenants', key: '{Unit}', keyType: 'tpl' })
    flow.send({})
    should(await twoRows()).deepEqual([
      { payload: { Unit: 'A 1', 'Last name': 'Nordmann', Rent: 12500 }, key: 'A 1' },
      { payload: { Unit: 'A 2', 'Last name': 'Hansen', Rent: 9000.5 }, key: 'A 2' },
    ])
  })

  it('reads the bytes of a file in the message as well', async () => {
    await start({})
    flow.send({ payload: Buffer.from('Unit;Last name\r\nA 1;Nordmann\r\nA 2;Ås\r\n', 'latin1') })
    should((await twoRows()).map(({ payload }) => payload)).deepEqual([
      { Unit: 'A 1', 'Last name': 'Nordmann' },
      { Unit: 'A 2', 'Last name': 'Ås' },
    ])
  })

  it('numbers its rows as the spreadsheet does, wherever a person reads about one', async () => {
    const rows = [['Unit', 'Rent'], [], ['A 1', 9000], ['A 2', 9000], [], ['', 9500], ['A 3', 9000]]
    const batch = await startBatch({ key: '{Unit}', keyType: 'tpl', attempts: 1 })
    batch.send({ batchId: 'May', payload: workbook({ A: rows }) })
    await batch.answer(3, (msg) =>
      (msg.batch as { key: string }).key === 'A 3' ? { ...msg, ...notDone('EID_INVALID_INPUT') } : msg,
    )
    const { payload, csv } = await batch.report()
    should(payload.rows.map(({ row, fileRow, key }) => [row, fileRow, key])).deepEqual([
      [1, 3, 'A 1'],
      [2, 4, 'A 2'],
      [3, 6, ''],
      [4, 7, 'A 3'],
    ])
    should(payload.rows[2]?.problem).startWith('The row has no key.')
    should(csv.split('\n')[0]).match(/^\uFEFFUnit;Rent;row;fileRow;key;state;/)
    should(csv.split('\n')[4]).match(/^A 3;9000;4;7;A 3;failed;/)
    should((await failedRows('May')).map(({ row, key }) => [row, key])).deepEqual([
      [6, ''],
      [7, 'A 3'],
    ])
  })

  it('has no such numbers when it does not come from a file', async () => {
    const batch = await startBatch(byNumber)
    batch.send({ payload: people(1) })
    const [msg] = await batch.rows(1)
    should(msg?.batch).not.have.property('fileRow')
    batch.send(msg ?? {})
    should((await batch.report()).csv.split('\n')[0]).match(/;row;key;state;/)
  })

  const wrong: readonly [string, () => object, unknown, string][] = [
    [
      'a sheet that is not there',
      () => ({ rows: join(folder, 'tenants.xlsx'), rowsType: 'path', sheet: 'May' }),
      '',
      'there is no sheet May',
    ],
    [
      'two columns of one name',
      () => ({ rows: join(folder, 'wrong.csv'), rowsType: 'path' }),
      '',
      'two columns are called Unit',
    ],
    ['a file that is not there', () => ({ rows: join(folder, 'none.csv'), rowsType: 'path' }), '', 'none.csv'],
    ['a text in the message', () => ({}), 'QUJDRA==', 'must be a list'],
  ]
  for (const [what, settings, payload, words] of wrong) {
    it(`says what is wrong: ${what}`, async () => {
      await start(settings())
      flow.send({ payload })
      const { error } = await flow.caught()
      should(error.code).equal('EID_INVALID_INPUT')
      should(error.message).containEql(words)
    })
  }
})
