/** Shows in a form which fields in braces have no matching column in the last list. */
import type { FormParts } from './form-context'
import { builtIn } from './insert-field'
import { inOneGo } from './in-one-go'
import { columnOf } from '../settings/column-of'
import { mergeFields } from '../settings/merge-fields'
import { fieldNames, parseTemplate } from '../settings/template'

/** `documentId` and `externalId` are on the message after "create document". */
const known: ReadonlySet<string> = new Set([...builtIn, ...mergeFields, 'documentId', 'externalId'])

/**
 * Adds a hint below each input that names a column missing from the list. The form accepts the input anyway, because a
 * previous node may provide the value.
 */
export function showMissingColumns({ input, context }: FormParts): void {
  const form = input('client').closest('.eid-form')
  form.on('eid-columns', (_event, columns: readonly string[]) => {
    if (columns.length === 0) return
    const look = () => form.find('.eid-insert').each((_index, button) => void showBelow($(button).parent(), columns))
    const later = inOneGo(form, look)
    form.on('change input', later)
    look()
  })

  function showBelow(place: JQuery, columns: readonly string[]): void {
    const typed = place.find('input').first()
    const names = namesIn(typed.typedInput('type'), typed.typedInput('value'))
    const missing = names.find((name) => !columns.includes(name))
    const words = missing === undefined ? '' : context.common('noColumn').replace('__name__', () => missing)
    const hint = place.children('.eid-word-hint.eid-column')
    if (hint.text() === words) return
    if (hint.length > 0) hint.text(words)
    else $('<div class="eid-word-hint eid-column" role="status">').text(words).appendTo(place)
  }
}

/**
 * Returns the columns needed by a text or by a message property. Longer paths are left out, because their values are
 * not known here.
 */
function namesIn(type: string, value: string): string[] {
  if (type === 'msg') return [columnOf(type, value) ?? []].flat()
  const template = type === 'tpl' ? parseTemplate(value) : { parts: [] }
  if (!('parts' in template)) return []
  return fieldNames(template).filter((name) => !known.has(name) && !/[.[]/.test(name))
}
