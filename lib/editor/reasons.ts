/** Says at a setting why its value cannot work. */

/** Puts the reason below the input, where a screen reader finds it as well. */
export function explain(row: JQuery, verdict: boolean | string): void {
  const reason = typeof verdict === 'string' ? verdict : ''
  const place = row.children('.eid-reason')
  if (place.text() === reason) return
  if (place.length > 0) place.text(reason)
  else $('<div class="eid-reason" aria-live="polite">').text(reason).appendTo(row)
}
