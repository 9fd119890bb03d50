/** The parts that panels of the control room are made of. */
import type { RoomTexts } from '../admin/texts'
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

/** A link that opens in a tab of its own. */
export function newTab(href: string, label: string): string {
  return `<a href="${escape(href)}" target="_blank" rel="noopener">${escape(label)}</a>`
}

/** A button that posts these values to a call of the control room, after a question if there is one. */
export function actionButton(
  action: string,
  label: string,
  values: Readonly<Record<string, string | number>> = {},
  question = '',
): string {
  const inputs = Object.entries(values).map(([name, value]) => {
    const type = typeof value === 'number' ? 'data-number ' : ''
    return `<input type="hidden" ${type}name="${escape(name)}" value="${escape(value)}">`
  })
  const confirm = question ? ` data-confirm="${escape(question)}"` : ''
  return `<form data-json class="action" method="post" action="${escape(action)}"${confirm}>${inputs.join('')}<button class="plain small">${escape(label)}</button></form>`
}

/** A button that copies a text. */
export function copyButton(text: string, texts: RoomTexts): string {
  return `<button type="button" class="plain small" data-copy="${escape(text)}">${escape(texts.copy)}</button>`
}

/** The latest entries, newest first. */
export function latest<Value>(values: Iterable<Value>): Value[] {
  return [...values].slice(-SHOWN).reverse()
}
