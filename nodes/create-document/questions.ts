/**
 * The questions to the signer before signing: the form fields that the service shows, and the checks of the questions.
 */
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
    // A tick box has no text. A pattern left over from a text question would reject both values of the box.
    regex: answer === 'checkbox' ? undefined : pattern,
  }))
}

/**
 * Finds questions without a key, which would get no answer, and questions with the same key, which would share an
 * answer.
 */
export function questionProblems(values: Questions): ProblemKey[] {
  const keys = (toFormFields(values) ?? []).map((one) => textAt(one, 'key'))
  const isForm = values.questions?.from === 'form'
  return keys.flatMap((key, index): ProblemKey[] => {
    const path = `questions[${index}].key`
    // For a row of the form, the form itself reports the missing key.
    if (key === '') return isForm ? [] : [{ path, key: 'missing' }]
    const first = keys.indexOf(key)
    return first < index ? [{ path, key: 'repeatedQuestion', params: { first: first + 1 } }] : []
  })
}
