/** Creates and updates the elements of the tab. */
import { element, type Children } from '../../../lib/page/dom'

/** A `div` of the class `eid-<name>`. */
export const box = (name: string, ...children: Children) => element('div', { class: `eid-${name}` }, ...children)

/** A `span` of the class `eid-<name>`. */
export const inline = (name: string, ...children: Children) => element('span', { class: `eid-${name}` }, ...children)

/** An icon that screen readers ignore. */
export const icon = (name: string) => element('i', { class: `fa fa-${name}`, 'aria-hidden': 'true' })

interface ButtonLook {
  /** Identifies the button in its row, so that the button gets the focus back when the row is rebuilt. */
  readonly key: string
  readonly icon?: string
  readonly text: string
  /** The accessible name, if the text of the button alone says too little. */
  readonly name?: string
  readonly isDisabled?: boolean | undefined
  readonly isOpen?: boolean
}

/** A button in the style of Node-RED. */
export function button(look: ButtonLook, press: () => void): HTMLButtonElement {
  const { key, name, isDisabled = false, isOpen } = look
  const made = element(
    'button',
    {
      type: 'button',
      class: 'red-ui-button red-ui-button-small',
      'data-key': key,
      'aria-label': name,
      'aria-expanded': isOpen === undefined ? undefined : String(isOpen),
    },
    look.icon !== undefined && icon(look.icon),
    element('span', {}, look.text),
  )
  made.disabled = isDisabled
  made.addEventListener('click', press)
  return made
}

/** How a list shows its items. */
interface Shown<T> {
  readonly keyOf: (item: T) => string
  /** Everything that the appearance of a row depends on. A row is rebuilt only when this value changes. */
  readonly stateOf: (item: T) => unknown
  readonly make: (item: T) => HTMLElement
}

/**
 * Creates a list that rebuilds only changed rows, so that the focus and any text being read stay. `none` is the text
 * shown in place of an empty list.
 */
export function createList<T>(none: string, { keyOf, stateOf, make }: Shown<T>) {
  const list = element('ul', { class: 'eid-rows' })
  const empty = element('p', { class: 'eid-empty' }, none)
  const rows = new Map<string, { readonly row: HTMLElement; readonly state: string }>()
  const update = (items: readonly T[]) => {
    const focused = focusIn(list)
    const keys = new Set(items.map(keyOf))
    for (const [key, { row }] of rows) {
      if (keys.has(key)) continue
      row.remove()
      rows.delete(key)
    }
    items.forEach((item, index) => {
      const key = keyOf(item)
      const state = JSON.stringify(stateOf(item))
      const before = rows.get(key)
      const row = before?.state === state ? before.row : make(item)
      row.dataset.row = key
      if (before && before.row !== row) before.row.replaceWith(row)
      rows.set(key, { row, state })
      if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null)
    })
    empty.hidden = items.length > 0
    focused?.()
  }
  return { list, empty, update }
}

/** If the focus is in the list, returns a function that restores the focus after an update in which it got lost. */
function focusIn(list: HTMLElement): (() => void) | undefined {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !list.contains(focused)) return undefined
  const row = focused.closest<HTMLElement>('[data-row]')?.dataset.row
  const key = focused.dataset.key
  const caret = focused instanceof HTMLInputElement ? focused.selectionStart : null
  return () => {
    if (list.contains(document.activeElement)) return
    const inRow = [...list.children].find((one) => (one as HTMLElement).dataset.row === row)
    const again = list.contains(focused) ? focused : [...(inRow?.querySelectorAll<HTMLElement>('[data-key]') ?? [])]
    const target = again instanceof HTMLElement ? again : (again.find((one) => one.dataset.key === key) ?? again[0])
    target?.focus()
    if (target instanceof HTMLInputElement && caret !== null) target.setSelectionRange(caret, caret)
  }
}
