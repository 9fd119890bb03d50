/** The only place that decides about conflicts between settings, for both the form and the request. */
import { isTyped, type Field, type Fields, type TypedField } from './fields'
import { together, type Conflict, type KnownValues } from './together'
import { isTouched, literalValue, validateValue, type ReadStored, type Stored, type UsedRules } from './validation'

/**
 * The problem that other settings cause for this one; none while the message may bring the request. `around` holds the
 * settings around a list, for one of its rows.
 */
export function conflictOf(
  field: Field,
  { fields, read, rules, around = {} }: { fields: Fields; read: ReadStored; rules: UsedRules; around?: KnownValues },
): Conflict | undefined {
  if (field.together === undefined || (read('body').type ?? 'auto') !== 'auto') return undefined
  // The form is untouched, so the message may be the request.
  if (field.request && !isTouched(fields, read)) return undefined
  return together[field.together](knownValues(fields, read, rules), around)
}

/** The values known before a message arrives; a list of the form is given as its rows. */
export function knownValues(fields: Fields, read: ReadStored, rules: UsedRules): KnownValues {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, one]): [string, unknown][] => {
      const { value, type, rows } = read(name)
      if (isTyped(one) && (type ?? one.type) === 'form') return [[name, rows ?? []]]
      // A total that comes from the message is left out; it must not count as 0.
      const literal = isTyped(one) ? literalOf(one, type, value) : { value: value ?? one.initial }
      const valid = literal && 'value' in literal ? validateValue(one, literal.value, rules) : undefined
      return valid && 'value' in valid ? [[name, valid.value]] : []
    }),
  )
}

/** An empty value is known too. */
const literalOf = (field: TypedField, type: string = field.type, value: unknown = field.initial) =>
  value === '' ? { value: undefined } : literalValue(type, value)

/** True if a cell names something missing from the form's other list; false while only the message knows that. */
export function isNotAmong({ among }: Field, { value, type }: Stored, around: ReadStored | undefined): boolean {
  if (!among || !around || type !== 'str' || (around('body').type ?? 'auto') !== 'auto') return false
  const [list, column] = among
  const { type: from = 'form', rows } = around(list)
  if (from !== 'form' || !Array.isArray(rows)) return false
  const listed = rows as readonly Record<string, unknown>[]
  if (listed.length === 0 || listed.some((row) => (row[`${column}Type`] ?? 'str') !== 'str')) return false
  const known = new Set(listed.map((row) => String(row[column] ?? '').trim()))
  const named = String(value ?? '').split(/[,;\n]/)
  return named.some((one) => one.trim() !== '' && !known.has(one.trim()))
}
