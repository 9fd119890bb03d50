/** The questions to the signer before signing: the fields of their form, and what they require. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { toItems } from '../../lib/runtime/values/list-items'
import { textAt } from '../../lib/runtime/values/read-text'
import type { Values } from '../../lib/settings/fields'
import type { fields } from './create-document.fields'

type Questions = Pick<Values<typeof fields>, 'questions'>

/** `ui.dialogs.before.formFields` in the service's format; undefined if nothing is asked. */
export function toFormFields({ questions }: Questions): unknown[] | undefined {
  return toItems(questions, ({ key, label, answer, required, pattern }) => ({
    key,
    description: label,
    type: answer ?? 'text',
    required,
    // A tick box has no text: a pattern left over from a text would reject both its values.
    regex: answer === 'checkbox' ? undefined : pattern,
  }))
}

/** A question without a key gets no answer, and two with the same key share one. */
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
