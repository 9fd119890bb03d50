/** Refuses a message for all faults in its settings at once, with one reason per place. */
import { inputError, type ProblemKey } from '../../api/errors/errors'
import { isTyped, type Field, type Fields } from '../../settings/fields'

/** Throws the problems found while reading and since, if there are any. */
export function refuseProblems(fields: Fields, problems: readonly ProblemKey[], more: readonly ProblemKey[]): void {
  if (problems.length + more.length === 0) return
  // One reason per place: a value refused while reading is not also "missing".
  const elsewhere = more
    .map(({ path }) => requestPath(fields, path))
    .filter((path, index) => path !== more[index]?.path)
  const named = new Set([...problems.flatMap(({ path }) => [path, requestPath(fields, path)]), ...elsewhere])
  const isNew = ({ path }: ProblemKey) => !named.has(path) && !named.has(path.replace(/^\w+\[\d+\]\./, ''))
  const all = [...problems, ...more.filter(isNew)]
  if (all.length > 0) throw inputError(all)
}

/**
 * Where a setting's value goes in the request, so that a fault is not reported twice under two names: `amount.tenant`
 * for `amountTenant`; `recipients[0].mobile.number` for `recipients[0].mobileNumber`; otherwise the name itself.
 */
function requestPath(fields: Fields, name: string): string {
  const [, list = '', index = '', column = ''] = /^(\w+)(\[\d+\])\.(\w+)$/.exec(name) ?? []
  const field = own(fields, list)
  if (!field) return firstOf(own(fields, name)?.path) ?? name
  const rows = isTyped(field) ? field.rows : undefined
  return `${list}${index}.${firstOf(rows && own(rows, column)?.path) ?? column}`
}

function firstOf(path: Field['path']): string | undefined {
  return typeof path === 'object' ? path[0] : path
}

function own(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
