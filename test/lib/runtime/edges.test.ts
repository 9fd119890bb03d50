/** Unusual values in texts, lists and Word files: which are skipped, converted, or refused. */
import should from 'should'
import { readRowList } from '../../../lib/runtime/files/row-list'
import type { WordField } from '../../../lib/runtime/files/word-field'
import { fieldsOfWord, fillWord } from '../../../lib/runtime/files/word-file'
import { withFixedTimes } from '../../../lib/runtime/files/zip-times'
import { builtInOf, fillTemplate } from '../../../lib/runtime/values/template'
import { wordDocument } from '../../support/files/word-document'
import { workbook } from '../../support/files/workbook'

describe('odd values', () => {
  it('in a list: a mark of UTF-8 before other bytes, and a date with a time', async () => {
    should(await readRowList(Buffer.from([0xef, 0xbb, 0xbf, 0x4e, 0xe5]))).deepEqual({
      key: 'listLetters',
      params: { row: 1 },
    })
    const noon = new Date(Date.UTC(2031, 11, 31, 12, 0))
    const list = await readRowList(
      workbook({
        A: [
          ['When', 'No'],
          [noon, false],
        ],
      }),
    )
    should(list).containDeep({ rows: [{ When: '2031-12-31 12:00', No: false }] })
    should(await readRowList(Buffer.from('PK\u0003\u0004'))).deepEqual({ key: 'listFile' })
  })

  it('in a Word file: a part that comes twice, items that are no objects, a list that is missing', async () => {
    const twice = wordDocument(['{#a}{b}{/a}{#a}{c}{/a}'])
    should(await fieldsOfWord(twice)).deepEqual([{ name: 'a', inside: [{ name: 'b' }, { name: 'c' }] }])
    const fields = (await fieldsOfWord(wordDocument(['{#a}{b}{/}']))) as readonly WordField[]
    const fill = (values: object) => fillWord(wordDocument(['{#a}{b}{/}']), fields, { ...values }, new Set())
    should(await fill({ a: ['x'], b: 1 })).deepEqual({
      problems: [{ key: 'wordMissing', params: { field: 'a[0].b' } }],
    })
    should(await fill({ b: 1 })).deepEqual({ problems: [{ key: 'wordNoList', params: { field: 'a' } }] })
    should(withFixedTimes(Buffer.from('no zip')).toString()).equal('no zip')
  })

  it('in a text: what the payload holds without a value is not taken from elsewhere in the message', () => {
    for (const [field, payload] of [
      ['Name', { Name: null }],
      ['Name.first', { Name: null }],
      ['Name.first', { Name: { first: null } }],
      ['date', { date: null }],
    ] as const) {
      const problems: object[] = []
      const msg = { payload, Name: 'Kari', 'Name.first': 'Kari' }
      should(
        fillTemplate([{ field }], msg, { path: 'title', builtIn: builtInOf({}, 0) }, problems as never),
      ).be.undefined()
      should(problems).deepEqual([{ path: 'title', key: 'fieldNull', params: { field } }])
    }
    for (const payload of [{ Name: { last: 'Nordmann' } }, null])
      should(
        fillTemplate([{ field: 'Name.first' }], { payload, Name: { first: 'Kari' } }, { path: 'title' }, []),
      ).equal('Kari')
  })

  it('in a text: numbers, values that are not numbers, and the first signer of a list from elsewhere', () => {
    const problems: { path: string; key: string }[] = []
    const parts = [{ field: 'n' }, { text: ' ' }, { field: 'signer' }]
    const builtIn = builtInOf({ signers: { list: [{ signerInfo: { firstName: 'Ola' } }] } }, 0)
    should(fillTemplate(parts, { payload: { n: 5 } }, { path: 'title', builtIn }, problems)).equal('5 Ola')
    should(fillTemplate(parts, { payload: { n: NaN } }, { path: 'title' }, problems)).be.undefined()
    should(problems.map(({ key }) => key)).deepEqual(['fieldNotText', 'fieldMissing'])
  })
})
