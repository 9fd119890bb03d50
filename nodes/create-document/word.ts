/** Fills in the fields of a Word file to be signed. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { fieldsOfWord, fillWord } from '../../lib/runtime/files/word-file'
import { builtInOf } from '../../lib/runtime/values/template'
import type { CreateValues } from './request'

/** The bytes with the fields filled in, or the fault in the file or in a value. */
export async function filledIn(
  bytes: Buffer,
  values: CreateValues,
): Promise<{ bytes: Buffer } | { problems: ProblemKey[] }> {
  const fields = await fieldsOfWord(bytes)
  if ('key' in fields) return { problems: [{ path: 'file', ...fields }] }
  if (fields.length === 0) return { bytes }
  const { given, mayBeEmpty } = givenIn(values.fields)
  const filled = await fillWord(bytes, fields, { ...defined(builtInOf(values)), ...given }, mayBeEmpty)
  return 'bytes' in filled ? filled : { problems: filled.problems.map((one) => ({ path: 'fields', ...one })) }
}

/** The values by field name: the rows of the form, or an object from elsewhere. */
function givenIn(given: CreateValues['fields'] | PlainObject): { given: PlainObject; mayBeEmpty: ReadonlySet<string> } {
  if (!isPlainObject(given)) return { given: {}, mayBeEmpty: new Set() }
  if (!isList(given)) return { given, mayBeEmpty: new Set() }
  const empty = given.rows.filter(({ mayBeEmpty }) => mayBeEmpty).map(({ name }) => name ?? '')
  // A value left empty, or missing from the message, is an empty text.
  const named = given.rows.map(({ name = '', value }): [string, unknown] => [name, value ?? ''])
  return { given: Object.fromEntries(named), mayBeEmpty: new Set(empty) }
}

type FormList = Extract<CreateValues['fields'], { from: 'form' }>

const isList = (given: PlainObject | FormList): given is FormList => given.from === 'form' && Array.isArray(given.rows)

function defined(values: Readonly<Record<string, unknown>>): PlainObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
