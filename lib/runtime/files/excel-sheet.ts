/** Reads the cells of an .xlsx file as a person sees them. */
import { Readable } from 'node:stream'
import type { TextParams } from '../../api/errors/texts'
import { nextTurn } from '../../common/event-loop'
import { countedFromPiece, sheetPieces } from './sheet-pieces'
import { storedZip } from './stored-zip'
import { markupIn, type ZipLimits } from './zip-parts'

export type Cell = string | number | boolean
/** A time of more than a day, or a date before March 1900: which of them is not known, nor how it looks. */
export const hours = Symbol('hours')

/** A hundred thousand rows with a dozen columns; reading them takes half a gigabyte of memory for a moment. */
const limits: ZipLimits = { maxBytes: 256 * 1024 * 1024, maxMarkupBytes: 128 * 1024 * 1024, maxTags: 6_000_000 }

/** Why the file is not a list, as a key of the texts (`problems`). */
interface SheetProblem {
  readonly key: string
  readonly params?: TextParams
}

/** A formula that no program has calculated yet. */
export const uncalculated = Symbol('uncalculated')
/** What a cell shows; or why that is not known. */
export type SheetCell = Cell | typeof hours | typeof uncalculated

type Row = readonly SheetCell[]

/** The rows of a sheet; of the first one that is not hidden when `sheet` is empty. Never rejects. */
export async function cellsOfExcel(bytes: Buffer, sheet: string): Promise<readonly Row[] | SheetProblem> {
  const markup = await markupIn(bytes, limits)
  if (markup === 'tooLarge') return { key: 'listUnpacked' }
  if (markup === 'unreadable') return { key: 'listFile' }
  const { readSheet, SheetNotFoundError } = await import('read-excel-file/node')
  const workbook = markup.get('xl/workbook.xml')?.toString('latin1') ?? ''
  const dayZero = /\sdate1904=["'](?:1|true)["']/.test(workbook) ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const sheets = [...markup.keys()].filter((name) => isSheet(markup.get(name)))
  const wanted = sheet === '' ? firstVisible(workbook) : sheet
  // The library would also unpack what the file does not list, and what was not looked at.
  const read = (parts: ReadonlyMap<string, Buffer>) =>
    readSheet(Readable.from(storedZip(parts)), wanted, { trim: false })
  try {
    // The library finds the sheet: each says here only in which part it is.
    const names = sheets.map((name) => [name, sheetSaying(name)] as const)
    const [[part] = []] = await read(new Map([...markup, ...names]))
    const content = typeof part === 'string' ? markup.get(part) : undefined
    if (typeof part !== 'string' || !content) return { key: 'listFile' }
    for (const name of sheets) markup.delete(name)
    for (const [name, other] of markup) markup.set(name, writtenOut(other))
    const rows: Row[] = []
    for (const piece of sheetPieces(content, sharedLength(markup))) {
      const counted = countedFromPiece(piece)
      if (typeof counted !== 'string') return { key: 'listFar', params: { cell: counted.far } }
      while (rows.length < piece.before) rows.push([])
      // The texts of the library are windows into the whole piece, which stays in memory as long as one of them.
      const found = structuredClone(await read(markup.set(part, writtenOut(Buffer.from(withMarks(counted), 'latin1')))))
      for (const cells of found) rows.push(cells.map((cell) => cellOf(cell, dayZero)))
      await nextTurn()
    }
    return rows
  } catch (error) {
    if (error instanceof SheetNotFoundError) return { key: 'listSheet', params: { sheet: sheet || '1' } }
    return { key: 'listFile' }
  }
}

/** The names of the sheets that are not hidden, in their order. Never rejects. */
export async function visibleSheets(bytes: Buffer): Promise<readonly string[]> {
  const markup = await markupIn(bytes, limits)
  if (typeof markup === 'string') return []
  const { default: readSheets } = await import('read-excel-file/node')
  // Only their names are wanted.
  for (const [name, part] of markup) if (isSheet(part)) markup.set(name, sheetSaying(name))
  const tags = sheetTags(markup.get('xl/workbook.xml')?.toString('latin1') ?? '')
  try {
    const sheets = await readSheets(Readable.from(storedZip(markup)))
    return sheets.filter((_sheet, at) => !isHidden(tags[at])).map(({ sheet }) => sheet)
  } catch {
    return []
  }
}

const isSheet = (part: Buffer | undefined) => /<(?:\w+:)?worksheet[\s>]/.test(part?.toString('latin1', 0, 4096) ?? '')

function sheetSaying(name: string): Buffer {
  const text = name.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)
  const cell = `<c r="A1" t="inlineStr"><is><t>${text}</t></is></c>`
  return Buffer.from(`<worksheet><sheetData><row r="1">${cell}</row></sheetData></worksheet>`)
}

/** Bytes of the texts that cells refer to: the library reads all of them with each piece. */
const sharedLength = (parts: ReadonlyMap<string, Buffer>) =>
  [...parts].reduce((sum, [name, { length }]) => (/sharedStrings/i.test(name) ? sum + length : sum), 0)

/** The number of the first sheet that is not hidden, from 1. */
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

/** A letter that means nothing. */
const mark = '\uE000'

/** The library takes a cell whose formula failed, or was never calculated, for an empty one: as a text it is seen. */
function withMarks(sheet: string): string {
  return sheet
    .replace(/(<(?:\w+:)?c\s(?:[^>]*\s)?t=)["']e["']/g, '$1"str"')
    .replace(noResult, `<$1 t="str"><v>&#x${mark.charCodeAt(0).toString(16)};</v></c>`)
}

/** The library reads a letter that is written as a number, such as `&#128512;`, only up to 65535, and takes another. */
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

/** A cell of a number: that of a text may have an empty result. */
const noResult = /<(c(?:\s(?!t=)[\w:]+="[^"]*")*)><f(?:\s[^<>]*)?(?:\/>|>[^<]*<\/f>)(?:<v\s*\/>|<v><\/v>)?<\/c>/g

/** The library's types name the constructor of a date where it gives one. */
function cellOf(cell: unknown, dayZero: number): SheetCell {
  if (cell === mark) return uncalculated
  if (cell instanceof Date) return dateText(cell, dayZero)
  if (typeof cell === 'number') return shownNumber(cell)
  return typeof cell === 'boolean' ? cell : String(cell ?? '')
}

/** A file has 0.30000000000000004 where a spreadsheet shows 0.3: it shows fifteen digits. */
const shownNumber = (value: number) => (Number.isInteger(value) ? value : Number(value.toPrecision(15)))

const day = 86_400_000
/** Days from the first on of which it is not known whether they are counted, or are hours. */
const unsureDays = 61

/** A cell has no time zone: it is read as UTC. A third of a day is 08:00, and not a millisecond before. */
function dateText(date: Date, dayZero: number): string | typeof hours {
  const time = Math.round(date.getTime() / 1000) * 1000
  if (Number.isNaN(time)) return ''
  const days = (time - dayZero) / day
  if (days < 0 || (days >= 1 && days < unsureDays)) return hours
  const [on = '', at = ''] = new Date(time).toISOString().split('T')
  if (days < 1) return at.slice(0, 5)
  return at.startsWith('00:00:00') ? on : `${on} ${at.slice(0, 5)}`
}
