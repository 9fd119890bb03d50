/** Durations in Excel lists: found however a program writes them, with the seconds that a cell shows. */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import should from 'should'
import { readRowList } from '../../../lib/runtime/files/row-list'
import { workbook } from '../../support/files/workbook'

describe('a duration in an Excel list', () => {
  /** The second row of a list with this duration, after this change of a part of its file. */
  const withDuration = (duration: number, part: string, from: string | RegExp, to: string) => {
    const parts = unzipSync(
      workbook({
        May: [
          ['Name', 'Hours'],
          ['Ola', { duration }],
        ],
      }),
    )
    const before = strFromU8(parts[part] ?? new Uint8Array())
    const after = before.replace(from, to)
    should(after).not.equal(before)
    return readRowList(Buffer.from(zipSync({ ...parts, [part]: strToU8(after) })))
  }
  const sheetPart = 'xl/worksheets/sheet1.xml'
  const otherWays = {
    'with an attribute of the value': [sheetPart, '<v>72.9', '<v xml:space="preserve">72.9'],
    'with spaces around the value': [sheetPart, '<v>72.9<', '<v> 72.9 <'],
    'with indented markup': [sheetPart, /></g, '>\n  <'],
    'with spaces in a tag': [sheetPart, 's="5"><v>72.9</v>', 's = "5" ><v>72.9</v >'],
    'with a format that has a limit': ['xl/styles.xml', '"[h]:mm"', '"[>1][h]:mm;h:mm"'],
  } as const
  for (const [how, [part, from, to]] of Object.entries(otherWays)) {
    it(`is found however a program writes it: ${how}`, async () => {
      should(await withDuration(72.9, part, from, to)).deepEqual({
        key: 'listHours',
        params: { row: 2, column: 'Hours' },
      })
    })
  }

  it('keeps the seconds that its cell shows', async () => {
    const shown = async (format: string, duration: number) => {
      const list = await withDuration(duration, 'xl/styles.xml', '"[h]:mm"', `"${format}"`)
      return 'rows' in list ? list.rows[0]?.Hours : list.key
    }
    const minutes = (3 * 60 + 25) / 86_400
    should(await shown('[mm]:ss', minutes)).equal('00:03:25')
    should(await shown('[h]:mm:ss', minutes)).equal('00:03:25')
    should(await shown('[m]&quot; minutes&quot;', 0.5)).equal('12:00:00')
    should(await shown('[$-en-US][hh]:mm', 0.5)).equal('12:00')
    should(await shown('[h]&quot; hours&quot;', 0.5)).equal('12:00')
    should(await shown('[mm]:ss', 0.999_999_9)).equal('listHours')
  })
})
