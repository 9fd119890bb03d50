/** Accessibility of a setting: its name for a screen reader, and the reason why its value is invalid. */
import type { Field } from '../settings/fields'
import { problemOf, type Stored } from '../settings/validation'
import type { Conflict } from '../settings/together'
import type { FormContext } from './form-context'

/**
 * Returns `true` if the setting is valid, otherwise the reason in words. The reason uses `label` as the name of the
 * setting.
 */
export function verdictOf(
  field: Field,
  stored: Stored,
  { label, required }: { label: string; required: boolean },
  { rules, common }: Pick<FormContext, 'rules' | 'common'>,
): true | string {
  const key = problemOf(field, stored, required, rules)
  if (key === undefined) return true
  return common(`problems.${key}`)
    .replace('__path__', label)
    .replace('__choices__', (field.choices ?? []).join(', '))
}

/**
 * Returns the reason why a setting conflicts with others: a text of the node's own catalog or of the common catalog.
 */
export function conflictText(conflict: Conflict, label: string, { text, common }: FormContext): string {
  const { key, isCommon, sum, expected, count } = conflict
  return (isCommon ? common : text)(`problems.${key}`)
    .replace('__path__', label)
    .replace('__sum__', sum?.toFixed(2) ?? '')
    .replace('__expected__', expected?.toFixed(2) ?? '')
    .replace('__count__', String(count ?? ''))
}

/** Shows the reason below the input; a screen reader announces it. */
export function showMessage(row: JQuery, verdict: true | string): void {
  const reason = verdict === true ? '' : verdict
  const container = row.children('.eid-reason')
  if (container.text() === reason) return
  if (container.length > 0) container.text(reason)
  else $('<div class="eid-reason" aria-live="polite">').text(reason).appendTo(row)
}

/**
 * Shows or hides the star of a setting that is not always required. `type` is the type of its input; `isAsked` decides
 * whether the other settings require it.
 */
export function showStar(
  row: JQuery,
  { requiredWhen, requiredWith, requiredType, emptyTypes }: Field,
  { type, isAsked }: { readonly type: string | undefined; readonly isAsked: () => boolean },
): void {
  if (!(requiredWhen ?? requiredWith ?? requiredType ?? emptyTypes)) return
  const mayBeEmpty = emptyTypes?.some((one) => one === type) === true
  const isNeeded = !mayBeEmpty && isAsked()
  row.find('.eid-star').toggle(isNeeded)
  row.find('.red-ui-typedInput-input, .eid-select').attr('aria-required', String(isNeeded))
}

/** Shows an example in an empty text or number field. */
export function showExample(input: JQuery, example: string): void {
  if (example === '') return
  const update = () => {
    const isTypedHere = ['str', 'tpl', 'num'].includes(input.typedInput('type'))
    input
      .nextAll('.red-ui-typedInput-container')
      .first()
      .find('.red-ui-typedInput-input')
      .attr('placeholder', isTypedHere ? example : '')
  }
  input.on('change', update)
  update()
}

/** Gives the parts of a typed input accessible names. */
export function nameParts(row: JQuery, label: string, common: (key: string) => string): void {
  row.find('.red-ui-typedInput-input').attr('aria-label', label)
  const type = row.find('.red-ui-typedInput-type-select')
  // The accessible name contains the visible text of the button, because people using speech input say that text.
  const nameType = () => {
    const seen = type.find('.red-ui-typedInput-type-label').text().trim()
    type.attr('aria-label', [`${label}: ${common('typeOf')}`, seen].filter(Boolean).join(', '))
  }
  row.on('change', nameType)
  nameType()
  row.find('.red-ui-typedInput-option-expand').attr('aria-label', `${label}: ${common('expand')}`)
}
