/** The only place that decides about conflicts between settings; both the form and the request use it. */
import { splitText } from '../common/split-list'
import { isTyped, type Field, type Fields, type TypedField } from './fields'
import { together, type Conflict, type KnownValues } from './together'
import {
  isFromForm,
  isTouched,
  literalValue,
  validateValue,
  type ReadStored,
  type Stored,
  type UsedRules,
} from './validation'

/**
 * Returns the conflict of this setting with other settings. Returns undefined as long as the message may provide the
 * request. If the setting is in a row of a list, `around` contains the settings outside the list.
 */
export function conflictOf(
  field: Field,
  { fields, read, rules, around = {} }: { fields: Fields; read: ReadStored; rules: UsedRules; around?: KnownValues },
): Conflict | undefined {
  if (field.together === undefined || !isFromForm(read)) return undefined
  // While the form is untouched, the message may still provide the request.
  if (field.request && !isTouched(fields, read)) return undefined
  return together[field.together](knownValues(fields, read, rules), around)
}

/** The values known before a message arrives. If a list is edited in the form, its value is the array of its rows. */
export function knownValues(fields: Fields, read: ReadStored, rules: UsedRules): KnownValues {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, one]): [string, unknown][] => {
      const { value, type, rows } = read(name)
      if (isTyped(one) && (type ?? one.type) === 'form') return [[name, rows ?? []]]
      // A value that comes from the message, such as a total, is left out, because it must not count as 0.
      const literal = isTyped(one) ? literalOf(one, type, value) : { value: value ?? one.initial }
      const valid = literal && 'value' in literal ? validateValue(one, literal.value, rules) : undefined
      return valid && 'value' in valid ? [[name, valid.value]] : []
    }),
  )
}

/** The literal value of a setting. An empty value is known too: it means that there is no value. */
const literalOf = (field: TypedField, type: string = field.type, value: unknown = field.initial) =>
  value === '' ? { value: undefined } : literalValue(type, value)

/**
 * True if a cell contains a value that is missing from the other list of the form; false if this depends on the
 * message.
 */
export function isNotAmong({ among }: Field, { value, type }: Stored, around: ReadStored | undefined): boolean {
  if (!among || !around || type !== 'str' || !isFromForm(around)) return false
  const [list, column] = among
  const { type: from = 'form', rows } = around(list)
  if (from !== 'form' || !Array.isArray(rows)) return false
  const listed = rows as readonly Record<string, unknown>[]
  if (listed.length === 0 || listed.some((row) => (row[`${column}Type`] ?? 'str') !== 'str')) return false
  const known = new Set(listed.map((row) => String(row[column] ?? '').trim()))
  return splitText(String(value ?? '')).some((one) => !known.has(one))
}
