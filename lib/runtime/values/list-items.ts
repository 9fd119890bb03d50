/** Converts a list for the request. */
import type { Fields, ListValue, Values } from '../../settings/fields'

/**
 * The items of a list: `toItem` converts the rows of a list from the form; a list from elsewhere stays as it is.
 * Undefined if there is no list.
 */
export function toItems<Rows extends Fields>(
  value: ListValue<Rows> | undefined,
  toItem: (row: Values<Rows>, index: number) => unknown,
): unknown[] | undefined {
  return value?.from === 'form' ? value.rows.map(toItem) : value && [...value.list]
}
