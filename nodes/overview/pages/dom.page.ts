/** The buttons of the page. */
import { element } from '../../../lib/page/dom'

/** `name` is the accessible name, if the text alone does not say what the button is about. */
export function button(text: string, act: () => void, { name, key, className }: ButtonLook = {}): HTMLButtonElement {
  const made = element('button', { type: 'button' }, text)
  if (name !== undefined) made.setAttribute('aria-label', name)
  if (key !== undefined) made.dataset.key = key
  if (className !== undefined) made.className = className
  made.addEventListener('click', act)
  return made
}

interface ButtonLook {
  readonly name?: string
  /** A key by which the button is found again after its row was redrawn. */
  readonly key?: string
  readonly className?: string
}
