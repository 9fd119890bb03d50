/** Spreadsheets as Excel, Numbers, LibreOffice, report servers and payroll programs write them. */
import { utils, write, type BookType, type WorkBook } from '@e965/xlsx'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import should from 'should'
import { readRowList } from '../../../lib/runtime/files/row-list'
import { lockedOffice } from '../../support/files/compound-file'
import { rawWorkbook, text } from '../../support/files/raw-workbook'

/** The last cell of the only row of a list, or the problem. */
async function start(file: Buffer): Promise<unknown> {
  const list = await readRowList(file, { language: 'nb' })
  if ('key' in list) return list
  should(list.rows).have.length(1)
  return list.rows[0]?.Start
}

const row = (cell: string) => `<row r="2">${text('A2', 'Kari')}${cell}</row>`
const styled = (number: number) => row(`<c r="B2" s="1"><v>${number}</v></c>`)
const numFmt = (id: number, code: string) =>
  `<numFmts count="1"><numFmt numFmtId="${id}" formatCode="${code}"/></numFmts>`
const format = (id: number, code: string) => ({ formats: numFmt(id, code), style: `numFmtId="${id}"` })
const x = row(text('B2', 'x'))
const isFormula = { key: 'listFormula', params: { row: 2, column: 'Start' } }

describe('a spreadsheet as other programs write it', () => {
  const cases: readonly [string, Parameters<typeof rawWorkbook>[0], unknown][] = [
    [
      'a date with a format whose number is below 100',
      { rows: styled(46_388), ...format(59, 'd.m.yyyy') },
      '2027-01-01',
    ],
    ['an amount with number 50', { rows: styled(9500), ...format(50, '#,##0.00') }, 9500],
    ['an amount with number 71', { rows: styled(9500), ...format(71, '&quot;kr&quot; #,##0') }, 9500],
    ['a date without separators', { rows: styled(46_388), ...format(164, 'yyyymmdd') }, '2027-01-01'],
    [
      'days counted from 1904, in the words of LibreOffice',
      { rows: styled(44_926), style: 'numFmtId="14"', settings: '<workbookPr backupFile="false" date1904="true"/>' },
      '2027-01-01',
    ],
    ['a date as text', { rows: row('<c r="B2" t="d"><v>2027-01-01T00:00:00</v></c>') }, '2027-01-01'],
    ['a date as text with a time', { rows: row('<c r="B2" t="d"><v>2027-07-01T09:30:00</v></c>') }, '2027-07-01 09:30'],
    ['a date with a time zone', { rows: row('<c r="B2" t="d"><v>2027-01-01T00:00:00+01:00</v></c>') }, '2027-01-01'],
    ['a date in UTC', { rows: row('<c r="B2" t="d"><v>2027-07-01T00:00:00.000Z</v></c>') }, '2027-07-01'],
    ['a time as text', { rows: row('<c r="B2" t="d"><v>10:30:00.000</v></c>') }, '10:30'],
    [
      'a time that shows its seconds',
      { rows: styled(0.021_470_601_851_851_85), ...format(164, 'mm:ss.0') },
      '00:30:55',
    ],
    ['a text in CDATA', { rows: row(text('B2', '<![CDATA[1. januar 2027]]>')) }, '1. januar 2027'],
    ['a formula without a result', { rows: row('<c r="B2" t="n"><f>A2&amp;"x"</f></c>') }, isFormula],
    ['a formula with an empty result', { rows: row('<c r="B2" t="str"><f>A2</f><v></v></c>') }, ''],
    [
      'a formula that its program could not calculate',
      { rows: row('<c r="B2"><f>6*7</f><v>0</v></c>'), settings: '<calcPr calcId="124519" fullCalcOnLoad="1"/>' },
      isFormula,
    ],
    ['an empty last row', { rows: `${x}<row r="1048576" ht="12.8" hidden="false"></row>` }, 'x'],
    ['paths with backslashes', { rows: x, named: (name) => name.replaceAll('/', '\\') }, 'x'],
    ['references in small letters', { rows: row('<c r="b2" t="inlineStr"><is><t>x</t></is></c>') }, 'x'],
    [
      'no references at all',
      {
        rows: '',
        sheet: `<worksheet><sheetData>${['Name', 'Start', 'Kari', 'x'].map((cell, at) => `${at % 2 === 0 ? '<row>' : ''}<c t="inlineStr"><is><t>${cell}</t></is></c>${at % 2 === 0 ? '' : '</row>'}`).join('')}</sheetData></worksheet>`,
      },
      'x',
    ],
    [
      'names with a prefix',
      {
        rows: '',
        sheet: `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>Name</x:t></x:is></x:c><x:c r="B1" t="inlineStr"><x:is><x:t>Start</x:t></x:is></x:c></x:row><x:row r="2"><x:c r="B2"><x:f>A1</x:f></x:c></x:row></x:sheetData></x:worksheet>`,
      },
      isFormula,
    ],
  ]
  for (const [what, parts, expected] of cases)
    it(`is read with ${what}`, async () => should(await start(rawWorkbook(parts))).deepEqual(expected))

  it('needs a list of its parts, and its sheet is found in small and capital letters', async () => {
    const file = rawWorkbook({ rows: styled(46_388), style: 'numFmtId="14"' })
    const bare = rawWorkbook({
      rows: styled(46_388),
      style: 'numFmtId="14"',
      named: (name) => (name === '[Content_Types].xml' ? 'unused.xml' : name),
    })
    should(await start(file)).equal('2027-01-01')
    should(await start(bare)).deepEqual({ key: 'listFile' })
    should(await readRowList(file, { sheet: 'LIST' })).containDeep({ rows: [{ Start: '2027-01-01' }] })
  })

  it('is refused if it has a password', async () => {
    should(await start(lockedOffice())).have.property('key', 'listPassword')
  })

  it('takes the next sheet if the first one is a chart, and refuses a chart that is chosen', async () => {
    const file = withChart(rawWorkbook({ rows: x }))
    should(await start(file)).equal('x')
    should(await readRowList(file, { sheet: 'Chart' })).deepEqual({ key: 'listChart', params: { sheet: 'Chart' } })
  })

  it('says which row is only a title', async () => {
    const book = utils.book_new()
    const titled = [['Tenants 2027'], ['Name', 'Rent'], ['Kari', 9500]]
    utils.book_append_sheet(book, utils.aoa_to_sheet(titled), 'Tenants')
    should(await readRowList(bytesOf({ ...book, SheetNames: ['Tenants'] }, 'xlsx'))).deepEqual({
      key: 'listTitle',
      params: { row: 1, title: 'Tenants 2027' },
    })
    should(await readRowList(Buffer.from('Tenants 2027;;\nName;Rent;From\nKari;1;2\n'))).have.property(
      'key',
      'listTitle',
    )
    should(await readRowList(Buffer.from('Name\nKari\n'))).have.property('rows')
  })
})

