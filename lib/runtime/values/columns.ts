/** Says from which columns of a list the settings of a node take their values, for the sentence of an error. */
import type { ProblemKey } from '../../api/errors/errors'
import { isPersonalKey } from '../../api/errors/mask-key'
import { columnOf } from '../../settings/column-of'
import { isPlainObject } from '../../common/plain-object'
import { isTyped, type Fields } from '../../settings/fields'
import type { NodeConfig } from '../node-red/node-red'
import { requestPath } from './request-path'

/** Columns by the path of a setting, as in the form and as in the request. */
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
    // A list without column names has the first person in their place.
    if (column === undefined || isPersonalKey(column)) return
    for (const one of [path, requestPath(fields, path)]) found.set(one, column)
  }
}

/** The same problem with its column, unless its sentence names the place already. */
export function withColumn(problem: ProblemKey, columns: Columns): ProblemKey {
  const { path, params = {} } = problem
  const column = 'field' in params || 'source' in params ? undefined : columns.get(path)
  return column === undefined ? problem : { ...problem, column }
}
