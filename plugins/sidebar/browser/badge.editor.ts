/** The badge on the tab: how many items are pending, and whether something new needs attention. */
import { inline } from './dom.editor'
import { text } from './words.editor'

/** The elements with which a user opens the tab: Node-RED 4 has two of them, Node-RED 5 has one. */
const places = (id: string) => [
  ...document.querySelectorAll<HTMLElement>(
    `.red-ui-tab-link-button[href="#${id}"], .red-ui-tab-label[href="#${id}"], button[data-tab-id="${id}"]`,
  ),
]

const maxShown = 999

/**
 * Shows the count. If the count is zero, shows "!" for an alert, otherwise nothing. `isAlert` means that a pending item
 * is urgent, or that the user has not seen an error yet.
 */
export function showBadge(id: string, { count, isAlert }: { readonly count: number; readonly isAlert: boolean }): void {
  for (const place of places(id)) {
    let badge = place.querySelector<HTMLElement>('.eid-badge')
    if (!badge) {
      badge = inline('badge')
      place.append(badge)
    }
    badge.hidden = count === 0 && !isAlert
    badge.textContent = count > maxShown ? `${maxShown}+` : count > 0 ? String(count) : '!'
    badge.classList.toggle('eid-alert', isAlert)
    const words = [text('label'), count > 0 && text('badge.waiting', { count }), isAlert && text('badge.alert')]
    place.setAttribute('aria-label', words.filter(Boolean).join(', '))
  }
}
