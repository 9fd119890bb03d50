/**
 * Shows in the form of "create document" that a deadline is later than the service allows; the node also warns about
 * it.
 */
import type { FormParts } from '../../lib/editor/form-context'
import { literalValue, validateValue } from '../../lib/settings/validation'
import { fields, longestLifeMs } from './create-document.fields'

export function showLongDeadline({ input, context }: FormParts): void {
  const deadline = input('deadline')
  const hint = $('<div class="eid-word-hint" role="status">').appendTo(deadline.closest('.form-row'))
  const look = () => {
    const [type, typed] = [deadline.typedInput('type'), deadline.typedInput('value')] as const
    const literal = typed === '' ? undefined : literalValue(type, typed, { field: fields.deadline })
    const known = literal && 'value' in literal ? validateValue(fields.deadline, literal.value, {}) : undefined
    const until = known && 'value' in known ? Date.parse(String(known.value)) : NaN
    hint.text(until > Date.now() + longestLifeMs ? context.text('hints.longDeadline') : '')
  }
  deadline.on('change', look)
  look()
}
