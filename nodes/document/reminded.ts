/** Decides who is reminded of a document, and at which address. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import type { ListValue, Values } from '../../lib/settings/fields'
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { splitList } from '../../lib/common/split-list'
import { getPath } from '../../lib/runtime/values/read-text'
import type { fields } from './document.fields'

type Rows = (typeof fields)['signers']['rows']

/**
 * Returns the signers to remind in the service's format: an object with their ids as names, each with an address for
 * this reminder or with null. Accepts rows of the form. From elsewhere, accepts a list of ids or of signers such as
 * `msg.signers`, a text with ids, or the service's own format. Undefined, which means everyone, if the form's list is
 * empty.
 */
export function remindedSigners(value: ListValue<Rows> | undefined): PlainObject | undefined {
  if (value?.from === 'form') return asObject(value.rows.map((row) => [row.signerId, overrideOf(row)]))
  // A text or an object from the message is not wrapped as a list, so it is used as it is.
  const given: unknown = value?.from === 'elsewhere' ? value.list : value
  if (isPlainObject(given)) return given
  return asObject((splitList(given) ?? []).map((one) => [getPath(one, 'id') ?? one, null]))
}

/**
 * Returns the fault of a list that does not come from the rows of the form. `isAsked` means that the form refers to
 * such a list. The list must not be empty, because an empty list would mean everyone.
 */
export function remindProblems(value: ListValue<Rows> | undefined, isAsked: boolean): ProblemKey[] {
  if (!isAsked || value?.from === 'form') return []
  const given: unknown = value?.from === 'elsewhere' ? value.list : value
  const ids = isPlainObject(given)
    ? Object.keys(given)
    : (splitList(given) ?? []).map((one) => getPath(one, 'id') ?? one)
  const isNamed = ids.length > 0 && ids.every((id) => typeof id === 'string' && id.trim() !== '')
  return isNamed ? [] : [{ path: 'signers', key: 'nobody' }]
}

function overrideOf({ email }: Values<Rows>): PlainObject | null {
  return email === undefined ? null : { emailOverride: email }
}

function asObject(entries: [unknown, unknown][]): PlainObject | undefined {
  return entries.length > 0 ? Object.fromEntries(entries.map(([id, to]) => [String(id), to])) : undefined
}
