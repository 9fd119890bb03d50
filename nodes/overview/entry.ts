/** A row of the page, and the text that the search looks through. */
import type { OverviewRow } from './view'

export interface Entry {
  readonly row: OverviewRow
  readonly text: string
}

export function entryOf(row: OverviewRow): Entry {
  const words = [row.title, row.text ?? '', ...row.people.map(({ name }) => name)]
  return { row, text: words.join('\n').toLowerCase() }
}
