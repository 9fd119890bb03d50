/** A row of the page with its position, and the text that the search looks through. */
import { searchText } from '../../lib/common/search-text'
import type { Place } from '../../lib/page/view'
import { placeOf, type OverviewRow } from './view'

export interface Entry {
  readonly row: OverviewRow
  readonly place: Place
  readonly text: string
}

/** `id` is the id at the service, by which a row is found even if it shows something else. */
export function entryOf(row: OverviewRow, id = ''): Entry {
  const words = [row.title, row.text ?? '', ...row.people.map(({ name }) => name), id]
  return { row, place: placeOf(row), text: words.map(searchText).join('\n') }
}
