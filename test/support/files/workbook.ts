/** Makes small .xlsx files the way a spreadsheet program stores them. */
import { zipSync } from 'fflate'
import { escape, xml } from './xml'

/** A time of day as a fraction of a day, from 0 to 1; a greater value is a duration of more than a day. */
interface Time {
  readonly time: number
}
/** A number of days with a format that counts the hours on after 24: 72.9 is shown as 1749:36. */
interface Duration {
  readonly duration: number
}
/** A cell whose formula has failed, with an error such as `#N/A`. */
interface CellError {
  readonly error: string
}
/** A number with a format that shows at least four digits, or eleven in two groups. */
interface ZeroPadded {
  readonly padded: number
  readonly digits: 4 | 11
}
type Cell = string | number | boolean | Date | Time | Duration | CellError | ZeroPadded
interface Options {
  /** The names of the sheets that are hidden. */
  readonly hidden?: readonly string[]
  /** Whether dates are counted from 1904, as some programs do. */
  readonly from1904?: boolean
  /** Numbers of the rows that a person or a filter has hidden, counted from 1. */
  readonly hiddenRows?: readonly number[]
  /** The attribute with which they are hidden. */
  readonly hiddenBy?: string
  /** Merged cells, such as `B2:B4`. */
  readonly joined?: readonly string[]
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelationships = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
/** The day from which a spreadsheet counts its dates. */
const dayZero = Date.UTC(1899, 11, 30)

/** A workbook; each sheet is a list of rows, by the name of the sheet. */
export function workbook(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  { hidden = [], from1904 = false, ...looks }: Options = {},
): Buffer {
  const names = Object.keys(sheets)
  const stateOf = (name: string) => (hidden.includes(name) ? ' state="hidden"' : '')
  const list = names.map(
    (name, at) => `<sheet name="${escape(name)}" sheetId="${at + 1}"${stateOf(name)} r:id="rId${at + 1}"/>`,
  )
  const settings = from1904 ? '<workbookPr date1904="1"/>' : ''
  const links = names.map(
    (_name, at) =>
      `<Relationship Id="rId${at + 1}" Type="${relationships}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  const styles = `<Relationship Id="rIdStyles" Type="${relationships}/styles" Target="styles.xml"/>`
  const parts = {
    '[Content_Types].xml': xml('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    '_rels/.rels': xml(
      `<Relationships ${packageRelationships}><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook ${main} xmlns:r="${relationships}">${settings}<sheets>${list.join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships ${packageRelationships}>${links.join('')}${styles}</Relationships>`,
    ),
    'xl/styles.xml': xml(
      `<styleSheet ${main}><numFmts count="3"><numFmt numFmtId="164" formatCode="[&lt;=9999]0000;General"/><numFmt numFmtId="165" formatCode="000000\\ 00000"/><numFmt numFmtId="166" formatCode="[h]:mm"/></numFmts><cellXfs count="6"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      names.map((name, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheet(sheets[name] ?? [], looks)]),
    ),
  }
  return Buffer.from(zipSync(parts))
}

function sheet(
  rows: readonly (readonly Cell[])[],
  { hiddenRows = [], hiddenBy = 'hidden="1"', joined = [] }: Options,
): Uint8Array {
  const lines = rows.map((cells, at) => {
    const written = cells.map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${at + 1}`))
    return `<row r="${at + 1}"${hiddenRows.includes(at + 1) ? ` ${hiddenBy}` : ''}>${written.join('')}</row>`
  })
  const merged = joined.map((ref) => `<mergeCell ref="${ref}"/>`).join('')
  const cells = merged === '' ? '' : `<mergeCells count="${joined.length}">${merged}</mergeCells>`
  return xml(`<worksheet ${main}><sheetData>${lines.join('')}</sheetData>${cells}</worksheet>`)
}

function cellXml(cell: Cell, place: string): string {
  if (cell instanceof Date) return `<c r="${place}" s="1"><v>${(cell.getTime() - dayZero) / 86_400_000}</v></c>`
  if (typeof cell === 'object' && 'time' in cell) return `<c r="${place}" s="2"><v>${cell.time}</v></c>`
  if (typeof cell === 'object' && 'duration' in cell) return `<c r="${place}" s="5"><v>${cell.duration}</v></c>`
  if (typeof cell === 'object' && 'padded' in cell)
    return `<c r="${place}" s="${cell.digits === 4 ? 3 : 4}"><v>${cell.padded}</v></c>`
  if (typeof cell === 'object') return `<c r="${place}" t="e"><f>NA()</f><v>${cell.error}</v></c>`
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${Number(cell)}</v></c>`
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`
}
