/** What a setting says of itself: its name to a screen reader, and why its value cannot work. */

/** Puts the reason below the input, where a screen reader finds it as well. */
export function explain(row: JQuery, verdict: boolean | string): void {
  const reason = typeof verdict === 'string' ? verdict : ''
  const place = row.children('.eid-reason')
  if (place.text() === reason) return
  if (place.length > 0) place.text(reason)
  else $('<div class="eid-reason" aria-live="polite">').text(reason).appendTo(row)
}

/** Names the parts that a typed input is made of. */
export function nameParts(row: JQuery, label: string, common: (key: string) => string): void {
  row.find('.red-ui-typedInput-input').attr('aria-label', label)
  row.find('.red-ui-typedInput-type-select').attr('aria-label', `${label}: ${common('typeOf')}`)
  row.find('.red-ui-typedInput-option-expand').attr('aria-label', `${label}: ${common('expand')}`)
}
