/** The buttons of a long list: "show more" below and, for a very long list, "show earlier" above. */
import { mostRows } from '../view'
import { type PartQuery, type Place } from '../../../lib/page/view'
import { button } from './dom.editor'
import { figure, text } from './words.editor'

interface PartOptions {
  readonly query: PartQuery
  /** The number of rows shown at first, and the number added by each press. */
  readonly first: number
  readonly step: number
  /** Requests the part now; resolves when the response is shown. */
  readonly ask: () => Promise<void>
}

export function createParts({ query, first, step, ask }: PartOptions) {
  /** For each earlier part, the position of the row before the part; undefined for the first part. */
  const starts: (Place | undefined)[] = []
  let last: Place | undefined
  const turn = (rows: number, after: Place | undefined, next: () => HTMLButtonElement) => {
    Object.assign(query, { rows, after })
    void ask().then(() => next().focus())
  }
  const more: HTMLButtonElement = button({ key: 'more', text: '' }, () => {
    if (query.rows < mostRows) {
      query.rows = Math.min(query.rows + step, mostRows)
      return void ask()
    }
    starts.push(query.after)
    // "Show earlier" gets the focus, because the new rows are below this button.
    turn(first, last, () => earlier)
  })
  const earlier: HTMLButtonElement = button({ key: 'earlier', text: '' }, () =>
    // "Show more" gets the focus, because it is at the end of the earlier part, where the current part starts.
    turn(mostRows, starts.pop(), () => (more.hidden ? earlier : more)),
  )
  earlier.hidden = true
  return {
    more,
    earlier,
    /** Returns to the first row, for a new search or another order. */
    reset() {
      starts.length = 0
      Object.assign(query, { rows: first, after: undefined })
    },
    /** `places` are the positions of the rows shown. */
    show(places: readonly Place[], { before, found }: { readonly before: number; readonly found: number }) {
      last = places.at(-1)
      const left = found - before - places.length
      more.hidden = left <= 0
      more.textContent = text('waiting.more', { count: figure(left) })
      earlier.hidden = before === 0
      earlier.textContent = text('waiting.earlier', { count: figure(before) })
    },
  }
}
