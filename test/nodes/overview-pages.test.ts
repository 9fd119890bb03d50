/** "overview": which rows a page shows if rows come and go between two presses. */
import should from 'should'
import type { PendingItem } from '../../lib/runtime/monitor/pending'
import { pageTexts } from '../../lib/runtime/http/page-texts'
import { waitingEntries } from '../../nodes/overview/waiting'
import { createWords } from '../../nodes/overview/pages/words.page'
import { comparePlaces } from '../../lib/runtime/people/pages'
import { pageOf as pageOfEntries } from '../../nodes/overview/paging'
import { placeOf, type OverviewRow, type TurnQuery } from '../../nodes/overview/view'

const row = (number: number, more: Partial<OverviewRow> = {}): OverviewRow => {
  const id = String(number).padStart(4, '0')
  return { id, title: id, people: [], actions: [], since: 1, until: 2, ...more }
}
const compareRows = (one: OverviewRow, other: OverviewRow) => comparePlaces(placeOf(one), placeOf(other))
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_none, index) => row(from + index))
const pageOf = (all: readonly OverviewRow[], query: TurnQuery) =>
  pageOfEntries(
    all.map((one) => ({ row: one, place: placeOf(one) })),
    query,
  )

describe('the words of the overview', () => {
  it('are those of an office, also in Norwegian', () => {
    const day = 86_400_000
    const { span } = createWords({ language: 'nb', texts: {} })
    should([-9, -1, 1, 9].map((days) => span(days * day, 0))).deepEqual([
      'for 9 dager siden',
      'for 1 dag siden',
      'om 1 dag',
      'om 9 dager',
    ])
  })

  it('round a deadline as the sidebar does, and say "just now" as it does', () => {
    const { span } = createWords({ language: 'en-US', texts: pageTexts('overview', 'en-US') })
    should(span(45 * 86_400_000 - 2000, 0)).equal('in 45 days')
    should(span(1000, 0)).equal('just now')
  })
})

describe('the pages of the overview', () => {
  it('hold each of many rows once, however alike they are', () => {
    const all = rows(0, 175)
    const seen: OverviewRow[] = []
    for (let view = pageOf(all, {}); ; view = pageOf(all, { after: placeOf(seen.at(-1) as OverviewRow) })) {
      seen.push(...view.rows)
      should(view.found).equal(175)
      should(view.pages).equal(4)
      if (view.page === 3) break
    }
    should(seen).deepEqual(all)
  })

  it('begin with the earliest deadline, then the oldest, and end with the one that ended first', () => {
    const progress = { done: 1, failed: 0, changed: 0, total: 2, paused: false }
    const sorted = [
      row(9, { until: 1, since: 5 }),
      row(8, { until: 2, since: 1 }),
      row(6, { until: 2, since: 4 }),
      row(7, { until: 2, since: 4 }),
      row(5, { until: undefined, since: 1 }),
      // A batch comes after the documents, however soon it is expected to end.
      row(4, { until: 1, since: 2, progress }),
      row(3, { ended: 9 }),
      row(2, { ended: 8 }),
    ]
    should([...sorted].reverse().sort(compareRows)).deepEqual(sorted)
  })

  it('hold pending waits in the same order', async () => {
    const moment = (ms: number) => new Date(ms).toISOString()
    const items = Array.from({ length: 300 }, (_none, number) => ({
      wait: `w-${(number * 7) % 300}`,
      kind: 'document',
      id: 'd',
      title: '',
      since: moment(number % 5),
      ...(number % 3 > 0 && { until: moment(number % 4) }),
      waitingFor: [],
      node: { id: 'n', name: '', flow: '' },
      client: 'c',
    })) as PendingItem[]
    const made = (await waitingEntries(items)).map((one) => one.row)
    should(made).have.length(300)
    should([...made].reverse().sort(compareRows)).deepEqual(made)
  })

  it('never are empty because the last one has ended', () => {
    const place = placeOf(row(174))
    should(pageOf(rows(0, 60), { after: place })).match({ found: 60, page: 1, pages: 2, rows: rows(10, 60) })
    should(pageOf(rows(0, 20), { after: place })).match({ found: 20, page: 0, pages: 1, rows: rows(0, 20) })
    should(pageOf([], { after: place })).match({ found: 0, page: 0, pages: 1, rows: [] })
    should(pageOf([], { before: place })).match({ found: 0, page: 0, pages: 1, rows: [] })
  })

  it('are filled up when the reader turns back to before a row of the second page', () => {
    should(pageOf(rows(0, 200), { before: placeOf(row(40)) })).match({ page: 0, pages: 4, rows: rows(0, 50) })
    should(pageOf(rows(0, 200), { before: placeOf(row(60)) })).match({ page: 1, pages: 5, rows: rows(10, 60) })
  })
})
