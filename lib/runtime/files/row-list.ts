/** Reads the rows of a list kept in a spreadsheet: an .xlsx file, or text with separators (.csv). */
import type { FileProblem } from './file-problem'
import { fileRowsOf, type FileRows } from './file-rows'
import { unguardFormula } from './formula-cells'
import {
  cellsOfExcel,
  hidden,
  hours,
  isFilled,
  shared,
  uncalculated,
  visibleSheets,
  type Cell,
  type SheetCell,
} from './excel-sheet'

/** A row keyed by column name; an empty cell is an empty text. */
export type ListRow = Record<string, string | number | boolean>

export interface RowList {
  readonly columns: readonly string[]
  readonly rows: readonly ListRow[]
  /** The numbers that the rows have in the file. */
  readonly fileRows: FileRows
  /** The format of a text file, so that a report can be written the same way; absent for .xlsx. */
  readonly text?: { readonly separator: Separator; readonly encoding: Encoding }
}

type Separator = ';' | ',' | '\t'
/** `utf-8-bom`: with the byte-order mark that Excel writes and expects. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'windows-1252'

/** The content of a file, line by line. An empty line has no cells, or only empty cells. */
interface Table {
  readonly lines: readonly (readonly SheetCell[])[]
  readonly text?: RowList['text']
}

/**
 * Reads a whole file. The first row that is not empty names the columns; empty rows are skipped. In an .xlsx file,
 * dates become `2031-12-31` (with a time `2031-12-31 08:00`) and numbers stay numbers. In a text file, every cell is
 * text as typed, but without the apostrophe that a report puts before a text that looks like a formula. `sheet` is the
 * name of a sheet, or empty for the first one.
 */
export async function readRowList(bytes: Buffer, sheet = ''): Promise<RowList | FileProblem> {
  const table = isZip(bytes) ? await readSheetOf(bytes, sheet) : await readText(bytes)
  const list = 'key' in table ? table : namedRows(table)
  const filled = 'key' in list && list.key === 'listEmpty' && sheet === '' ? await filledSheet(bytes) : undefined
  return filled === undefined ? list : { key: 'listEmptySheet', params: { sheet: filled } }
}

/** The name of the first visible sheet that contains a list. Used if the sheet that was read contains no list. */
async function filledSheet(bytes: Buffer): Promise<string | undefined> {
  if (!isZip(bytes)) return undefined
  for (const name of await visibleSheets(bytes)) if ('rows' in (await readRowList(bytes, name))) return name
  return undefined
}

/** Every .xlsx file begins with these bytes. */
const isZip = (bytes: Buffer) => bytes.subarray(0, 2).toString('latin1') === 'PK'

async function readSheetOf(bytes: Buffer, sheet: string): Promise<Table | FileProblem> {
  const lines = await cellsOfExcel(bytes, sheet)
  return 'key' in lines ? lines : { lines }
}

async function readText(bytes: Buffer): Promise<Table | FileProblem> {
  const decoded = decode(bytes)
  // Text contains no NUL, so a file with a NUL is an .xls file, a picture or a PDF.
  if (!decoded || decoded.text.includes('\0')) return { key: 'listFile' }
  // A file edited by several programs may have mixed line endings.
  const whole = decoded.text.replace(/\r\n?/g, '\n')
  const announced = /^"?sep=([;,\t])"?\n/i.exec(whole)
  const body = whole.slice(announced?.[0].length ?? 0)
  const separator = (announced?.[1] ?? separatorIn(body)) as Separator
  const { default: papa } = await import('papaparse')
  const { data, errors } = papa.parse<string[]>(body, { delimiter: separator, newline: '\n' })
  const quote = errors.find(({ type }) => type === 'Quotes')
  if (quote) return { key: 'listQuote', params: { row: (quote.row ?? 0) + 1 } }
  return { lines: data.map((cells) => cells.map(unguardFormula)), text: { separator, encoding: decoded.encoding } }
}

/**
 * Decodes the bytes by their byte-order mark. Bytes without a mark are decoded as UTF-8 if they are valid UTF-8, and
 * otherwise as Windows-1252.
 */
