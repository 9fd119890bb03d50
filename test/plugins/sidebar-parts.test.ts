/** Long lists of the sidebar tab: every row can be reached, however many there are and whatever ends meanwhile. */
import should from 'should'
import type { PendingItem } from '../../lib/runtime/monitor/pending'
import type { EndedItem } from '../../lib/runtime/monitor/ended'
import { viewOfDone } from '../../plugins/sidebar/server/done'
import { placeIn } from '../../lib/runtime/people/pages'
import { sortedBy, viewOfWaiting } from '../../plugins/sidebar/server/waiting'
import { inOrder } from '../../lib/runtime/people/waits'
import { donePlace, waitingPlaceBy, type WaitingRow } from '../../plugins/sidebar/view'
import { waitingPlace } from '../../lib/page/view'
import { turnsDuring } from '../support/turns'

const RED = {}

const moment = (ms: number) => new Date(ms).toISOString()
const item = (number: number) =>
  ({
    wait: `w-${number}`,
    kind: 'document',
    id: `d-${number}`,
    title: `Lease ${number % 3}`,
    waitingFor: [],
    // Many have the same times, and every seventh has no deadline.
    since: moment(1_000 * (number % 10)),
    ...(number % 7 > 0 && { until: moment(1_000_000 * (number % 5)) }),
    node: { id: 'n', name: '', flow: '' },
    client: 'c',
  }) as PendingItem
const all = Array.from({ length: 2_500 }, (_none, number) => item(number))
const view = async (items: PendingItem[], query: object) =>
  viewOfWaiting(RED, { items: await inOrder(items), failures: [] }, { rows: 1_000, find: '', ...query }, 0)

describe('a long list of the sidebar tab', () => {
  it('is reached to its last row, each row once', async () => {
    const seen: WaitingRow[] = []
    for (const before of [0, 1_000, 2_000]) {
      const last = seen.at(-1)
      const part = await view(all, last ? { after: waitingPlace(last) } : {})
      should(part).match({ before, count: 2_500, found: 2_500 })
      seen.push(...part.rows)
    }
    should(new Set(seen.map(({ wait }) => wait)).size).equal(2_500)
    const ends = seen.map(({ until = Infinity }) => until)
    should(ends).deepEqual([...ends].sort((one, other) => (one < other ? -1 : Number(one > other))))
  })

  it('continues behind the last row also when rows before it have ended', async () => {
    const { rows } = await view(all, {})
    const after = waitingPlace(rows.at(-1) as WaitingRow)
    const next = (await view(all, { after, rows: 10 })).rows
    const ended = new Set(rows.slice(0, 10).map(({ wait }) => wait))
    const left = all.filter(({ wait }) => !ended.has(wait))
    should(await view(left, { after, rows: 10 })).match({ rows: next, before: 990, found: 2_490 })
    // Every item after the first page has ended.
    const first = all.filter(({ wait }) => rows.some((one) => one.wait === wait))
    should(await view(first, { after, rows: 10 })).match({ rows: rows.slice(-10), before: 990, found: 1_000 })
    should(await view([], { after })).match({ rows: [], before: 0 })
  })

  for (const sort of ['since', 'title'] as const) {
    it(`is reached to its last row also when it is sorted by "${sort}"`, async () => {
      const placed = await inOrder(all)
      const seen: WaitingRow[] = []
      for (const before of [0, 1_000, 2_000]) {
        const last = seen.at(-1)
        const after = last && waitingPlaceBy(sort, last)
        const query = { rows: 1_000, find: '', after }
        const part = await viewOfWaiting(RED, { items: placed, failures: [] }, query, 0, await sortedBy(placed, sort))
        should(part).match({ before, count: 2_500, found: 2_500, urgent: (await view(all, {})).urgent })
        seen.push(...part.rows)
      }
      should(new Set(seen.map(({ wait }) => wait)).size).equal(2_500)
      const values = seen.map((row) => row[sort])
      should(values).deepEqual([...values].sort((one, other) => (one < other ? -1 : Number(one > other))))
    })
  }

  it('is searched without holding up the rest of Node-RED', async () => {
    const placed = await inOrder(Array.from({ length: 20_000 }, (_none, number) => item(number)))
    const search = async (): Promise<void> => {
      const { found } = await viewOfWaiting(RED, { items: placed, failures: [] }, { rows: 10, find: 'lease 2' }, 0)
      should(found).equal(6_666)
    }
    should(await turnsDuring(search)).be.aboveOrEqual(19)
  })

  it('has titles in the order in which people read them', async () => {
    const titles = ['Ås', 'Lease 10', 'lease 9', 'Ørland', 'Ære', '']
    const items = titles.map((title, number) => ({ ...item(number), title }))
    const placed = await inOrder(items)
    const found = (await sortedBy(placed, 'title')).map((one) => one.item.title)
    should(found).deepEqual(['', 'lease 9', 'Lease 10', 'Ære', 'Ørland', 'Ås'])
  })

  it('holds what has ended in the same way', () => {
    const ended = all.map(({ since, ...one }, number) => ({ ...one, when: moment(number % 4), who: [] }))
    const part = (after?: readonly (number | string)[]) =>
      viewOfDone({} as never, { items: ended as unknown as EndedItem[], failures: [] }, { rows: 1_250, after }, 'en-US')
    const first = part().rows
    const second = part(donePlace(first.at(-1) as (typeof first)[0]))
    should(second).match({ before: 1_250, count: 2_500 })
    should(new Set([...first, ...second.rows].map(({ wait }) => wait)).size).equal(2_500)
  })

  it('begins at its start for anything but a valid position', async () => {
    for (const odd of [undefined, '', '[', '{}', '[{}]', '[null]', 7, ['[]']]) should(placeIn(odd)).be.undefined()
    should(placeIn('[1,2,"w"]')).deepEqual([1, 2, 'w'])
    should((await view(all, { after: placeIn('[]') })).rows).have.length(1_000)
    should((await view(all, { after: placeIn('["x"]') })).rows).have.length(1_000)
  })
})
