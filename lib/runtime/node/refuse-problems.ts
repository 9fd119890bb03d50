/** Refuses a message and reports all faults in its settings at once, with only one reason for each path. */
import { inputError, type ProblemKey } from '../../api/errors/errors'
import type { Fields } from '../../settings/fields'
import { withColumn, type Columns } from '../values/columns'
import { requestPath } from '../values/request-path'

/** Throws the problems found while the settings were read (`problems`) and since then (`more`). */
export function refuseProblems(
  { fields, columns }: { readonly fields: Fields; readonly columns: Columns },
  problems: readonly ProblemKey[],
  more: readonly ProblemKey[],
): void {
  // Each path gets only one reason: a value that was refused while reading must not be reported as "missing" too.
  const elsewhere = more
    .map(({ path }) => requestPath(fields, path))
    .filter((path, index) => path !== more[index]?.path)
  const named = new Set([...problems.flatMap(({ path }) => [path, requestPath(fields, path)]), ...elsewhere])
  const isNew = ({ path }: ProblemKey) => !named.has(path) && !named.has(path.replace(/^\w+\[\d+\]\./, ''))
  const all = [...problems, ...more.filter(isNew)]
  if (all.length > 0) throw inputError(all.map((one) => withColumn(one, columns)))
}
