/** What the signer is asked in the dialog before signing: the fields of its form, and what they must have. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { toItems } from '../../lib/runtime/values/list-items'
import { textAt } from '../../lib/runtime/values/read-text'
import type { Values } from '../../lib/settings/fields'
import type { fields } from './create-document.fields'

type Questions = Pick<Values<typeof fields>, 'questions'>

/** `ui.dialogs.before.formFields`, as the service takes it; undefined when nothing is asked. */
export function toFormFields({ questions }: Questions): unknown[] | undefined {
  return toItems(questions, ({ key, label, answer, required, pattern }) => ({
    key,
    description: label,
    type: answer ?? 'text',
    required,
    // A box is ticked or not: a pattern left over from a text would refuse both.
    regex: answer === 'checkbox' ? undefined : pattern,
  }))
}

/** A question without a key has no answer, and two with one key have one between them. */
export function questionProblems(values: Questions): ProblemKey[] {
  const keys = (toFormFields(values) ?? []).map((one) => textAt(one, 'key'))
  const isForm = values.questions?.from === 'form'
  return keys.flatMap((key, index): ProblemKey[] => {
    const path = `questions[${index}].key`
    // A row of the form reports its own missing key.
    if (key === '') return isForm ? [] : [{ path, key: 'missing' }]
    const first = keys.indexOf(key)
    return first < index ? [{ path, key: 'repeatedQuestion', params: { first: first + 1 } }] : []
  })
}
