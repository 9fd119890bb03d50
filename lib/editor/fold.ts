/** The fold *For developers*: the settings that only people who build flows of their own need. */
import { hasReason, hasSetting } from './tabs'

/**
 * Opens the fold if one of its settings is set. The returned function hides the fold while none of its settings applies,
 * and opens it for an invalid value, so that no fault is hidden.
 */
export function prepareFold(form: JQuery, title: string, isSet: (name: string) => boolean): () => void {
  const [fold] = form.find('.eid-developers').toArray()
  if (!fold) return () => undefined
  $(fold).children('summary').text(title)
  const settings = $(fold).find('[data-row]').toArray()
  const open = () => void $(fold).attr('open', '')
  if (settings.some(({ dataset }) => isSet(dataset.row ?? ''))) open()
  return () => {
    $(fold).toggle(hasSetting(fold))
    if (hasReason(fold)) open()
  }
}
