/** Finds what a person sees differently from the cells of an Excel sheet: hidden rows, and cells that rows share. */
import { columnNumber, type SheetPiece } from './sheet-pieces'

/** A cell that belongs to the one above it; both count from 1. */
export interface Shared {
  readonly row: number
  readonly column: number
  /** The last row of the cell. */
  readonly end: number
}

export interface Looks {
  /** The numbers of hidden rows, such as those that a filter leaves out. */
  readonly hidden: readonly number[]
  readonly shared: readonly Shared[]
}

/** Sheets with more shared cells are no lists. */
const maxShared = 10_000

export function looksOf({ before, markup }: SheetPiece): Looks {
  const hidden: number[] = []
  let row = before
  for (const [, attributes = ''] of markup.matchAll(/<(?:\w+:)?row\s([^<>]*)>/g)) {
    row = Number(/(?:^|\s)r=["'](\d{1,7})["']/.exec(attributes)?.[1] ?? row + 1)
    if (/(?:^|\s)hidden=["'](?:1|true)["']/.test(attributes)) hidden.push(row)
  }
  const shared: Shared[] = []
  const cells = /<(?:\w+:)?mergeCell\s[^<>]*?ref=["']([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})["']/g
  for (const [, letters = '', first, last] of markup.matchAll(cells)) {
    const [from, end] = [Number(first), Number(last)]
    if (end > from && shared.length < maxShared) shared.push({ row: from + 1, column: columnNumber(letters), end })
  }
  return { hidden, shared }
}
