/** The buttons of a long list: "show more" below and, for a very long list, "show earlier" above. */
import { mostRows, type Place } from '../view'
import { button } from './dom.editor'
import { figure, text } from './words.editor'

/** The part to request next. */
export interface PartQuery {
  rows: number
  after?: Place | undefined
}

interface PartOptions {
  readonly query: PartQuery
  /** Rows shown at first, and added by each press. */
  readonly first: number
  readonly step: number
  /** Requests it now; resolves when the response is shown. */
  readonly ask: () => Promise<void>
}

export function createParts({ query, first, step, ask }: PartOptions) {
  /** The rows after which the earlier parts began. */
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
    // The new rows are below this button.
    turn(first, last, () => earlier)
  })
  const earlier: HTMLButtonElement = button({ key: 'earlier', text: '' }, () =>
    // The row at which the reader was comes at the end.
    turn(mostRows, starts.pop(), () => (more.hidden ? earlier : more)),
  )
  earlier.hidden = true
  return {
    more,
    earlier,
    /** A new search starts at the first row. */
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
