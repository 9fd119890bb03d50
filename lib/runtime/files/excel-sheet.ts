/** Reads the cells of an .xlsx file as a spreadsheet program shows them. */
import { Readable } from 'node:stream'
import { nextTurn } from '../../common/event-loop'
import type { FileProblem } from './file-problem'
import { durationsOfStyles, withoutDurations } from './durations'
import { digitsOfStyles, withLeadingZeros } from './leading-zeros'
import { countedFromPiece, hasPlainRows, sheetPieces } from './sheet-pieces'
import { looksOf, type Looks } from './sheet-looks'
import { storedZip } from './stored-zip'
import { bytesOfPart, partsIn, type ZipLimits } from './zip-parts'

export type Cell = string | number | boolean
/**
 * Stands for a value that is either a duration of more than a day or a date before March 1900. Without a format for
 * durations, the file does not show which of the two it is.
 */
export const hours = Symbol('hours')

/**
 * The limits allow about 100,000 rows with a dozen columns; reading such a sheet briefly takes half a gigabyte of
 * memory.
 */
const limits: ZipLimits = { maxBytes: 256 * 1024 * 1024, maxMarkupBytes: 128 * 1024 * 1024, maxTags: 6_000_000 }

/** Stands for a formula that no program has calculated yet. */
export const uncalculated = Symbol('uncalculated')
/** Stands for the first cell of a hidden row. Such a row is refused, because users don't see that it would be sent. */
export const hidden = Symbol('hidden')
/** Stands for a cell that is merged with the cell above it: only the uppermost cell has a value in the file. */
export const shared = Symbol('shared')
/** The content of a cell as displayed, or the symbol that says why the content is unknown. */
export type SheetCell = Cell | typeof hours | typeof uncalculated | typeof hidden | typeof shared

type Row = readonly SheetCell[]

/** The rows of the sheet with this name; if `sheet` is empty, of the first visible sheet. Never rejects. */
export async function cellsOfExcel(bytes: Buffer, sheet: string): Promise<readonly Row[] | FileProblem> {
  // The content of the sheets is not kept here, because a long sheet would take too much memory. The wanted sheet is
  // unpacked again later, in pieces.
  const sheets = new Map<string, { readonly isPlain: boolean }>()
  const markup = await partsIn(bytes, limits, (name, part, isMarkup) => {
    if (!isMarkup || !isSheet(part)) return isMarkup ? part : undefined
    sheets.set(name, { isPlain: hasPlainRows(part) })
    // The library finds a sheet by its name. For this search, each sheet is replaced by a sheet that contains only the
    // name of the sheet's part.
    return sheetSaying(name)
  })
  if (markup === 'tooLarge') return { key: 'listUnpacked' }
  if (markup === 'unreadable') return { key: 'listFile' }
  const { readSheet, SheetNotFoundError } = await import('read-excel-file/node')
  const workbook = markup.get('xl/workbook.xml')?.toString('latin1') ?? ''
  const dayZero = /\sdate1904=["'](?:1|true)["']/.test(workbook) ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const styles = markup.get('xl/styles.xml')?.toString('latin1') ?? ''
  const [digits, durations] = [digitsOfStyles(styles), durationsOfStyles(styles)]
  const wanted = sheet === '' ? firstVisible(workbook) : sheet
  // The library gets a new zip file of the checked parts, because it would also unpack parts that the file does not
  // list and that have not been checked.
  const read = (parts: ReadonlyMap<string, Buffer>) =>
    readSheet(Readable.from(storedZip(parts)), wanted, { trim: false })
  try {
    const [[part] = []] = await read(markup)
    const found = typeof part === 'string' ? sheets.get(part) : undefined
    if (typeof part !== 'string' || !found) return { key: 'listFile' }
    for (const name of sheets.keys()) markup.delete(name)
    for (const [name, other] of markup) markup.set(name, writtenOut(other))
    const rows: Row[] = []
    const looks: Looks[] = []
    const atLeast = found.isPlain ? sharedLength(markup) : Infinity
    for await (const piece of sheetPieces(bytesOfPart(bytes, part), atLeast)) {
      looks.push(looksOf(piece))
      const counted = countedFromPiece(piece)
      if (typeof counted !== 'string') return { key: 'listFar', params: { cell: counted.far } }
      while (rows.length < piece.before) rows.push([])
      // The result is cloned, because the library's strings point into the whole piece: each of them would keep the
      // piece in memory.
      const marked = withoutDurations(withMarks(counted), durations, referenceTo(durationMark))
      const shown = Buffer.from(withLeadingZeros(marked, digits), 'latin1')
      const lines = structuredClone(await read(markup.set(part, writtenOut(shown))))
      for (const cells of lines) rows.push(cells.map((cell) => cellOf(cell, dayZero)))
      await nextTurn()
    }
    return asSeen(rows, looks)
  } catch (error) {
    if (error instanceof SheetNotFoundError) return { key: 'listSheet', params: { sheet: sheet || '1' } }
    return { key: 'listFile' }
  }
}

/** Whether a row has a cell that is neither empty nor only spaces. */
export const isFilled = (row: Row = []) => row.some((cell) => String(cell).trim() !== '')

/**
 * Replaces each cell that a spreadsheet program shows differently by the symbol for the reason. Rows without any
 * content stay unchanged.
 */
function asSeen(rows: readonly Row[], looks: readonly Looks[]): Row[] {
  const seen = [...rows]
  const mark = (row: number, column: number, as: SheetCell) =>
    isFilled(rows[row - 1]) && (seen[row - 1] = Object.assign([...(seen[row - 1] ?? [])], { [column - 1]: as }))
  for (const { row, column, end } of looks.flatMap((one) => one.shared)) {
    // A merged area whose uppermost cell is empty has no value for the rows below it.
    if ((rows[row - 2]?.[column - 1] ?? '') === '') continue
    let next = row
    while (next < Math.min(end, rows.length) && !isFilled(rows[next - 1])) next++
    mark(next, column, shared)
  }
  for (const row of looks.flatMap((one) => one.hidden)) mark(row, 1, hidden)
  return seen
}

/** The names of the visible sheets, in order. Never rejects. */
export async function visibleSheets(bytes: Buffer): Promise<readonly string[]> {
  // Only the names are needed, so each sheet is replaced by a short one.
  const markup = await partsIn(bytes, limits, (name, part, isMarkup) =>
    isMarkup ? (isSheet(part) ? sheetSaying(name) : part) : undefined,
  )
  if (typeof markup === 'string') return []
  const { default: readSheets } = await import('read-excel-file/node')
  const tags = sheetTags(markup.get('xl/workbook.xml')?.toString('latin1') ?? '')
  try {
    const sheets = await readSheets(Readable.from(storedZip(markup)))
    return sheets.filter((_sheet, at) => !isHidden(tags[at])).map(({ sheet }) => sheet)
  } catch {
    return []
  }
}

const isSheet = (part: Buffer) => /<(?:\w+:)?worksheet[\s>]/.test(part.toString('latin1', 0, 4096))

function sheetSaying(name: string): Buffer {
  const text = name.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)
  const cell = `<c r="A1" t="inlineStr"><is><t>${text}</t></is></c>`
  return Buffer.from(`<worksheet><sheetData><row r="1">${cell}</row></sheetData></worksheet>`)
}

