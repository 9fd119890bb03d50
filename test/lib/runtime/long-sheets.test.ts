/** Long and sparse sheets: they are read in pieces, and each row keeps its content and its place. @rest */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import should from 'should'
import { readRowList } from '../../../lib/runtime/files/row-list'
import { statingAt, twoInOne } from '../../support/files/hostile-word'
import { workbook } from '../../support/files/workbook'

const part = 'xl/worksheets/sheet1.xml'

/** Enough rows for three pieces of markup. */
const long = Array.from({ length: 9000 }, (_none, n) => [`T-${n}`, `Storgata ${n}, said to be r="A${n}" <b>`, n])

function changed(file: Buffer, change: (sheet: string) => string, more: Readonly<Record<string, string>> = {}): Buffer {
  const parts = unzipSync(file)
  const added = Object.fromEntries(Object.entries(more).map(([name, text]) => [name, strToU8(text)]))
  return Buffer.from(zipSync({ ...parts, [part]: strToU8(change(strFromU8(parts[part] ?? strToU8('')))), ...added }))
}

/** The same file with its texts in a separate part, as spreadsheet programs write them. */
function withSharedTexts(file: Buffer): Buffer {
  const texts: string[] = []
  const change = (sheet: string) =>
    sheet.replace(/ t="inlineStr"><is><t[^>]*>(.*?)<\/t><\/is>/g, (_all, text: string) => {
      return ` t="s"><v>${texts.push(text) - 1}</v>`
    })
  const sheet = changed(file, change)
  return changed(sheet, (same) => same, {
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
  })
}

describe('a long sheet', () => {
  const lines = [['Number', 'Address', 'Rent'], ...long.slice(0, 8000), [], [], ...long.slice(8000)]
  const expected = long.map(([Number, Address, Rent]) => ({ Number, Address, Rent }))

  it('in the part of a file that only readers of zip64 see is not read', async () => {
    const bomb = changed(workbook({ May: [['Number']] }), (sheet) =>
      sheet.replace('</sheetData>', () => `${'<row/>'.repeat(7_000_000)}</sheetData>`),
    )
    const short = workbook({ May: [['Number'], ['T-1']] })
    should(await readRowList(twoInOne(short, bomb))).match({ rows: [{ Number: 'T-1' }] })
    should(await readRowList(twoInOne(bomb, short))).deepEqual({ key: 'listUnpacked' })
    should(await readRowList(statingAt(bomb, 24, 10))).deepEqual({ key: 'listUnpacked' })
  })

  for (const [what, file] of [
    ['in its cells', workbook({ May: lines })],
    ['in a part of their own', withSharedTexts(workbook({ May: lines }))],
  ] as const)
    it(`has all of its rows, with texts ${what}`, async () => {
      const list = await readRowList(file)
      should('rows' in list && list.rows).deepEqual(expected)
    })

  for (const [what, prepare] of [
    ['in its cells', (file: Buffer) => file],
    ['in a part of their own', withSharedTexts],
  ] as const)
    it(`keeps letters that are written as numbers, with texts ${what}`, async () => {
      const file = changed(workbook({ May: [['Name'], ['Li NAME']] }), (sheet) =>
        sheet.replace('NAME', '&#x20BB7;&#134071;&#233;&#x1F600;'),
      )
      const list = await readRowList(prepare(file))
      should('rows' in list && list.rows).deepEqual([{ Name: 'Li 𠮷𠮷é😀' }])
    })

  it('has the number of a wrong row where a person sees it', async () => {
    const wrong = [...lines, ['T-9000', { error: '#N/A' }, 1]]
    should(await readRowList(workbook({ May: wrong }))).deepEqual({
      key: 'listCell',
      params: { row: wrong.length, column: 'Address', value: '#N/A' },
    })
  })

  it('is the sheet that is named, and no other, whatever the part is called', async () => {
    const parts = unzipSync(workbook({ Other: [['A'], ['b']], May: lines }))
    const second = 'xl/worksheets/sheet2.xml'
    const { [second]: may = strToU8(''), ...others } = parts
    const links = strFromU8(parts['xl/_rels/workbook.xml.rels'] ?? strToU8('')).replace(
      'worksheets/sheet2',
      'may & june',
    )
    const file = {
      ...others,
      'xl/may & june.xml': may,
      'xl/_rels/workbook.xml.rels': strToU8(links.replace('& ', '&amp; ')),
    }
    const list = await readRowList(Buffer.from(zipSync(file)), { sheet: 'May' })
    should('rows' in list && list.rows).deepEqual(expected)
  })
})

describe('a formula without a result', () => {
  const withCell = (cell: string) =>
    changed(
      workbook({
        May: [
          ['Name', 'Rent'],
          ['Ola', 1],
        ],
      }),
      (sheet) => sheet.replace(/<c r="B2">.*?<\/c>/, cell),
    )
  const rent = async (cell: string) => {
    const list = await readRowList(withCell(cell))
    return 'rows' in list ? list.rows[0]?.Rent : list
  }

  it('is named by its cell, however it is written', async () => {
    for (const result of ['', '<v></v>', '<v/>'])
      for (const formula of ['<f>C2*12</f>', '<f t="shared" si="0"/>'])
        should(await rent(`<c r="B2" s="1">${formula}${result}</c>`)).deepEqual({
          key: 'listFormula',
          params: { row: 2, column: 'Rent' },
        })
  })

  it('may have an empty text as its result, and other cells may be empty', async () => {
    should(await rent('<c r="B2" t="str"><f>IF(A2="","x","")</f><v></v></c>')).equal('')
    should(await rent('<c r="B2" s="1"/>')).equal('')
    should(await rent('<c r="B2"><f>6*7</f><v>42</v></c>')).equal(42)
  })
})

describe('a cell far outside a list', () => {
  const cell = (place: string) => `<c r="${place}" t="inlineStr"><is><t>x</t></is></c>`
  const sheet = (...rows: readonly string[]) =>
    changed(
      workbook({ May: [['Name'], ['Ola']] }),
      () => `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
    )
  const tenThousand = Array.from({ length: 10_000 }, (_none, n) => `<row r="${n + 1}">${cell(`A${n + 1}`)}</row>`)

  for (const [place, rows, problem] of [
    [
      'XFD5001',
      tenThousand.toSpliced(5000, 1, `<row r="5001">${cell('A5001')}${cell('XFD5001')}</row>`),
      { key: 'listLong', params: { row: 5001, count: 1 } },
    ],
    [
      'C1048576',
      [`<row r="1">${cell('A1')}</row>`, `<row r="1048576">${cell('C1048576')}</row>`],
      { key: 'listLong', params: { row: 1_048_576, count: 1 } },
    ],
    ['ZZZZZZ1', [`<row r="1">${cell('A1')}${cell('ZZZZZZ1')}</row>`], { key: 'listUnpacked' }],
  ] as const)
    it(`is refused without filling the memory of Node-RED: ${place}`, async () => {
      should(await readRowList(sheet(...rows))).deepEqual(problem)
    })

  it('may be the last of a long list', async () => {
    should(
      await readRowList(sheet(`<row r="1">${cell('A1')}</row>`, `<row r="90000">${cell('A90000')}</row>`)),
    ).containDeep({ rows: [{ x: 'x' }] })
  })
})
