/** The parts that panels of the control room are made of. */
import { escape } from './html'

/** Rows that a panel shows at most. */
export const SHOWN = 30

/** A table with these headings and rows of ready cells; `none` is said when there are no rows. */
export function panelTable(headings: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return `<p class="quiet">${escape(none)}</p>`
  const head = headings.map((heading) => `<th scope="col">${escape(heading)}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

/** A state, as a pill. */
export function pill(text: string): string {
  return `<span class="state">${escape(text)}</span>`
}

/** A link that opens in a tab of its own. */
export function newTab(href: string, label: string): string {
  return `<a href="${escape(href)}" target="_blank" rel="noopener">${escape(label)}</a>`
}

/** The latest entries, newest first. */
export function latest<Value>(values: Iterable<Value>): Value[] {
  return [...values].slice(-SHOWN).reverse()
}
