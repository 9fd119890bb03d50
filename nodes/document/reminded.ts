/** Who is reminded of a document, and where. */
import type { ListValue, Values } from '../../lib/fields'
import { isPlainObject, type PlainObject } from '../../lib/runtime/body'
import { getPath, splitList } from '../../lib/runtime/read-text'
import type { fields } from './document.fields'

type Rows = (typeof fields)['signers']['rows']

/**
 * The signers as the service wants them: their ids, each with another address for this time or null. Rows of the form;
 * from elsewhere a list of ids or of signers such as `msg.signers`, ids in one text, or what the service wants already.
 * Undefined, which means everybody, when there is nobody.
 */
export function remindedSigners(value: ListValue<Rows> | undefined): PlainObject | undefined {
  if (value?.from === 'form') return asObject(value.rows.map((row) => [row.signerId, overrideOf(row)]))
  // A text or an object from elsewhere is no list, and comes as it is.
  const given: unknown = value?.from === 'elsewhere' ? value.list : value
  if (isPlainObject(given)) return given
  return asObject((splitList(given) ?? []).map((one) => [getPath(one, 'id') ?? one, null]))
}

function overrideOf({ email }: Values<Rows>): PlainObject | null {
  return email === undefined ? null : { emailOverride: email }
}

function asObject(entries: [unknown, unknown][]): PlainObject | undefined {
  return entries.length > 0 ? Object.fromEntries(entries.map(([id, to]) => [String(id), to])) : undefined
}
