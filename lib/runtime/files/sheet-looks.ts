/**
 * Finds what a spreadsheet program shows differently from the cells in the file: hidden rows, and cells merged over
 * several rows.
 */
import { columnNumber, type SheetPiece } from './sheet-pieces'

/** The second cell of a merged area. Its value is that of the cell above it. `row` and `column` count from 1. */
interface Shared {
  readonly row: number
  readonly column: number
  /** The last row of the merged area. */
  readonly end: number
}

export interface Looks {
  /** The numbers of hidden rows, such as those that a filter leaves out. */
  readonly hidden: readonly number[]
  readonly shared: readonly Shared[]
}

/** The maximum number of merged cells; a sheet with more of them is not a list. */
const maxShared = 10_000

/** The attributes of a hidden row. Some programs hide a row by giving it no height. */
const invisible = /(?:^|\s)(?:hidden=["'](?:1|true)["']|ht=["']0(?:\.0*)?["'])/

export function looksOf({ before, markup }: SheetPiece): Looks {
  const hidden: number[] = []
  let row = before
  for (const [, attributes = ''] of markup.matchAll(/<(?:\w+:)?row\s([^<>]*)>/g)) {
    row = Number(/(?:^|\s)r=["'](\d{1,7})["']/.exec(attributes)?.[1] ?? row + 1)
    if (invisible.test(attributes)) hidden.push(row)
  }
  const shared: Shared[] = []
  const cells = /<(?:\w+:)?mergeCell\s[^<>]*?ref=["']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})["']/g
  for (const [, letters = '', first, last] of markup.matchAll(cells)) {
    const [from, end] = [Number(first), Number(last)]
    if (end > from && shared.length < maxShared) shared.push({ row: from + 1, column: columnNumber(letters), end })
  }
  return { hidden, shared }
}
