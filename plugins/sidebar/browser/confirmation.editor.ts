/** The box in which a user confirms an action that can't be undone. */
import { element } from '../../../lib/page/dom'
import { box, button } from './dom.editor'
import type { TabContext } from './tab-context.editor'
import { text } from './words.editor'

interface Question {
  /** The key of the row that the question is about. */
  readonly key: string
  readonly title: string
  /** The accessible name of the question. */
  readonly label: string
  readonly text: string
  /** The text of the button that changes nothing. */
  readonly keep?: string
  /** The button that confirms. */
  readonly sure: { readonly icon: string | undefined; readonly text: string }
  /** An input to fill in before confirming. */
  readonly input?: HTMLElement | false
}

/** Asks for confirmation before the action, and focuses the button that changes nothing. */
export function askFirst(tab: TabContext, key: string, action: string): void {
  tab.rowState(key).confirm = action
  tab.update()
  const boxes = [...document.querySelectorAll<HTMLElement>('.eid-confirm')]
  boxes
    .find((box) => box.dataset.row === key)
    ?.querySelector<HTMLElement>('[data-key=keep]')
    ?.focus()
}

/** The question with its buttons. The Escape key does the same as the first button: it changes nothing. */
export function confirmation(tab: TabContext, question: Question, act: () => void): HTMLElement {
  const { key, title, label, sure, input = false } = question
  const keep = () => {
    tab.rowState(key).confirm = undefined
    tab.update()
  }
  const asked = element(
    'div',
    { class: 'eid-confirm', role: 'group', 'aria-label': label, 'data-row': key },
    element('p', {}, element('strong', {}, title), ` ${question.text}`),
    input,
    box(
      'buttons',
      button({ key: 'keep', text: question.keep ?? text('keep') }, keep),
      button({ key: 'sure', ...sure }, act),
    ),
  )
  asked.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    // Without this, the editor would handle the Escape key as well.
    event.stopPropagation()
    keep()
  })
  return asked
}
