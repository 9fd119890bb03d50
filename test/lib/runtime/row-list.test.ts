/** Lists from spreadsheets: encodings, separators, dates, and the errors for files that are not lists. */
import { strToU8, unzipSync, zipSync } from 'fflate'
import should from 'should'
import { readRowList } from '../../../lib/runtime/files/row-list'
import { workbook } from '../../support/files/workbook'

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
    it(`is read in ${what}`, async () => {
      const numbers = [what === 'empty rows' ? [0, 4] : [0, 2], [2, 0]]
      should(await readRowList(bytes)).deepEqual({ columns: ['Navn', 'Leie pr. mnd'], rows, fileRows: numbers, text })
    })
  }

  it('has the letters of Windows that no other encoding has at these places', async () => {
    const bytes = Buffer.from([...Buffer.from('Navn;Leie\r\n"'), 0x93, 0x80, 0x94, ...Buffer.from('";1\r\n')])
    should(await readRowList(bytes)).containDeep({ rows: [{ Navn: '“€”', Leie: '1' }] })
  })

  it('keeps line breaks and quotes inside quotes, and names like __proto__', async () => {
    const list = await readRowList(utf8('Address;__proto__\n"Storgata 1\n""B""";1\n'))
    should('rows' in list && list.rows[0]?.Address).equal('Storgata 1\n"B"')
    should('rows' in list && Object.keys(list.rows[0] ?? {})).deepEqual(['Address', '__proto__'])
  })

  it('loses the apostrophe that the report of a list puts before a text like a formula', async () => {
    const list = await readRowList(utf8("Mobile;Note;Quote\n'+4799999999;'=1+1;'s-Gravenhage\n"))
    should(list).containDeep({ rows: [{ Mobile: '+4799999999', Note: '=1+1', Quote: "'s-Gravenhage" }] })
  })

  it('has names that can be written in braces, however the headings are broken or composed', async () => {
    const list = await readRowList(utf8('"Last\nname";Rent\u00a0 in\tNOK;A\u030age;Two  spaces\nNordmann;1;2;3\n'))
    should(list).containDeep({ columns: ['Last name', 'Rent in NOK', 'Åge', 'Two  spaces'] })
    should(list).containDeep({ rows: [{ 'Last name': 'Nordmann', 'Rent in NOK': '1', Åge: '2' }] })
    const twice = await readRowList(utf8('"Last\nname";Last name\nNordmann;1\n'))
    should(twice).deepEqual({ key: 'listTwice', params: { column: 'Last name' } })
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
      shown: [{ From: '31/12/2031', Rent: '12500.5' }],
      fileRows: [
        [0, 2],
        [1, 0],
      ],
    }))

  it('takes the sheet that is named, and says when there is no such sheet', async () => {
    should(await readRowList(workbook(sheets), { sheet: 'Others' })).containDeep({ rows: [{ Name: 'Kari Nordmann' }] })
    should(await readRowList(workbook(sheets), { sheet: 'Nobody' })).deepEqual({
      key: 'listSheet',
      params: { sheet: 'Nobody' },
    })
  })

  it('names the sheet that has rows when the first one has none, but no hidden one', async () => {
    const rows = [['Name'], ['Kari Nordmann']]
    const problem = (sheets: Parameters<typeof workbook>[0], hidden: string[] = []) =>
      readRowList(workbook(sheets, { hidden }))
    const named = { key: 'listEmptySheet', params: { sheet: 'Leie & øvrig' } }
    should(await problem({ Empty: [], 'Leie & øvrig': rows })).deepEqual(named)
    should(await problem({ Empty: [['Name']], Notes: [], 'Leie & øvrig': rows })).deepEqual(named)
    should(await problem({ Old: rows, Empty: [], 'Leie & øvrig': rows }, ['Old'])).deepEqual(named)
    should(await problem({ Empty: [], Old: rows }, ['Old'])).deepEqual({ key: 'listEmpty' })
  })

  it('is refused when it only begins like one', async () =>
    should(await readRowList(Buffer.from('PK\u0003\u0004 nothing'))).deepEqual({ key: 'listFile' }))

  it('is refused when a formula failed, and the error names the row and the column', async () => {
    const file = (value: { error: string } | string) =>
      workbook({ May: [['Name', 'Rent'], [], ['Ola', 9000], ['Kari', value]] })
    const errors = ['#N/A', '#DIV/0!', '#REF!', '#NAME?', '#FIELD!', '#BLOCKED!', '#BUSY!', '#GETTING_DATA', 'Err:508']
    for (const error of errors)
      should(await readRowList(file({ error }))).deepEqual({
        key: 'listCell',
        params: { row: 4, column: 'Rent', value: error },
      })
    for (const value of ['#VERDI!', '#I/T', '#OVERFLØT!', '#FIELD!'])
      should(await readRowList(utf8(`Name;Rent\nOla;${value}\n`))).deepEqual({
        key: 'listCell',
        params: { row: 2, column: 'Rent', value },
      })
    for (const text of ['# 12', '#12', '#A', '#1!', '#SALE', 'Err:or'])
      should(await readRowList(file(text))).have.property('rows')
  })

  it('has what a formula calculated with the digits that a person sees', async () => {
    const list = await readRowList(
      workbook({ May: [['Rent'], [0.1 + 0.2], [3 * 1.1], [9000.5], [1_234_567_890_123_456]] }),
    )
    const rents = 'rows' in list ? list.rows.map(({ Rent }) => Rent) : []
    should(rents).deepEqual([0.3, 3.3, 9000.5, 1_234_567_890_123_456])
  })

  it('keeps the zeros that a format puts before a postal code or an account number', async () => {
    const code = (padded: number) => ({ padded, digits: 4 }) as const
    const account = { padded: 1_234_567_890, digits: 11 } as const
    const list = await readRowList(
      workbook({ May: [['Code', 'Account', 'Rent'], [code(150), account, 150], [code(7010)]] }),
    )
    should(list).containDeep({
      rows: [{ Code: '0150', Account: '01234567890', Rent: 150 }, { Code: '7010' }],
    })
  })

  it('has times of day as a person sees them', async () => {
    const times = (from1904: boolean) =>
      workbook(
        { May: [['At', 'From'], ...[0.5, 1 / 3, 0].map((time) => [{ time }, { time: 48_213 + time }])] },
        { from1904 },
      )
    const read = async (from1904: boolean) => {
      const list = await readRowList(times(from1904))
      return 'rows' in list ? list.rows : []
    }
    should((await read(false)).map(({ At }) => At)).deepEqual(['12:00', '08:00', '00:00'])
    should((await read(true)).map(({ At }) => At)).deepEqual(['12:00', '08:00', '00:00'])
    should((await read(false)).map(({ From }) => From).slice(0, 2)).deepEqual(['2031-12-31 12:00', '2031-12-31 08:00'])
  })

  it('has durations as hours, and is refused for a time of more than a day or a date that can be none', async () => {
    const file = (cell: Parameters<typeof workbook>[0][string][number][number]) =>
      workbook({ May: [['Name', 'Hours'], ...[{ duration: 0.5 }, cell].map((hours) => ['Ola', hours])] })
    should(await readRowList(file({ duration: 72.9 }))).containDeep({
      rows: [{ Hours: '12:00' }, { Hours: '1749:36' }],
    })
    should(await readRowList(file({ time: 1.5625 }))).deepEqual({
      key: 'listHours',
      params: { row: 3, column: 'Hours' },
    })
  })

  it('takes the first sheet that a person sees, and a hidden one by its name only', async () => {
    const file = workbook({ Draft: [['Name'], ['Nobody']], May: [['Name'], ['Ola']] }, { hidden: ['Draft'] })
    should(await readRowList(file)).containDeep({ rows: [{ Name: 'Ola' }] })
    should(await readRowList(file, { sheet: 'Draft' })).containDeep({ rows: [{ Name: 'Nobody' }] })
  })

  it('is refused when a row is hidden, such as by a filter: no one sees that it would be sent', async () => {
    const rows = [['Name'], ['Ola'], ['Kari'], [''], ['Per']]
    const read = (hiddenRows: number[]) => readRowList(workbook({ May: rows }, { hiddenRows }))
    should(await read([3])).deepEqual({ key: 'listHidden', params: { row: 3, column: 'Name' } })
    should(await read([1])).have.property('key', 'listHidden')
    const flat = workbook({ May: rows }, { hiddenRows: [3], hiddenBy: 'ht="0" customHeight="1"' })
    should(await readRowList(flat)).deepEqual({ key: 'listHidden', params: { row: 3, column: 'Name' } })
    should(await read([4])).containDeep({ rows: [{ Name: 'Ola' }, { Name: 'Kari' }, { Name: 'Per' }] })
    const many = [['Name'], ...Array.from({ length: 5000 }, (_none, at) => [`Tenant ${at}`])]
    const far = await readRowList(workbook({ May: many }, { hiddenRows: [4711] }))
    should(far).deepEqual({ key: 'listHidden', params: { row: 4711, column: 'Name' } })
  })

  it('is read without rows of nothing but spaces, hidden or not', async () => {
    const rows = [['Name'], ['Ola'], ['  '], ['Per']]
    for (const hiddenRows of [[], [3]]) {
      const list = await readRowList(workbook({ May: rows }, { hiddenRows }))
      should(list)
        .have.property('rows')
        .deepEqual([{ Name: 'Ola' }, { Name: 'Per' }])
    }
  })

  it('is refused when rows share a merged cell: only the first of them has its value', async () => {
    const rows = [
      ['Name', 'Address'],
      ['Ola', 'Storgata 1'],
      ['Kari', ''],
      ['', ''],
      ['Per', 'Lillegata 2'],
    ]
    const read = (joined: string[]) => readRowList(workbook({ May: rows }, { joined }))
    should(await read(['B2:B3'])).deepEqual({ key: 'listShared', params: { row: 3, column: 'Address' } })
    should(await read(['A3:B5'])).deepEqual({ key: 'listShared', params: { row: 5, column: 'Name' } })
    should(await read(['A2:B2', 'A3:B4', 'D1:D900000'])).containDeep({
      rows: [{ Name: 'Ola' }, { Name: 'Kari' }, { Name: 'Per' }],
    })
  })

  it('is refused when it unpacks to more than a process can bear', async () => {
    const whole = unzipSync(workbook(sheets))
    const changed = (part: string, content: Uint8Array) => Buffer.from(zipSync({ ...whole, [part]: content }))
    const packed = 'xl/worksheets/sheet1.xml'
    const cells = strToU8(`<worksheet><sheetData><row>${'<c/>'.repeat(6_100_000)}</row></sheetData></worksheet>`)
    for (const file of [changed(packed, new Uint8Array(135_000_000).fill(32)), changed(packed, cells)]) {
      should(file.length).be.below(2_000_000)
      const begun = process.memoryUsage().rss
      should(await readRowList(file)).deepEqual({ key: 'listUnpacked' })
      should(process.memoryUsage().rss - begun).be.below(500_000_000)
    }
  })

  it('reads no part that the list of parts in the file does not have, as that may unpack to anything', async () => {
    const hidden = Buffer.from(zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(100_000_000).fill(32) }))
    const file = workbook(sheets)
    const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
    const directory = file.readUInt32LE(end + 16)
    const added = hidden.subarray(0, hidden.indexOf(Buffer.from([0x50, 0x4b, 1, 2])))
    const both = Buffer.concat([file.subarray(0, directory), added, file.subarray(directory)])
    both.writeUInt32LE(directory + added.length, end + added.length + 16)
    should(await readRowList(both)).containDeep({ rows: [{ Name: 'Ola Nordmann' }] })
  })
})
