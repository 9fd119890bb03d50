/** Converts a list of the form for the request. */
import type { Fields, ListValue, Values } from '../../settings/fields'

/**
 * The items of a list: rows of the form are converted by `toItem`; a list from elsewhere stays as it is. Undefined
 * without a list.
 */
export function toItems<Rows extends Fields>(
  value: ListValue<Rows> | undefined,
  toItem: (row: Values<Rows>, index: number) => unknown,
): unknown[] | undefined {
  return value?.from === 'form' ? value.rows.map(toItem) : value && [...value.list]
}
