/** Finds columns of a list that can't be its row key: a key must exist in each row, occur only once, and not change. */
import type { ListRow } from '../../lib/runtime/files/row-list'

/**
 * Why a column is unfit; `address` means that it contains e-mail addresses, which may be corrected later. `identical`
 * means that the list needs a row key or is wrong, because it has the same row twice.
 */
type Unfit = 'empty' | 'repeated' | 'address' | 'identical'

/** Returns the reason for each unfit column, by the name of the column; the name is empty for having no row key. */
export function unfitKeys(columns: readonly string[], rows: readonly ListRow[]): Record<string, Unfit> {
  const reasons = columns.flatMap((column): [string, Unfit][] => {
    const reason = reasonOf(rows.map((row) => String(row[column] ?? '').trim()))
    return reason ? [[column, reason]] : []
  })
  return { ...Object.fromEntries(reasons), ...(hasRowTwice(columns, rows) && { '': 'identical' as const }) }
}

/** The rows of a longer list are not compared, because that would hold up the editor and all flows. */
const maxCompared = 10_000

function hasRowTwice(columns: readonly string[], rows: readonly ListRow[]): boolean {
  if (rows.length > maxCompared) return false
  const different = new Set(rows.map((row) => JSON.stringify(columns.map((column) => String(row[column] ?? '')))))
  return different.size < rows.length
}

function reasonOf(values: readonly string[]): Unfit | undefined {
  if (values.includes('')) return 'empty'
  if (new Set(values).size < values.length) return 'repeated'
  const addresses = values.filter((value) => /^[^@\s]+@[^@\s]+$/.test(value)).length
  return addresses > values.length / 2 ? 'address' : undefined
}
