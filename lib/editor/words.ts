/** What the service's words are called in the form: "by e-mail" for `sendEmail`. */
import type { Field } from '../settings/fields'
import type { FormContext } from './form-context'

/**
 * The name of a value, from `words.<setting>` of the node's catalogue or the common group that the table names; the
 * value itself where neither has one. `''` is what is not said at all.
 */
export function wordOf(field: Field, name: string, value: string, context: FormContext): string {
  const own = find(context.text, `words.${name}`, value)
  const shared = field.words === undefined ? undefined : find(context.common, `words.${field.words}`, value)
  return own ?? shared ?? (value === '' ? context.common('words.unset') : value)
}

/** An example for an empty field (`placeholders` of the catalogue); empty if there is no example. */
export function exampleOf(name: string, { text }: Pick<FormContext, 'text'>): string {
  return optional(text, `placeholders.${name}`) ?? ''
}

function find(text: (key: string) => string, group: string, value: string): string | undefined {
  return optional(text, `${group}.${value === '' ? 'unset' : value.toLowerCase()}`)
}

/** A catalogue gives the key back where it has no text. */
function optional(text: (key: string) => string, key: string): string | undefined {
  const found = text(key)
  return found === key || found === '' ? undefined : found
}
