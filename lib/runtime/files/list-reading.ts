/** Reads the rows of a list in the process of `file-worker.ts`. */
import type { ListJob } from './file-jobs'
import type { FileProblem } from './file-problem'
import { fileRowsOf } from './file-rows'
import { columnName } from './column-name'
import type { ListEnd, ListPart, TextFormat } from './row-list'
import { hidden, shared, uncalculated, unsure, type Cell, type SheetCell } from './sheet-cell'
import { sheetsIn, type Line, type Sheets } from './sheet-lines'
import { textLinesIn } from './text-lines'

/** Rows that are sent together; more of them would hold up Node-RED when they arrive. */
const rowsPerPart = 200
const maxRows = 20_000

/** Gives the rows to `onPart`, and returns what else is known about the list. */
export async function listIn(job: ListJob, onPart: (part: ListPart) => void): Promise<ListEnd | FileProblem> {
  const named = isSpreadsheet(job.bytes) ? await namedSheet(job) : await namedText(job.bytes)
  if ('key' in named) return named
  const { columns, lines, text } = named
  for (let at = 0; at < lines.length; at += rowsPerPart) {
    const some = lines.slice(at, at + rowsPerPart)
    onPart({
      columns,
      rows: some.map(({ cells }) => columns.map((_name, index) => (cells[index] ?? '') as Cell)),
      shown: some.map(({ shown }) => shown?.slice(0, columns.length)),
    })
  }
  return { columns, fileRows: fileRowsOf(lines.map(({ number }) => number)), ...(text && { text }) }
}

/**
 * A zip file (.xlsx, .ods), or a file of Excel before 2007 (.xls), which is also what a file with a password is. Dates of
 * still older files would be four years late.
 */
const isSpreadsheet = (bytes: Buffer) => /^(?:504b0304|504b0506|d0cf11e0)/.test(bytes.toString('hex', 0, 4))

interface Named {
  readonly columns: readonly string[]
  readonly lines: readonly Line[]
  readonly text?: TextFormat
}

async function namedText(bytes: Buffer): Promise<Named | FileProblem> {
  const table = await textLinesIn(bytes)
  if ('key' in table) return table
  const named = namedRows(table.lines)
  return 'key' in named ? named : { ...named, text: table.text }
}

async function namedSheet({ bytes, sheet, language }: ListJob): Promise<Named | FileProblem> {
  const sheets = await sheetsIn(bytes, language)
  if ('key' in sheets) return sheets
  const named = rowsOf(sheets, sheet)
  if (sheet !== '' || !('key' in named) || named.key !== 'listEmpty') return named
  const filled = sheets.visible.find((name) => 'lines' in rowsOf(sheets, name))
  return filled === undefined ? named : { key: 'listEmptySheet', params: { sheet: filled } }
}

function rowsOf(sheets: Sheets, sheet: string): Named | FileProblem {
  const lines = sheets.linesOf(sheet)
  return 'key' in lines ? lines : namedRows(lines)
}

/** The rows below the first one, which names the columns; or the first fault. */
function namedRows([head, ...lines]: readonly Line[]): Named | FileProblem {
  if (!head || lines.length === 0) return { key: 'listEmpty' }
  const columns = head.cells.map(columnName)
  while (columns.at(-1) === '') columns.pop()
  const wrong =
    tooMany(lines) ??
    titleAbove(head, columns, lines) ??
    wrongColumns(columns) ??
    tooLong(columns, lines) ??
    wrongCell(columns, [head, ...lines])
  return wrong ?? { columns, lines }
}

function tooMany({ length }: readonly Line[]): FileProblem | undefined {
  return length > maxRows ? { key: 'listMany', params: { count: length } } : undefined
}

const filledIn = ({ cells }: Line) => cells.filter((cell) => String(cell).trim() !== '').length

/** Reports a first row with a single cell above wider rows: it is a title, not the names of the columns. */
function titleAbove(head: Line, columns: readonly string[], lines: readonly Line[]): FileProblem | undefined {
  const isTitle = filledIn(head) === 1 && lines.slice(0, 2).some((line) => filledIn(line) > 1)
  const title = columns.find((name) => name !== '') ?? ''
  return isTitle && typeof head.cells[0] !== 'symbol'
    ? { key: 'listTitle', params: { row: head.number, title } }
    : undefined
}

function wrongColumns(columns: readonly string[]): FileProblem | undefined {
  const unnamed = columns.indexOf('')
  if (unnamed >= 0) return { key: 'listUnnamed', params: { number: unnamed + 1 } }
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  return twice === undefined ? undefined : { key: 'listTwice', params: { column: twice } }
}

/** Reports a line with more cells than columns: a text in it contains a separator but is not in quotes. */
function tooLong(columns: readonly string[], lines: readonly Line[]): FileProblem | undefined {
  const long = lines.find((line) => line.cells.slice(columns.length).some((cell) => String(cell).trim() !== ''))
  return long && { key: 'listLong', params: { row: long.number, count: columns.length } }
}

/**
 * The text that spreadsheet programs show for a failed formula, in any language. The pattern is general, because new
 * versions add errors, such as `#FIELD!`.
 */
const failed = /^(?:#(?:N\/A|I\/T|DIV\/0!|GETTING_DATA|\p{Lu}+[!?])|Err:\d{3})$/u

const problemFor: ReadonlyMap<SheetCell, string> = new Map<SheetCell, string>([
  [unsure, 'listHours'],
  [uncalculated, 'listFormula'],
  [hidden, 'listHidden'],
  [shared, 'listShared'],
])

/**
 * Reports a cell that must not get into a contract: a failed formula, hours that would be read as a date, a value that
 * has not been calculated yet, or a cell that is hidden or merged.
 */
function wrongCell(columns: readonly string[], lines: readonly Line[]): FileProblem | undefined {
  const isWrong = (cell: SheetCell = '') => typeof cell === 'symbol' || failed.test(String(cell))
  for (const { number: row, cells } of lines) {
    const at = columns.findIndex((_name, index) => isWrong(cells[index]))
    const column = columns[at]
    const value = cells[at]
    if (column === undefined || value === undefined) continue
    const key = problemFor.get(value)
    return key === undefined
      ? { key: 'listCell', params: { row, column, value: String(value) } }
      : { key, params: { row, column } }
  }
  return undefined
}