/** The number of bytes of the shared strings that cells refer to. The library reads all of them with each piece. */
const sharedLength = (parts: ReadonlyMap<string, Buffer>) =>
  [...parts].reduce((sum, [name, { length }]) => (/sharedStrings/i.test(name) ? sum + length : sum), 0)

/** The number of the first visible sheet, from 1. */
function firstVisible(workbook: string): number {
  return (
    Math.max(
      0,
      sheetTags(workbook).findIndex((tag) => !isHidden(tag)),
    ) + 1
  )
}

const sheetTags = (workbook: string) => workbook.match(/<(?:\w+:)?sheet\s[^>]*>/g) ?? []
const isHidden = (tag = '') => /\sstate=["'](?:hidden|veryHidden)["']/.test(tag)

/** Stand for values that the library must not read. These characters have no meaning of their own and are in no text. */
const [mark, durationMark] = ['\uE000', '\uE001']
const referenceTo = (character: string) => `&#x${character.charCodeAt(0).toString(16)};`

/** Turns failed and uncalculated formulas into texts, because the library treats their cells as empty. */
function withMarks(sheet: string): string {
  return sheet
    .replace(/(<(?:\w+:)?c\s(?:[^>]*\s)?t=)["']e["']/g, '$1"str"')
    .replace(noResult, `<$1 t="str"><v>${referenceTo(mark)}</v></c>`)
}

/**
 * The markup with its numeric references written out, because the library decodes only those up to 65535 correctly,
 * not, for example, `&#128512;`.
 */
function writtenOut(part: Buffer): Buffer {
  if (!part.includes('&#')) return part
  const text = part
    .toString('latin1')
    .replace(/&#(?:x([\da-f]{5,6})|(\d{5,7}));/gi, (all, hex?: string, digits?: string) => {
      const code = hex === undefined ? Number(digits) : parseInt(hex, 16)
      return code > 0xffff && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)).toString('latin1') : all
    })
  return Buffer.from(text, 'latin1')
}

/** A formula without a result. The pattern finds only numeric cells, because the result of a text cell may be empty. */
const noResult = /<(c(?:\s(?!t=)[\w:]+="[^"]*")*)><f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/f>)(?:<v\s*\/>|<v><\/v>)?<\/c>/g

/**
 * The value of a cell as the library returns it. The parameter is `unknown`, because the library's types declare a date
 * as the constructor `Date`.
 */
function cellOf(cell: unknown, dayZero: number): SheetCell {
  if (cell === mark) return uncalculated
  if (cell === durationMark) return hours
  if (cell instanceof Date) return dateText(cell, dayZero)
  if (typeof cell === 'number') return shownNumber(cell)
  return typeof cell === 'boolean' ? cell : String(cell ?? '')
}

/**
 * The number with fifteen digits, as a spreadsheet program shows it: the file may contain 0.30000000000000004 for 0.3.
 */
const shownNumber = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(15)))

const day = 86_400_000
/** A value below this number of days may be a date or a duration. */
const unsureDays = 61

/**
 * The date as text. It is read as UTC, because a cell has no time zone. Rounding makes a third of a day exactly 08:00,
 * not a millisecond less.
 */
function dateText(date: Date, dayZero: number): string | typeof hours {
  const time = Math.round(date.getTime() / 1000) * 1000
  if (Number.isNaN(time)) return ''
  const days = (time - dayZero) / day
  if (days < 0 || (days >= 1 && days < unsureDays)) return hours
  const [on = '', at = ''] = new Date(time).toISOString().split('T')
  if (days < 1) return at.slice(0, 5)
  return at.startsWith('00:00:00') ? on : `${on} ${at.slice(0, 5)}`
}
