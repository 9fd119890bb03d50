/** The modifier keys in forms. */

/**
 * Keeps the release of a modifier key from Node-RED's suggestions, which would open. The next Shift+Tab would then
 * choose one of them instead of moving on.
 */
export function ignoreModifiers(form: JQuery): void {
  const ignore = (event: KeyboardEvent) => {
    if (/^(Shift|Control|Alt|Meta)$/.test(event.key)) event.stopPropagation()
  }
  form[0]?.addEventListener('keyup', ignore, true)
}
