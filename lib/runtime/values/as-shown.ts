/** Numbers and dates of a list as the cells of its spreadsheet show them. */
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import type { ListRow, ShownRow } from '../files/row-list'
import type { FlowMessage } from '../node-red/node-red'

/**
 * The text that the cell of this column shows, if `value` is still the one that was read from it; otherwise `value`. A
 * flow may have changed the value since then.
 */
export function asShown(msg: FlowMessage, column: string, value: unknown): unknown {
  const shown = propertyOf(msg.batch, 'shown')
  const columns = propertyOf(msg._batch, 'columns')
  const text = propertyOf(shown, column)
  return typeof text === 'string' && value !== undefined && value === propertyOf(columns, column) ? text : value
}

const propertyOf = (source: unknown, name: string) =>
  isPlainObject(source) && Object.hasOwn(source, name) ? source[name] : undefined

/** A row of a list, with what its cells show. */
export interface RowAsShown {
  readonly row: ListRow
  readonly shown: ShownRow
}

/** The part of a row's message from which texts are filled in. */
export function messageOf({ row, shown }: RowAsShown): PlainObject {
  return { payload: row, batch: { shown }, _batch: { columns: row } }
}
