/** Reads the cells of a spreadsheet (.xlsx, .xlsb, .xls, .ods) as a spreadsheet program shows them. */
import type { WorkBook, WorkSheet } from '@e965/xlsx'
import { createCellText } from './cell-text'
import type { FileProblem } from './file-problem'
import { hidden, shared, shownCell, type CellContext, type SheetCell } from './sheet-cell'
import { read } from './sheet-library'
import { storedZip } from './stored-zip'
import { partsIn, type ZipLimits } from './zip-parts'

/** A row that is not empty. */
export interface Line {
  /** The number of the row in the file, from 1. */
  readonly number: number
  readonly cells: readonly SheetCell[]
  /** Numbers and dates as their cells show them, at the places of their cells. */
  readonly shown?: readonly (string | undefined)[]
}

/** The sheets of a file. */
export interface Sheets {
  /** The names of the sheets that a person sees. */
  readonly visible: readonly string[]
  /** The rows of the sheet with this name, or of the first visible sheet if the name is empty. */
  linesOf(sheet: string): Line[] | FileProblem
}

/** Reading a tag takes a hundred times its length in memory. */
const limits: ZipLimits = { maxBytes: 256 * 1024 * 1024, maxMarkupBytes: 128 * 1024 * 1024, maxTags: 6_000_000 }

export async function sheetsIn(bytes: Buffer, language: string): Promise<Sheets | FileProblem> {
  const plain = isZip(bytes) ? await plainZip(bytes) : { bytes, mayHide: true }
  if ('key' in plain) return plain
  // The library finds hidden rows only with all styles, which takes several times as long.
  const options = { dense: true, cellDates: true, cellNF: true, sheetStubs: true, cellStyles: plain.mayHide } as const
  try {
    return sheetsOf((sheets) => read(plain.bytes, { type: 'buffer', sheets, ...options }), language)
  } catch (error) {
    const isLocked = error instanceof Error && /password|encrypt/i.test(error.message)
    return { key: isLocked ? 'listPassword' : 'listFile' }
  }
}

function sheetsOf(load: (index: number) => WorkBook, language: string): Sheets {
  const book = load(0)
  const text = createCellText(language)
  // Such a file contains the text that each cell shows, and the library reads only some of its formats.
  const isOpenDocument = book.bookType === 'ods'
  const context = {
    text,
    isOpenDocument,
    from1904: book.Workbook?.WBProps?.date1904 === true,
    isProvisional: isProvisional(book),
  }
  const states = book.Workbook?.Sheets ?? []
  const visible = book.SheetNames.filter((_name, at) => (states[at]?.Hidden ?? 0) === 0)
  // The library reads only the sheet with this number; from some kinds of files, it always reads all sheets.
  const sheetOf = (name: string) => book.Sheets[name] ?? load(book.SheetNames.indexOf(name)).Sheets[name]
  const isList = (name: string) => ['sheet', undefined].includes(sheetOf(name)?.['!type'])
  return {
    visible,
    linesOf(wanted) {
      const isWanted = (one: string) => one.toLowerCase() === wanted.toLowerCase()
      const name = wanted === '' ? visible.find(isList) : book.SheetNames.find(isWanted)
      if (name === undefined)
        return wanted === '' ? { key: 'listFile' } : { key: 'listSheet', params: { sheet: wanted } }
      const sheet = sheetOf(name)
      if (!isList(name)) return { key: 'listChart', params: { sheet: name } }
      return sheet ? linesIn(sheet, context) : { key: 'listFile' }
    },
  }
}

/** Some libraries write 0 as the result of each formula and ask the spreadsheet program to calculate it. */
const isProvisional = ({ Workbook }: WorkBook) => {
  const { fullCalcOnLoad } = (Workbook as { CalcPr?: { fullCalcOnLoad?: unknown } } | undefined)?.CalcPr ?? {}
  return fullCalcOnLoad === '1' || fullCalcOnLoad === 'true'
}

/** Whether a cell contains more than spaces. */
const isFilled = (cell: SheetCell) => String(cell).trim() !== ''

function linesIn(sheet: WorkSheet, context: CellContext): Line[] {
  const looks = sheet['!rows'] ?? []
  const lines = new Map<number, { number: number; cells: SheetCell[]; shown: (string | undefined)[] }>()
  for (const [at, row] of Object.entries(sheet['!data'] ?? [])) {
    const found = Array.from(row ?? [], (cell) => shownCell(cell, context))
    const cells = found.map(({ value }) => value)
    if (!cells.some(isFilled)) continue
    const look = looks[Number(at)]
    // Some programs hide a row by giving it no height.
    if (look?.hidden === true || look?.hpt === 0) cells[0] = hidden
    lines.set(Number(at), { number: Number(at) + 1, cells, shown: found.map(({ shown }) => shown) })
  }
  for (const { s: first, e: last } of sheet['!merges'] ?? []) {
    // A merged area whose uppermost cell is empty has no value for the rows below it.
    if (last.r === first.r || !isFilled(lines.get(first.r)?.cells[first.c] ?? '')) continue
    let next = first.r + 1
    while (next <= last.r && !lines.has(next)) next++
    const below = next <= last.r ? lines.get(next) : undefined
    if (below && below.cells[0] !== hidden) below.cells[first.c] = shared
  }
  return [...lines.values()]
}

