/** Finds the path of a setting's value in the request, so that a problem is not reported twice under two names. */
import { isTyped, type Field, type Fields } from '../../settings/fields'

/**
 * The path in the request, such as `amount.tenant` for `amountTenant`, or `recipients[0].mobile.number` for
 * `recipients[0].mobileNumber`; `name` itself if the setting has no other path.
 */
export function requestPath(fields: Fields, name: string): string {
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
