/**
 * Finds out from which columns of a list the settings of a node take their values, so that an error can name the
 * column.
 */
import type { ProblemKey } from '../../api/errors/errors'
import { isPersonalKey } from '../../api/errors/mask'
import { columnOf } from '../../settings/column-of'
import { isPlainObject } from '../../common/plain-object'
import { isTyped, type Fields } from '../../settings/fields'
import type { NodeConfig } from '../node-red/node-red'
import { requestPath } from './request-path'

/** The column of each setting, keyed by the setting's path in the form and by its path in the request. */
export type Columns = ReadonlyMap<string, string>

export function columnsIn(fields: Fields, config: NodeConfig): Columns {
  const found = new Map<string, string>()
  for (const [name, field] of Object.entries(fields)) {
    if (!isTyped(field)) continue
    const type = String(config[`${name}Type`] ?? field.type)
    note(name, type, config[name])
    const rows: unknown = type === 'form' ? config[`${name}Rows`] : undefined
    for (const [index, row] of (Array.isArray(rows) ? (rows as unknown[]) : []).entries()) {
      const stored = isPlainObject(row) ? row : {}
      for (const [cell, one] of Object.entries(field.rows ?? {})) {
        const cellType = String(stored[`${cell}Type`] ?? (isTyped(one) ? one.type : ''))
        note(`${name}[${index}].${cell}`, cellType, stored[cell])
      }
    }
  }
  return found

  function note(path: string, type: string, typed: unknown): void {
    const column = typeof typed === 'string' ? columnOf(type, typed) : undefined
    // If the list has no column names, the values of the first person take their place, and these must not be shown.
    if (column === undefined || isPersonalKey(column)) return
    for (const one of [path, requestPath(fields, path)]) found.set(one, column)
  }
}

/** Adds the column to the problem, unless the problem's sentence already says where the value came from. */
export function withColumn(problem: ProblemKey, columns: Columns): ProblemKey {
  const { path, params = {} } = problem
  const column = 'field' in params || 'source' in params ? undefined : columns.get(path)
  return column === undefined ? problem : { ...problem, column }
}