const bytesOf = (book: WorkBook, bookType: BookType) => write(book, { type: 'buffer', bookType }) as Buffer

describe('a spreadsheet of another kind', () => {
  const sheet = () => {
    const cells = utils.aoa_to_sheet([
      ['Name', 'Start', 'Rent', 'Paid'],
      ['Kari Ås', '', 9500.5, true],
    ])
    cells.B2 = { t: 'n', v: 46_388, z: 'dd/mm/yyyy', w: '01.01.2027' }
    cells.C2 = { t: 'n', v: 9500.5, w: '9500,5' }
    const book = utils.book_new()
    utils.book_append_sheet(book, cells, 'List')
    return book
  }
  for (const kind of ['xlsx', 'xlsb', 'biff8', 'ods'] as const)
    it(`is read as .${kind === 'biff8' ? 'xls' : kind}`, async () => {
      const list = await readRowList(bytesOf(sheet(), kind), { language: 'nb' })
      should(list).containDeep({ rows: [{ Name: 'Kari Ås', Start: '2027-01-01', Rent: 9500.5, Paid: true }] })
      const shown = { Start: '01.01.2027', Rent: '9500,5' }
      should(list).containDeep({ shown: [shown] })
    })

  it('is refused if a row of it is hidden', async () => {
    const hidden = sheet()
    Object.assign(hidden.Sheets.List ?? {}, { '!rows': [{}, { hidden: true }] })
    for (const kind of ['xlsx', 'xlsb'] as const)
      should(await readRowList(bytesOf(hidden, kind))).deepEqual({
        key: 'listHidden',
        params: { row: 2, column: 'Name' },
      })
  })
})

describe('a list that is too long', () => {
  it('is refused in words', async () => {
    const lines = (count: number) => Buffer.from(`Name\n${'Kari\n'.repeat(count)}`)
    should(await readRowList(lines(20_000)))
      .have.property('rows')
      .with.length(20_000)
    should(await readRowList(lines(20_001))).deepEqual({ key: 'listMany', params: { count: 20_001 } })
    should(await readRowList(Buffer.alloc(20 * 1024 * 1024 + 1, 'a'))).deepEqual({ key: 'listBytes' })
  })
})

/** The workbook with a sheet before the others that is only a chart. */
function withChart(file: Buffer): Buffer {
  const parts = unzipSync(file)
  const changed = (name: string, before: string, markup: string) => {
    parts[name] = strToU8(strFromU8(parts[name] ?? new Uint8Array()).replace(before, markup + before))
  }
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.chartsheet+xml'
  changed('xl/workbook.xml', '<sheet ', '<sheet name="Chart" sheetId="2" r:id="rId3"/>')
  const relation = `<Relationship Id="rId3" Type="${office}/chartsheet" Target="chartsheets/sheet1.xml"/>`
  changed('xl/_rels/workbook.xml.rels', '</Relationships>', relation)
  changed('[Content_Types].xml', '</Types>', `<Override PartName="/xl/chartsheets/sheet1.xml" ContentType="${type}"/>`)
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  parts['xl/chartsheets/sheet1.xml'] = strToU8(`<chartsheet xmlns="${main}"><sheetViews/></chartsheet>`)
  return Buffer.from(zipSync(parts))
}
