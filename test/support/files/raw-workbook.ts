/** Makes an .xlsx file from markup, as programs other than Excel write it. */
import { zipSync } from 'fflate'
import { xml } from './xml'

interface Parts {
  /** The markup of the rows below the names of the columns `Name` and `Start`. */
  readonly rows: string
  /** The markup of the number formats, and of the style of the cells with `s="1"`. */
  readonly formats?: string
  readonly style?: string
  /** The markup of the styles of cells with `s="1"`, `s="2"` and so on, instead of `style`. */
  readonly styles?: string
  /** Markup of the workbook before the list of its sheets. */
  readonly settings?: string
  /** The markup of the whole sheet; by default, the two names and `rows`. */
  readonly sheet?: string
  /** The names of parts are changed by this. */
  readonly named?: (name: string) => string
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A cell with a text. */
export const text = (place: string, content: string) => `<c r="${place}" t="inlineStr"><is><t>${content}</t></is></c>`

export function rawWorkbook(given: Parts) {
  const { rows, formats = '', style = '', settings = '', sheet, named = (name: string) => name } = given
  const { styles = `<xf numFmtId="0" ${style}/>` } = given
  const head = `<row r="1">${text('A1', 'Name')}${text('B1', 'Start')}</row>`
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}">${settings}<sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}">${formats}<cellXfs><xf numFmtId="0"/>${styles}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': sheet ?? `<worksheet xmlns="${main}"><sheetData>${head}${rows}</sheetData></worksheet>`,
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [named(name), xml(part)]))))
}
