/** The content of a cell: its value, and the text that a spreadsheet program shows for it. */
import type { CellObject } from '@e965/xlsx'
import type { CellText } from './cell-text'
import { isDate } from './sheet-library'

export type Cell = string | number | boolean

/** Stands for a formula that no program has calculated yet. */
export const uncalculated = Symbol('uncalculated')
/** Stands for a date before March 1900 or a time of more than a day: the file does not show which of the two it is. */
export const unsure = Symbol('unsure')
/** Stands for the first cell of a hidden row. Such a row is refused, because users don't see that it would be sent. */
export const hidden = Symbol('hidden')
/** Stands for a cell that is merged with the cell above it: only the uppermost cell has a value in the file. */
export const shared = Symbol('shared')

/** The value of a cell, or the symbol that says why it is unknown. */
export type SheetCell = Cell | symbol

interface ShownCell {
  readonly value: SheetCell
  /** A number or a date as the cell shows it. */
  readonly shown?: string
}

export interface CellContext {
  /** Whether the text of a cell in the file is what the cell shows. */
  readonly isOpenDocument: boolean
  /** Whether the workbook counts its days from 1904. */
  readonly from1904: boolean
  /** Whether the results of formulas that are 0 may be placeholders of a program that can't calculate. */
  readonly isProvisional: boolean
  /** Writes a number or a date as its cell shows it. */
  readonly text: CellText
}

/** A cell of the library. */
export function shownCell(cell: CellObject | undefined, context: CellContext): ShownCell {
  const found = readCell(cell, context)
  return context.isOpenDocument && found.shown !== undefined ? { value: found.value, shown: cell?.w } : found
}

/** Dates are times in UTC, because a cell has no time zone. */
function readCell(cell: CellObject | undefined, context: CellContext): ShownCell {
  if (cell?.t === 'e') return { value: cell.w ?? '#N/A' }
  if (!cell || cell.v === undefined || cell.t === 'z')
    return { value: (cell?.f ?? cell?.F) === undefined ? '' : uncalculated }
  if (cell.f !== undefined && cell.v === 0 && context.isProvisional) return { value: uncalculated }
  const format = typeof cell.z === 'string' ? cell.z : 'General'
  if (cell.v instanceof Date) return dateCell(cell.v, format, context)
  if (typeof cell.v !== 'number') return { value: cell.v }
  // The library gives no date for the day that only the calendar of spreadsheets has, 29 February 1900.
  if (isDate(format)) return { value: unsure }
  return { value: withZeros(cell.v, format), shown: context.text(cell.v, format) }
}

const day = 86_400_000

/**
 * The date as `2031-12-31`, with a time as `2031-12-31 08:00`, and a time alone as `08:00`; with the seconds if its cell
 * shows them.
 */
function dateCell(date: Date, format: string, { from1904, text }: CellContext): ShownCell {
  // Rounding makes a third of a day exactly 08:00, not a millisecond less.
  const time = Math.round(date.getTime() / 1000) * 1000
  const days = (time - (from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 31))) / day
  const counted = elapsed.exec(format.replace(literal, ''))
  if (counted) {
    // The calendar of spreadsheets has a day too many before March 1900.
    const number = !from1904 && days >= 60 ? days + 1 : days
    if (!(number >= 0)) return { value: unsure }
    const hasSeconds = !/h/i.test(counted[1] ?? '') || /s/i.test(format.replace(literal, ''))
    return { value: durationText(number, hasSeconds), shown: text(number, format) }
  }
  if (!(days >= 0) || (days >= 1 && days < 61)) return { value: unsure }
  const [on = '', at = ''] = new Date(time).toISOString().split('T')
  const bare = format.replace(literal, '')
  const clock = /s/i.test(bare) && !at.includes(':00.') ? at.slice(0, 8) : at.slice(0, 5)
  const value = days < 1 ? clock : at.startsWith('00:00:00') ? on : `${on} ${clock}`
  // A date that is stored as text has no format.
  if (!isDate(format)) return { value }
  return { value, shown: text(days < 1 ? days : (time - Date.UTC(1899, 11, 30)) / day, format) }
}

/** Texts in a format, which are shown as they are. */
const literal = /"[^"]*"|\\.|\[\$[^\]]*\]/g
/** A format such as `[h]:mm` counts the hours on after 24. */
const elapsed = /\[(h+|m+|s+)\]/i

function durationText(days: number, hasSeconds: boolean): string {
  const seconds = Math.round(days * 86_400)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const minutes = `${two(seconds / 3600)}:${two((seconds % 3600) / 60)}`
  return hasSeconds ? `${minutes}:${two(seconds % 60)}` : minutes
}

/**
 * A format that consists of zeros, which may be grouped, and may apply only up to a limit: `0000`, `000000\ 00000`,
 * `[<=9999]0000;General`.
 */
const padded = /^(?:\[<=?\d+\])?((?:0|\\.|[ -]|"[^"]*")*)(?:;(?:General|Standard|@))?$/i
/** The maximum number of digits. Without it, a hostile file could make each of its cells as long as it wants. */
const maxDigits = 100

/**
 * The number as a spreadsheet program shows it: with fifteen digits, because the file may contain 0.30000000000000004
 * for 0.3, and as a text with its leading zeros if the format adds any, because the postal code 0150 is stored as 150.
 */
function withZeros(value: number, format: string): Cell {
  const count = (padded.exec(format)?.[1] ?? '').replace(/\\.|"[^"]*"|[^0]/g, '').length
  if (count > 1 && count <= maxDigits && Number.isInteger(value) && value >= 0)
    return String(value).padStart(count, '0')
  return Number.isInteger(value) ? value : Number(value.toPrecision(15))
}
