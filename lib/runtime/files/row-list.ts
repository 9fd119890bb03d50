/** Reads the rows of a list kept in a spreadsheet: an .xlsx, .xls or .ods file, or text with separators (.csv). */
import { createFileProcess } from './file-process'
import type { FileProblem } from './file-problem'
import type { FileRows } from './file-rows'
import type { Cell } from './sheet-cell'

/** A row keyed by column name; an empty cell is an empty text. */
export type ListRow = Record<string, Cell>

/** What the cells of a row show, keyed by column name: only numbers and dates of a spreadsheet. */
export type ShownRow = Readonly<Record<string, string>>

export interface RowList {
  readonly columns: readonly string[]
  readonly rows: readonly ListRow[]
  /** For each row, what its cells show; absent for a text file. */
  readonly shown?: readonly ShownRow[]
  /** The numbers that the rows have in the file. */
  readonly fileRows: FileRows
  /** The format of a text file, so that a report can be written the same way; absent for a spreadsheet. */
  readonly text?: TextFormat
}

export interface TextFormat {
  readonly separator: Separator
  readonly encoding: Encoding
}

export type Separator = ';' | ',' | '\t' | '|'
/** `utf-8-bom`: with the byte-order mark that Excel writes and expects. */
export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'windows-1252'

/** Some rows, as their process sends them. */
export interface ListPart {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly shown: readonly (readonly (string | undefined)[] | undefined)[]
}

/** What is known when all rows have been sent. */
export type ListEnd = Pick<RowList, 'columns' | 'fileRows' | 'text'>

interface Reading {
  /** The name of a sheet; if empty, the first visible sheet is read. */
  readonly sheet?: string
  /** The language in which numbers and dates are shown: `en`, `nb` or another one. */
  readonly language?: string
}

const maxBytes = 20 * 1024 * 1024

const run = createFileProcess()

/**
 * Reads a whole file. The first row that is not empty names the columns; empty rows are skipped. In a spreadsheet,
 * dates become `2031-12-31` (with a time `2031-12-31 08:00`) and numbers stay numbers. In a text file, every cell is
 * text as typed, but without the apostrophe that a report puts before a text that looks like a formula.
 */
export async function readRowList(
  bytes: Buffer,
  { sheet = '', language = 'en' }: Reading = {},
): Promise<RowList | FileProblem> {
  if (bytes.length > maxBytes) return { key: 'listBytes' }
  const rows: ListRow[] = []
  const shown: ShownRow[] = []
  // Rows become objects as they arrive, because all of them at once would hold up Node-RED.
  const add = (part: ListPart) => {
    rows.push(...part.rows.map((cells) => keyed(part.columns, cells)))
    shown.push(...part.shown.map((cells) => keyed(part.columns, cells)))
  }
  const end = (await run({ what: 'rows', bytes, sheet, language }, (part) => add(part as ListPart))) as
    | ListEnd
    | FileProblem
    | undefined
  if (end === undefined) return { key: 'listUnpacked' }
  return 'key' in end ? end : { ...end, rows, ...(!end.text && { shown }) }
}

function keyed<T>(columns: readonly string[], cells: readonly (T | undefined)[] = []): Record<string, T> {
  const entries = columns.map((name, at) => [name, cells[at]] as const)
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, T] => entry[1] !== undefined))
}
