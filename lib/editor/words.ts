/** Shows the service's values in words in the form: "by e-mail" for `sendEmail`. */
import type { Field } from '../settings/fields'
import type { FormContext } from './form-context'

/**
 * Returns the words for a value: from `words.<setting>` of the node's catalog, otherwise from the common group named in
 * the table. If there are no words for the value, returns the value itself. The value `''` means that nothing is sent.
 */
export function wordOf(field: Field, name: string, value: string, context: FormContext): string {
  const own = find(context.text, `words.${name}`, value)
  const shared = field.words === undefined ? undefined : find(context.common, `words.${field.words}`, value)
  const isNamed = field.suggest === 'shareItems' || field.among !== undefined
  const named = isNamed ? context.offers(field).find((one) => one.value === value)?.label : undefined
  return own ?? shared ?? named ?? (value === '' ? context.common('words.unset') : value)
}

/** An example for an empty field (`placeholders` of the catalog); empty if there is no example. */
export function exampleOf(name: string, { text }: Pick<FormContext, 'text'>): string {
  return optional(text, `placeholders.${name}`) ?? ''
}

function find(text: (key: string) => string, group: string, value: string): string | undefined {
  return optional(text, `${group}.${value === '' ? 'unset' : value.toLowerCase()}`)
}

/** The text of a key, or undefined if the catalog has none: for a missing text, a catalog returns the key itself. */
function optional(text: (key: string) => string, key: string): string | undefined {
  const found = text(key)
  return found === key || found === '' ? undefined : found
}
