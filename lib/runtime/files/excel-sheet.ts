/** Reads the cells of an .xlsx file as a person sees them. */
import type { TextParams } from '../../api/errors/texts'
import { storedZip } from './stored-zip'
import { markupIn, type ZipLimits } from './zip-parts'

export type Cell = string | number | boolean
/** A time of more than a day, or a date before March 1900: which of them is not known, nor how it looks. */
export const hours = Symbol('hours')

/** A hundred thousand rows with a dozen columns; reading them takes half a gigabyte of memory for a moment. */
const limits: ZipLimits = { maxBytes: 256 * 1024 * 1024, maxMarkupBytes: 128 * 1024 * 1024, maxTags: 6_000_000 }

/** Why the file is no list, as a key of the texts (`problems`). */
interface SheetProblem {
  readonly key: string
  readonly params?: TextParams
}

/** The rows of a sheet; of the first one that is not hidden when `sheet` is empty. Never rejects. */
export async function cellsOfExcel(
  bytes: Buffer,
  sheet: string,
): Promise<readonly (readonly (Cell | typeof hours)[])[] | SheetProblem> {
  const markup = await markupIn(bytes, limits)
  if (markup === 'tooLarge') return { key: 'listUnpacked' }
  if (markup === 'unreadable') return { key: 'listFile' }
  const { readSheet, SheetNotFoundError } = await import('read-excel-file/node')
  const workbook = markup.get('xl/workbook.xml')?.toString('latin1') ?? ''
  const dayZero = /\sdate1904=["'](?:1|true)["']/.test(workbook) ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  for (const [name, part] of markup) if (name.startsWith('xl/worksheets/')) markup.set(name, withErrors(part))
  try {
    // The library would also unpack what the file does not list, and what was not looked at.
    const rows = await readSheet(storedZip(markup), sheet === '' ? firstVisible(workbook) : sheet, { trim: false })
    return rows.map((cells) => cells.map((cell) => cellOf(cell, dayZero)))
  } catch (error) {
    if (error instanceof SheetNotFoundError) return { key: 'listSheet', params: { sheet: sheet || '1' } }
    return { key: 'listFile' }
  }
}

/** The number of the first sheet that is not hidden, from 1. */
function firstVisible(workbook: string): number {
  const sheets = workbook.match(/<(?:\w+:)?sheet\s[^>]*>/g) ?? []
  return (
    Math.max(
      0,
      sheets.findIndex((tag) => !/\sstate=["'](?:hidden|veryHidden)["']/.test(tag)),
    ) + 1
  )
}

/** The library takes a cell whose formula failed for an empty one: as a text, `#N/A` is seen. */
function withErrors(sheet: Buffer): Buffer {
  if (!sheet.includes('t="e"') && !sheet.includes("t='e'")) return sheet
  const text = sheet.toString('latin1').replace(/(<(?:\w+:)?c\s(?:[^>]*\s)?t=)["']e["']/g, '$1"str"')
  return Buffer.from(text, 'latin1')
}

/** The library's types name the constructor of a date where it gives one. */
function cellOf(cell: unknown, dayZero: number): Cell | typeof hours {
  if (cell instanceof Date) return dateText(cell, dayZero)
  return typeof cell === 'number' || typeof cell === 'boolean' ? cell : String(cell ?? '')
}

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
