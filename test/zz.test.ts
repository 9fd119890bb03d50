import { unzipSync, zipSync, strToU8, strFromU8 } from 'fflate'
import { readRowList } from '../lib/runtime/files/row-list'
import { workbook } from './support/files/workbook'
function styled(cells: [string, number][], extra: { sheet?: (s: string) => string } = {}) {
  const book = unzipSync(workbook({ A: [cells.map((_c, i) => `k${i}`), cells.map(() => 1)] }))
  const fmts = cells.map(([f], i) => `<numFmt numFmtId="${170 + i}" formatCode="${f.replace(/&/g,'&amp;').replace(/"/g, '&quot;').replace(/</g,'&lt;')}"/>`).join('')
  const xfs = cells.map((_c, i) => `<xf numFmtId="${170 + i}" applyNumberFormat="1"/>`).join('')
  book['xl/styles.xml'] = strToU8(`<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="${cells.length}">${fmts}</numFmts><cellXfs count="${cells.length + 1}"><xf numFmtId="0"/>${xfs}</cellXfs></styleSheet>`)
  let s = strFromU8(book['xl/worksheets/sheet1.xml'] as Uint8Array)
  cells.forEach(([, v], i) => { const ref = `${String.fromCharCode(65 + i)}2`; s = s.replace(`<c r="${ref}"><v>1</v></c>`, `<c r="${ref}" s="${i + 1}"><v>${v}</v></c>`) })
  book['xl/worksheets/sheet1.xml'] = strToU8(extra.sheet ? extra.sheet(s) : s)
  return Buffer.from(zipSync(book))
}
describe('zz excel', () => {
  for (const cells of [
    ['[h]:mm', 72.9], ['[h]:mm:ss', 1.5], ['[hh]:mm', 0.5], ['[h]:mm', 0.5], ['[t]:mm', 72.9], ['[m]', 72.9],
    ['dd/mm/yyyy;@', 46000], ['[$-414]d\\.\\ mmmm\\ yyyy;@', 46000], ['dd\\.mm\\.yyyy', 46000], ['[$-414]d/m/ yyyy;@', 46000], ['d\\.m\\.yy;@', 46000], ['yyyy\\-mm\\-dd', 46000], ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 46000],
    ['[$-14]d\\.mmm\\.yy', 46000], ['dd.MM.yyyy', 46000],['mmmm yyyy', 46000], ['"Den" d. mmmm yyyy', 46000], ['[$-414]mmmm\\ yyyy;@', 46000],
    ['0 "dager"', 14], ['0%', 0.25], ['#,##0.00 "kr"', 12500.5], ['"kr" #,##0', 12500], ['0 "md"', 3], ['0.00%', 0.025], ['[Red]d', 46000], ['0 "h"', 5], ['"d"0', 5], ['General "m"', 5], ['dd/mm/yyyy hh:mm', 46000.5],['0" m²"', 65], ['#" "##0', 12500],['# ?/?', 0.5],
  ] as [string, number][])
    it(cells[0], async () => {
      const list = await readRowList(styled([cells]))
      console.log(cells[0], cells[1], '->', JSON.stringify('rows' in list ? list.rows : list))
    })
})
