/** A row of the page, and the text that the search looks through. */
import { searchText } from '../../lib/common/search-text'
import type { OverviewRow } from './view'

export interface Entry {
  readonly row: OverviewRow
  readonly text: string
}

/** `id` is the id at the service, by which a row is found even if it shows something else. */
export function entryOf(row: OverviewRow, id = ''): Entry {
  const words = [row.title, row.text ?? '', ...row.people.map(({ name }) => name), id]
  return { row, text: words.map(searchText).join('\n') }
}