function decode(bytes: Buffer): { text: string; encoding: Encoding } | undefined {
  const [one, two, three] = bytes
  if (one === 0xff && two === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'utf-16le' }
  // A report about this list is written as UTF-16LE, which spreadsheet programs read as well.
  if (one === 0xfe && two === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'utf-16le' }
  const hasMark = one === 0xef && two === 0xbb && three === 0xbf
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, encoding: hasMark ? 'utf-8-bom' : 'utf-8' }
  } catch {
    if (hasMark) return undefined // The byte-order mark says UTF-8, but the content is not UTF-8.
    // The bytes are decoded as a stream, because some versions of Node.js 20 to 22 decode Windows-1252 as ISO 8859-1,
    // which lacks €, unless they decode it as a stream.
    return { text: new TextDecoder('windows-1252').decode(bytes, { stream: true }), encoding: 'windows-1252' }
  }
}

/** The separator that occurs most often in the first line, outside of quotes. */
function separatorIn(text: string): Separator {
  const bare = text.replace(/^\s+/, '').replace(/"[^"]*"?/g, '')
  const [line = ''] = bare.split('\n', 1)
  const counts = ([';', ',', '\t'] as const).map((one) => [one, line.split(one).length] as const)
  return counts.reduce((most, one) => (one[1] > most[1] ? one : most))[0]
}

function namedRows({ lines, text }: Table): RowList | FileProblem {
  const first = lines.findIndex((cells) => isFilled(cells))
  const head = lines[first]
  const numbers = lines.flatMap((cells, at) => (at > first && isFilled(cells) ? [at + 1] : []))
  if (!head || numbers.length === 0) return { key: 'listEmpty' }
  const columns = head.map(columnName)
  while (columns.at(-1) === '') columns.pop()
  const wrong = wrongColumns(columns) ?? tooLong(columns, lines, first + 1) ?? wrongCell(columns, lines)
  if (wrong) return wrong
  const rows = numbers.map((number) => {
    const cells = lines[number - 1] ?? []
    return Object.fromEntries(columns.map((name, at) => [name, (cells[at] ?? '') as Cell]))
  })
  const list = { columns, rows, fileRows: fileRowsOf(numbers) }
  return text ? { ...list, text } : list
}

/**
 * The name of a column as people read it and can write it between braces. A heading may be broken into lines, contain
 * non-breaking spaces, or store its accents as separate characters.
 */
export function columnName(heading: SheetCell): string {
  const gap = (found: string) => (/[^ ]/.test(found) ? ' ' : found)
  return String(heading).normalize('NFC').replace(/\s+/g, gap).trim()
}

function wrongColumns(columns: readonly string[]): FileProblem | undefined {
  const unnamed = columns.indexOf('')
  if (unnamed >= 0) return { key: 'listUnnamed', params: { number: unnamed + 1 } }
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  return twice === undefined ? undefined : { key: 'listTwice', params: { column: twice } }
}

/** Reports a line with more cells than columns: a text in it contains a separator but is not in quotes. */
function tooLong(columns: readonly string[], lines: Table['lines'], from: number): FileProblem | undefined {
  const long = lines.findIndex((cells, at) => at >= from && isFilled(cells.slice(columns.length)))
  return long < 0 ? undefined : { key: 'listLong', params: { row: long + 1, count: columns.length } }
}

/**
 * The text that spreadsheet programs show for a failed formula, in any language. The pattern is general, because new
 * versions add errors, such as `#FIELD!`.
 */
const failed = /^(?:#(?:N\/A|I\/T|DIV\/0!|GETTING_DATA|\p{Lu}+[!?])|Err:\d{3})$/u

const problemFor: ReadonlyMap<unknown, string> = new Map([
  [hours, 'listHours'],
  [uncalculated, 'listFormula'],
  [hidden, 'listHidden'],
  [shared, 'listShared'],
])

/**
 * Reports a cell that must not get into a contract: a failed formula, hours that would be read as a date, a value that
 * has not been calculated yet, or a cell that is hidden or merged.
 */
function wrongCell(columns: readonly string[], lines: Table['lines']): FileProblem | undefined {
  for (const [index, cells] of lines.entries()) {
    const isWrong = (cell: SheetCell = '') => typeof cell === 'symbol' || failed.test(String(cell))
    const at = columns.findIndex((_name, index) => isWrong(cells[index]))
    const column = columns[at]
    if (column === undefined) continue
    const [row, value] = [index + 1, cells[at]]
    const key = problemFor.get(value)
    return key === undefined
      ? { key: 'listCell', params: { row, column, value: String(value) } }
      : { key, params: { row, column } }
  }
  return undefined
}
