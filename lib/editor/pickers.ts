/**
 * Small native pickers beside a typed input, for a color, a moment, or a field in braces. The input still accepts any
 * text.
 */
import type { TypedField } from '../settings/fields'
import { insertButton } from './insert-field'

/** Creates the picker for a setting, if its kind has one. The picker is shown while the type is text. */
export function addPicker(
  field: TypedField,
  input: JQuery,
  label: string,
  common: (key: string) => string,
): JQuery | undefined {
  if (field.template) return insertButton(input, label, common, field.template === 'merge')
  const kind = field.rule === 'colour' ? 'color' : field.moment ? 'datetime-local' : undefined
  if (!kind) return undefined
  const picker = $(`<input type="${kind}" class="eid-picker">`).attr('aria-label', `${label}: ${common('pick')}`)
  picker.on('change', () => input.typedInput('type', 'str').typedInput('value', toText(kind, String(picker.val()))))
  input.on('change', () => {
    const value = input.typedInput('value')
    // An empty picker must not look as if black were selected.
    picker.toggle(input.typedInput('type') === 'str').css('opacity', kind === 'color' && value === '' ? 0.35 : 1)
    if (kind === 'color' && /^#[\da-f]{6}$/i.test(value)) picker.val(value)
  })
  return picker
}

/** Writes a picked moment with the UTC offset of the browser's time zone. */
function toText(kind: string, picked: string): string {
  if (kind === 'color' || picked === '') return picked
  const minutes = -new Date(picked).getTimezoneOffset()
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0')
  return `${picked}:00${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}
