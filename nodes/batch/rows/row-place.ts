/** Where people find a row: in the list, and in the file that the list came from. */
import { fileRowAt, type FileRows } from '../../../lib/runtime/files/file-rows'
import type { Row } from './row'
import type { Rows } from './rows'

export interface RowPlace {
  readonly id: string
  /** The number of the row in the list, from 1. */
  readonly row: number
  /** The number that a spreadsheet shows beside the row. */
  readonly fileRow?: number
  readonly key: string
}

/** The part of a batch that is needed to find the place of a row. */
export interface Listed {
  readonly head: { readonly id: string; readonly fileRows?: FileRows }
  readonly rows: Rows
}

export function placeOf({ head, rows }: Listed, row: Row): RowPlace {
  const index = rows.indexOf(row)
  const fileRow = fileRowAt(head.fileRows, index)
  return { id: head.id, row: index + 1, ...(fileRow !== undefined && { fileRow }), key: row.key }
}

/** The number by which a person finds the row. */
export function shownNumber({ row, fileRow = row }: RowPlace): number {
  return fileRow
}
