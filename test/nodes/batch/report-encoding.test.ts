/** The report of a list from a file, with the separator and the encoding of the file. */
import should from 'should'
import { encodeText } from '../../../lib/runtime/files/encode-text'
import { readRowList, type RowList } from '../../../lib/runtime/files/row-list'
import { workbook } from '../../support/files/workbook'
import { startBatch } from '../../support/batch-flow'
import { removeFlow } from '../../support/flow'

describe('the report of a list from a file', () => {
  afterEach(removeFlow)

  const reportFor = async (bytes: Buffer) => {
    const flow = await startBatch({ key: 'payload.Name', keyType: 'msg' })
    flow.send({ payload: bytes })
    await flow.answer(1)
    return (await flow.report()).csv as string | Buffer
  }
  const text = 'Name;Town\nÅse;Tromsø\n'

  for (const [kind, bytes, expected] of [
    ['Windows-1252', Buffer.from(text, 'latin1'), Buffer.from('Name;Town;row;', 'latin1')],
    ['UTF-8', Buffer.from(text), 'Name;Town;row;'],
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`), '\uFEFFName;Town;row;'],
    ['names that are whole numbers', Buffer.from('Name;2031;Town\nÅse;1;Tromsø\n'), 'Name;2031;Town;row;'],
    ['tabs', Buffer.from(text.replaceAll(';', '\t')), 'Name\tTown\trow\t'],
    ['commas', Buffer.from(text.replaceAll(';', ',')), 'Name,Town,row,'],
    ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le'), Buffer.from('\uFEFFName;Town;row;', 'utf16le')],
    [
      'Excel',
      workbook({
        A: [
          ['Name', 'Town'],
          ['Åse', 'Tromsø'],
        ],
      }),
      '\uFEFFName;Town;row;',
    ],
  ] as const) {
    it(`is written like it: ${kind}`, async () => {
      const csv = await reportFor(bytes)
      should(Buffer.isBuffer(csv)).equal(Buffer.isBuffer(expected))
      should(Buffer.from(csv).subarray(0, Buffer.from(expected).length)).deepEqual(Buffer.from(expected))
      const list = (await readRowList(Buffer.from(csv))) as RowList
      should(list.rows[0]).match({ Name: 'Åse', Town: 'Tromsø', state: 'done' })
    })
  }

  it('has a name of its own for each column when its list was itself a report, of any number of lists', async () => {
    let bytes: Buffer = Buffer.from(text)
    for (let lists = 0; lists < 3; lists++) {
      bytes = Buffer.from(await reportFor(bytes))
      await removeFlow()
      should(await readRowList(bytes)).have.property('rows')
    }
  })

  it('is a list too if the columns of a message differ only in spaces from each other or from its own columns', async () => {
    const flow = await startBatch()
    flow.send({ payload: [{ 'state ': 1, ' row': 2, rent: 3, 'rent\u00a0': 4, '': 5, value: 6 }] })
    await flow.answer(1)
    const list = (await readRowList(Buffer.from((await flow.report()).csv))) as RowList
    should(list).have.property('rows')
    should(list.columns.slice(0, 6)).deepEqual(['state (2)', 'row (2)', 'rent', 'rent (2)', 'value', 'value (2)'])
    should(list.rows[0]).match({ 'state (2)': '1', rent: '3', 'rent (2)': '4', value: '5', state: 'done' })
  })

  it('has a question mark for a letter that Windows-1252 does not have', () =>
    should((encodeText('€ Łódź', 'windows-1252') as Buffer).toString('latin1')).equal('\x80 ?ód?'))
})
