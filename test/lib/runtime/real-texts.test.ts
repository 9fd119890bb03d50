/** Text files as old programs, Macs, DOS and payroll programs export them. */
import should from 'should'
import { guardFormula, unguardFormula } from '../../../lib/runtime/files/formula-cells'
import { readRowList } from '../../../lib/runtime/files/row-list'

const latin = (text: string) => Buffer.from(text, 'latin1')

describe('a text file as other programs export it', () => {
  /** The letters å, ø, æ, Å and Ø in `Ås;Bjørn Sæter;Trå;Østgata`, as bytes of an old encoding. */
  const inOld = (å: number, ø: number, æ: number, Å: number, Ø: number) => {
    const letter = (code: number) => String.fromCharCode(code)
    const words = [`${letter(Å)}s`, `Bj${letter(ø)}rn S${letter(æ)}ter`, `Tr${letter(å)}e`, `${letter(Ø)}stgata`]
    return latin(`Nr;Name;Village;Street\r\n1;Kari;Oslo;Vei 1\r\n${words.join(';')}\r\n`)
  }
  const old = {
    'old Macs': inOld(0x8c, 0xbf, 0xbe, 0x81, 0xaf),
    'DOS in Norway': inOld(0x86, 0x9b, 0x91, 0x8f, 0x9d),
    'DOS in America': latin('Name;Village\r\nKari;Oslo\r\nOla Tr\x86e;Bj\x91r\r\n'),
  }
  for (const [where, bytes] of Object.entries(old))
    it(`is refused with its row in the letters of ${where}`, async () =>
      should(await readRowList(bytes)).deepEqual({ key: 'listLetters', params: { row: 3 } }))

  it('is refused with the row in which UTF-8 is damaged', async () => {
    const bytes = Buffer.concat([Buffer.from('Name;Rent\r\nÅse Bjørn;1\r\nKari '), latin('\xe5s;2\r\n')])
    should(await readRowList(bytes)).deepEqual({ key: 'listLetters', params: { row: 3 } })
  })

  const table = '<table><tr><td>Name;Rent</td></tr>\r\n<tr><td>Kari;1</td></tr></table>'
  const others: readonly [string, Buffer][] = [
    ['a page', Buffer.from(`<html>\r\n${table}</html>`)],
    ['a page with its type', Buffer.from(`\ufeff\r\n <!DOCTYPE html>\r\n${table}`)],
    ['a table of a page', Buffer.from(table)],
    ['a page in UTF-16', Buffer.from(`\ufeff<HTML xmlns="x">\r\n${table}`, 'utf16le')],
    ['a spreadsheet in XML', Buffer.from('<?xml version="1.0"?>\r\n<Workbook>\r\n<Row>Name;Rent</Row>\r\n</Workbook>')],
    ['a letter', latin('{\\rtf1\\ansi Name;Rent\\par\r\nKari;1}')],
  ]
  for (const [what, bytes] of others)
    it(`is refused if it is ${what} and not a list`, async () =>
      should(await readRowList(bytes)).deepEqual({ key: 'listFile' }))

  it('is read in Windows-1252 with everything that people write in it', async () => {
    const line = 'O\x92Brien \x96 Sør\x97Nord;1 000 m\xb2;\x80 5;d\xb4Arc;“'.replace('“', '\x93a\x94 \xab\xbf\xbb')
    const list = await readRowList(latin(`Name;Size;Price;Other;More\r\n${line};\r\nÅse Šime;Bjørn;Ærlig;ß;ÿ\r\n`))
    should(list).containDeep({ rows: [{ Name: 'O’Brien – Sør—Nord', Size: '1 000 m²', Price: '€ 5', Other: 'd´Arc' }] })
  })

  const read: readonly [string, string, object][] = [
    ['zeros kept by a formula', 'Nr;Code\r\n1;="0150"\r\n', { Nr: '1', Code: '0150' }],
    ['such a formula in quotes', 'Nr,Code\r\n1,"=""0150"""\r\n', { Nr: '1', Code: '0150' }],
    ['spaces before quotes', '"Nr"; "Code"\r\n"1"; "a; ""b""; ""c"""\r\n', { Nr: '1', Code: 'a; "b"; "c"' }],
    ['a bar as separator', 'Nr|Code\r\n1|a;b, c\r\n', { Nr: '1', Code: 'a;b, c' }],
    ['a bar that is announced', 'sep=|\r\nNr|Code\r\n1|\r\n', { Nr: '1', Code: '' }],
    [
      'commas in a heading',
      'Name (first, middle, last);Code\r\nNordmann, Kari, Nora;1\r\n',
      { 'Name (first, middle, last)': 'Nordmann, Kari, Nora', Code: '1' },
    ],
    ['a semicolon in a heading', 'Name, Rent; NOK\r\nKari,1\r\n', { Name: 'Kari', 'Rent; NOK': '1' }],
    ['commas and decimal commas', 'Nr;Rent\r\n1;12,5\r\n', { Nr: '1', Rent: '12,5' }],
    ['the end that DOS writes', 'Nr;Code\r\n1;x\r\n\x1a', { Nr: '1', Code: 'x' }],
    ['a name in angle brackets', '<Name>;Code\r\n1;x\r\n', { '<Name>': '1', Code: 'x' }],
    ['a column called PK', 'PK;Code\r\n1;x\r\n', { PK: '1', Code: 'x' }],
  ]
  for (const [what, content, expected] of read)
    it(`is read with ${what}`, async () => {
      const list = await readRowList(Buffer.from(content))
      should('rows' in list ? list.rows : list).deepEqual([expected])
    })
})

describe('a text that a spreadsheet would execute', () => {
  it('is guarded at its beginning and after each character that may separate cells, and read back unchanged', () => {
    for (const text of ['=1+1', '+47 99999999', 'a,=1+1', 'a;@x', 'a\n-1', 'x,"=1"', "'s-Gravenhage", 'a-b', '1,5']) {
      const guarded = guardFormula(text)
      should(guarded.split(/[;,\t\n]/).filter((cell) => /^"*[=+\-@]/.test(cell))).be.empty()
      should(unguardFormula(guarded)).equal(text)
    }
    should(guardFormula('a-b, c=d')).equal('a-b, c=d')
  })
})