const isZip = (bytes: Buffer) => bytes.subarray(0, 2).toString('latin1') === 'PK'

/**
 * A new zip file of the parts that the limits allow, because the library would also unpack parts that the file does not
 * list and that have not been counted. `mayHide` is true if a row may be hidden.
 */
async function plainZip(bytes: Buffer): Promise<{ readonly bytes: Buffer; readonly mayHide: boolean } | FileProblem> {
  let mayHide = false
  const parts = await partsIn(bytes, limits, (name, part, isMarkup) => {
    if (!isMarkup) mayHide ||= /worksheets[\\/][^\\/]+\.bin$/i.test(name)
    if (!isMarkup) return part
    const text = part.toString('latin1')
    mayHide ||= hiddenRow.test(text)
    const changed = asExpected(text)
    return changed === text ? part : Buffer.from(changed, 'latin1')
  })
  if (parts === 'tooLarge') return { key: 'listUnpacked' }
  if (parts === 'unreadable') return { key: 'listFile' }
  // The library does not say which rows of such a file are hidden.
  if (mayHide && parts.has('content.xml')) return { key: 'listHiddenSome' }
  // Of this program, the library reads neither hidden rows nor merged cells.
  if (parts.has('Index/Document.iwa')) return { key: 'listFile' }
  return { bytes: Buffer.concat(storedZip(withTypes(parts))), mayHide }
}

/** A hidden row of .xlsx or .ods. Some programs hide a row by giving it no height. */
const hiddenRow =
  /<(?:\w+:)?(?:row\s(?:[^<>]*\s)?(?:hidden=["'](?:1|true)|ht=["']0(?:\.0*)?["'])|table-row\s[^<>]*:visibility=["'](?:collapse|filter))/

const listedTypes = '[Content_Types].xml'
const typeOf = (kind: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml`

/**
 * The parts, with those in the list of types that some programs leave out of it. Without them, the library would show
 * dates as numbers.
 */
function withTypes(parts: Map<string, Buffer>): Map<string, Buffer> {
  const types = parts.get(listedTypes)?.toString('latin1')
  if (types === undefined) return parts
  const missing = [...parts.keys()].flatMap((name) => {
    const [, kind] = /(?:^|[\\/])(styles|sharedStrings)\.xml$/i.exec(name) ?? []
    if (kind === undefined || types.includes(typeOf(kind))) return []
    return `<Override PartName="/${name}" ContentType="${typeOf(kind)}"/>`
  })
  if (missing.length === 0) return parts
  const begin = /<(?:\w+:)?Types\s[^<>]*?(?=\/?>)/.exec(types)?.[0] ?? '<Types>'
  const rest = types
    .slice(types.indexOf(begin) + begin.length)
    .replace(/^\/?>/, '')
    .replace('</Types>', '')
  return parts.set(listedTypes, Buffer.from(`${begin}>${missing.join('')}${rest}</Types>`, 'latin1'))
}

/**
 * The markup as the library expects it: references in capitals, dates without a time zone, because a cell has none,
 * letters above 65535 as letters instead of numbers, and a formula in each cell whose formula is written elsewhere.
 */
function asExpected(markup: string): string {
  return markup
    .replace(smallReference, (_all, before: string, place: string) => before + place.toUpperCase())
    .replace(zonedDate, '$1')
    .replace(formulaElsewhere, '<$1f>0</$1f>')
    .replace(/&#(?:x([\da-f]{5,6})|(\d{5,7}));/gi, (all, hex?: string, digits?: string) => {
      const code = hex === undefined ? Number(digits) : parseInt(hex, 16)
      return code > 0xffff && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : all
    })
}

const smallReference = /(<(?:\w+:)?c\s(?:[^<>]*?\s)?r=["'])([a-z]{1,3}\d)/g
const zonedDate = /(<(?:\w+:)?c\s[^<>]*\bt=["']d["'][^<>]*>\s*<(?:\w+:)?v>[^<]+?)(?:Z|[+-]\d\d:?\d\d)(?=<)/g
const formulaElsewhere = /<((?:\w+:)?)f\s[^<>]*\/>(?=\s*(?:<\1v\s*\/>|<\1v>\s*<\/\1v>)?\s*<\/\1c>)/g
