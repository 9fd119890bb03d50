/** Distinguishes a Word field whose column is missing from one whose cell is empty. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { isPlainObject } from '../../lib/common/plain-object'
import type { Call } from '../../lib/runtime/node/message-call'
import type { fields } from './create-document.fields'
import type { CreateValues } from './request'

type WithColumns = Pick<Call<typeof fields>, 'columns' | 'msg'>

/**
 * Returns the problems with the fields of a Word file. If a value is missing because the message has no column for it,
 * the problem says so.
 */
export function namingAbsent(
  problems: readonly ProblemKey[],
  { columns, msg: { payload } }: WithColumns,
  { fields: given }: Pick<CreateValues, 'fields'>,
): readonly ProblemKey[] {
  // Nearly every message has no problems, so the columns usually need not be looked up.
  if (problems.length === 0) return problems
  const rows = given?.from === 'form' ? given.rows : []
  const has = (column: string) => isPlainObject(payload) && Object.hasOwn(payload, column)
  const absent = new Map(
    rows.flatMap(({ name = '', value }, index): [string, string][] => {
      const column = columns.get(`fields[${index}].value`)
      return value !== undefined || column === undefined || has(column) ? [] : [[name, column]]
    }),
  )
  return problems.map((problem) => {
    // No column of a spreadsheet could contain the list that is missing.
    const isColumn = problem.path === 'fields' && problem.key !== 'wordNoList'
    const column = isColumn ? absent.get(String(problem.params?.field)) : undefined
    return column === undefined ? problem : { ...problem, key: 'wordNoColumn', params: { ...problem.params, column } }
  })
}
