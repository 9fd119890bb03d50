/**
 * Fills in a Word file for a preview or a test, with the values of a row of a list. A field without a value shows its
 * own name.
 */
import { isPlainObject, type PlainObject } from '../../common/plain-object'
import { columnOf } from '../../settings/column-of'
import { parseTemplate } from '../../settings/template'
import type { WordField } from '../files/word-field'
import { fillWord } from '../files/word-file'
import type { Runtime } from '../node-red/node-red'
import { asShown, messageOf, type RowAsShown } from '../values/as-shown'
import { fillTemplate } from '../values/template'
import { textOf } from '../values/read-text'

interface SampleInput {
  readonly fields: readonly WordField[]
  /** The rows of the form: `{name, value, type, mayBeEmpty}`. */
  readonly given: readonly unknown[]
  readonly row: RowAsShown | undefined
}

/** The placeholder text for a field. */
export const sampleFor = (name: string) => `«${name}»`

/**
 * Returns the filled-in file, or its fault; `unknown` are the fields that show their own names because they have no
 * value, and `empty` those for which this row of the list would be refused.
 */
export async function fillWithSamples(RED: Runtime, bytes: Buffer, { fields, given, row }: SampleInput) {
  // A field of the form never takes the value of the column that has its name: its own value counts, even if that is
  // known only when the message arrives.
  const inForm = namesOf(given.filter(isPlainObject))
  const columns = Object.entries({ ...row?.row, ...row?.shown }).filter(([name]) => !inForm.has(name))
  const values: PlainObject = { ...Object.fromEntries(columns), ...valuesFor(RED, given, row) }
  const unknown = fields.filter(({ name }) => !Object.hasOwn(values, name)).map(({ name }) => name)
  const shown = { ...samplesOf(fields), ...values }
  const strict = await fillWord(bytes, fields, shown, maybeEmptyIn(given))
  if ('bytes' in strict) return { ...strict, unknown, empty: [] }
  const empty = strict.problems.filter(({ key }) => key === 'wordEmpty').map(({ params }) => textOf(params?.field))
  return { ...(await fillWord(bytes, fields, shown, new Set(namesIn(fields)))), unknown, empty }
}

/** What the form stores while the box is not ticked. */
const unticked: readonly unknown[] = [undefined, null, '', false, 'false']

/** The fields that may be empty, or about which only the message can say so. */
function maybeEmptyIn(given: readonly unknown[]): ReadonlySet<string> {
  return namesOf(given.filter(isPlainObject).filter(({ mayBeEmpty }) => !unticked.includes(mayBeEmpty)))
}

const namesOf = (rows: readonly PlainObject[]): ReadonlySet<string> => new Set(rows.map(({ name }) => textOf(name)))

/** The values from the form's rows, as far as they are known before a message arrives. */
function valuesFor(RED: Runtime, given: readonly unknown[], row: RowAsShown | undefined): PlainObject {
  const entries = given.filter(isPlainObject).map(({ name, value, type }): [string, unknown] => {
    return [textOf(name), valueOf(RED, textOf(type), textOf(value), row)]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function valueOf(RED: Runtime, type: string, value: string, row: RowAsShown | undefined): unknown {
  const msg = row ? messageOf(row) : { payload: {} }
  if (type === 'str' || type === 'num') return value
  if (type === 'msg' && row) return asShown(msg, columnOf(type, value) ?? '', RED.util.getMessageProperty(msg, value))
  if (type !== 'tpl') return undefined
  const template = parseTemplate(value)
  return 'parts' in template ? fillTemplate(template.parts, msg, { path: 'fields', isShown: true }, []) : undefined
}

/** Each field filled with its own name, and each repeated part once. */
function samplesOf(fields: readonly WordField[]): PlainObject {
  return Object.fromEntries(fields.map(({ name, inside }) => [name, inside ? [samplesOf(inside)] : sampleFor(name)]))
}

const namesIn = (fields: readonly WordField[]): string[] =>
  fields.flatMap(({ name, inside = [] }) => [name, ...namesIn(inside)])
