/** Turns a list of the form into what the request wants of it. */
import type { Fields, ListValue, Values } from '../../settings/fields'

/**
 * The items of a list: each row of the form by `toItem`; a list from elsewhere is what it is. Undefined
 * without a list.
 */
export function toItems<Rows extends Fields>(
  value: ListValue<Rows> | undefined,
  toItem: (row: Values<Rows>, index: number) => unknown,
): unknown[] | undefined {
  return value?.from === 'form' ? value.rows.map(toItem) : value && [...value.list]
}
