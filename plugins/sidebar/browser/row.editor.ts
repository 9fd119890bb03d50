/**
 * The parts that rows of several sections share: a row itself, a time, the buttons that show more, and the result of a
 * button.
 */
import { element } from '../../../lib/page/dom'
import { button } from './dom.editor'
import type { SidebarView, WaitingRow } from '../view'
import { clientName, hasSeveralClients, nodeName, showNode } from './places.editor'
import type { RowState, TabContext } from './tab-context.editor'
import { isReadable } from '../../../lib/common/readable'
import { fullMoment, moment, text } from './words.editor'

/** A section of the tab. */
export interface Part {
  readonly body: HTMLElement
  /** Shows the data. Returns the count for the section's heading, and whether the section needs attention. */
  show(view: SidebarView): readonly [count: number, isAlert?: boolean]
}

/** The title as people know it; an id that no person can read is not shown, but what it is the id of. */
export const titleOf = ({ title, kind }: { readonly title: string; readonly kind: string }) =>
  isReadable(title) ? title : text(`kinds.${kind}`)

/** Joins the parts that are not empty, with dots between them. */
export const inOneLine = (...parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join(' · ')

/**
 * The node of a wait, followed by its client if there are several clients, and by its Node-RED if that is a different
 * one.
 */
export const nodeLine = ({ node, client, replica }: Pick<WaitingRow, 'node' | 'client' | 'replica'>) =>
  inOneLine(nodeName([node]), hasSeveralClients() && clientName(client), replica)

/** `isLate` means that the row needs attention. */
export const rowClass = (isLate: boolean) => ({ class: `eid-row${isLate ? ' eid-late' : ''}` })

/** A time in its short form; the full form is the tooltip. */
export function timeOf(tab: TabContext, at: number, className?: string): HTMLElement {
  const attributes = { class: className, datetime: new Date(at).toISOString(), title: fullMoment(at) }
  return element('time', attributes, moment(at, tab.now()))
}

export const showButton = (tab: TabContext, places: readonly string[]) =>
  button({ key: 'show', icon: 'crosshairs', text: text('show') }, () => showNode(tab, places))

/** The button that opens and closes the details of the row. */
export function detailsButton(tab: TabContext, state: RowState): HTMLElement {
  return button({ key: 'toggle', text: text(state.isOpen ? 'less' : 'details'), isOpen: state.isOpen }, () => {
    state.isOpen = !state.isOpen
    tab.update()
  })
}

/** The line below a row with the result of its last pressed button; undefined if no button was pressed yet. */
export function saidIn({ said }: RowState): HTMLElement | undefined {
  return said && element('p', { class: 'eid-said', 'data-outcome': said.ok ? 'good' : 'bad' }, said.text)
}
