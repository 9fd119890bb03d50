/** Lists from spreadsheets: encodings, separators, dates, and what is said of a file that is not a list. */
import should from 'should'
import { readRowList } from '../../../lib/runtime/files/row-list'
import { workbook } from '../../support/workbook'

const utf8 = (text: string) => Buffer.from(text, 'utf8')
const swapped = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
const rows = [
  { Navn: 'Håkon Ås', 'Leie pr. mnd': '12 500,00' },
  { Navn: 'Kari Nordmann', 'Leie pr. mnd': '9 000,50' },
]
const semicolons = 'Navn;Leie pr. mnd\r\nHåkon Ås;12 500,00\r\nKari Nordmann;9 000,50\r\n'

describe('a list from a text file', () => {
  const files: readonly [string, Buffer, object][] = [
    ['UTF-8', utf8(semicolons), { separator: ';', encoding: 'utf-8' }],
    ['UTF-8 with a byte-order mark', utf8(`\uFEFF${semicolons}`), { separator: ';', encoding: 'utf-8-bom' }],
    ['Windows-1252', Buffer.from(semicolons, 'latin1'), { separator: ';', encoding: 'windows-1252' }],
    ['UTF-16', Buffer.from(`\uFEFF${semicolons}`, 'utf16le'), { separator: ';', encoding: 'utf-16le' }],
    ['tabs', utf8(semicolons.replaceAll(';', '\t')), { separator: '\t', encoding: 'utf-8' }],
    [
      'commas and quotes',
      utf8('Navn,"Leie pr. mnd"\nHåkon Ås,"12 500,00"\nKari Nordmann,"9 000,50"'),
      { separator: ',', encoding: 'utf-8' },
    ],
    ['a line that names the separator', utf8(`sep=;\r\n${semicolons}`), { separator: ';', encoding: 'utf-8' }],
    ['UTF-16 with the bytes in the other order', swapped(semicolons), { separator: ';', encoding: 'utf-16le' }],
    [
      'commas, with a line break in the first heading',
      utf8('"Navn\n",Leie pr. mnd\nHåkon Ås,"12 500,00"\nKari Nordmann,"9 000,50"\n'),
      { separator: ',', encoding: 'utf-8' },
    ],
    [
      'line ends of several kinds',
      utf8('Navn;Leie pr. mnd\r\nHåkon Ås;12 500,00\nKari Nordmann;9 000,50\r'),
      { separator: ';', encoding: 'utf-8' },
    ],
    ['empty rows', utf8(`\r\n;\r\n${semicolons}\r\n;\r\n ; \r\n`), { separator: ';', encoding: 'utf-8' }],
  ]
  for (const [what, bytes, text] of files) {
    it(`is read in ${what}`, async () =>
      should(await readRowList(bytes)).deepEqual({ columns: ['Navn', 'Leie pr. mnd'], rows, text }))
  }

  it('has the letters of Windows that no other encoding has at these places', async () => {
    const bytes = Buffer.from([...Buffer.from('Navn;Leie\r\n"'), 0x93, 0x80, 0x94, ...Buffer.from('";1\r\n')])
    should(await readRowList(bytes)).containDeep({ rows: [{ Navn: '“€”', Leie: '1' }] })
  })

  it('keeps line breaks and quotes that stand in quotes, and names like __proto__', async () => {
    const list = await readRowList(utf8('Address;__proto__\n"Storgata 1\n""B""";1\n'))
    should('rows' in list && list.rows[0]?.Address).equal('Storgata 1\n"B"')
    should('rows' in list && Object.keys(list.rows[0] ?? {})).deepEqual(['Address', '__proto__'])
  })

  const wrong: readonly [string, string, object][] = [
    ['nothing in it', '', { key: 'listEmpty' }],
    ['column names only', 'Name;Rent\n', { key: 'listEmpty' }],
    ['a quote that is not closed', 'Name;Rent\nOla;"12', { key: 'listQuote', params: { row: 2 } }],
    ['a column without a name', 'Name;;Rent\nOla;1;2', { key: 'listUnnamed', params: { number: 2 } }],
    ['two columns of one name', 'Name;Rent;Name\nOla;1;2', { key: 'listTwice', params: { column: 'Name' } }],
    ['a row with too many cells', 'Name;Rent\nOla;1\nKari;2;3', { key: 'listLong', params: { row: 3, count: 2 } }],
    ['bytes of another program', 'PDF\0\0', { key: 'listFile' }],
  ]
  for (const [what, text, problem] of wrong) {
    it(`says where it is wrong: ${what}`, async () => should(await readRowList(utf8(text))).deepEqual(problem))
  }
})

describe('a list from an .xlsx file', () => {
  const sheets = {
    Tenants: [['Name', 'From', 'Rent', 'Paid'], ['Ola Nordmann', new Date(Date.UTC(2031, 11, 31)), 12500.5, true], []],
    Others: [['Name'], ['Kari Nordmann']],
  }

  it('has dates, numbers and yes or no as they are, and takes the first sheet', async () =>
    should(await readRowList(workbook(sheets))).deepEqual({
      columns: ['Name', 'From', 'Rent', 'Paid'],
      rows: [{ Name: 'Ola Nordmann', From: '2031-12-31', Rent: 12500.5, Paid: true }],
    }))

  it('takes the sheet that is named, and says when there is no such sheet', async () => {
    should(await readRowList(workbook(sheets), 'Others')).containDeep({ rows: [{ Name: 'Kari Nordmann' }] })
    should(await readRowList(workbook(sheets), 'Nobody')).deepEqual({ key: 'listSheet', params: { sheet: 'Nobody' } })
  })

  it('is refused when it only begins like one', async () =>
    should(await readRowList(Buffer.from('PK\u0003\u0004 nothing'))).deepEqual({ key: 'listFile' }))
})
