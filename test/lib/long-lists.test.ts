/** Very long lists for people: other work gets its turn while a hundred thousand items are sorted. @rest */
import should from 'should'
import fc from 'fast-check'
import { sortInTurns } from '../../lib/common/sort-in-turns'
import { listPending, registerPending, type PendingItem } from '../../lib/runtime/monitor/pending'
import { waitingEntries } from '../../nodes/overview/waiting'
import { inOrder } from '../../lib/runtime/people/waits'
import { turnsDuring } from '../support/turns'

const RED = {}

const moment = (ms: number) => new Date(ms).toISOString()
const many = Array.from({ length: 100_000 }, (_none, number) => ({
  wait: `w-${number}`,
  kind: 'document',
  id: `d-${number}`,
  title: 'Lease',
  waitingFor: [],
  client: 'c',
  since: moment((number * 7_919) % 100_003),
  until: moment(1e12 + ((number * 7_907) % 1_000)),
  node: { id: 'n', name: '', flow: 'Leases' },
})) as PendingItem[]

describe('a very long list', () => {
  it('is sorted as a short one is, equals in their order', async () => {
    const items = fc.array(fc.record({ key: fc.integer({ min: 0, max: 9 }), place: fc.nat() }), {
      maxLength: 50,
      size: 'max',
    })
    const compare = (one: { key: number }, other: { key: number }) => one.key - other.key
    await fc.assert(
      fc.asyncProperty(items, async (few) => {
        // More items than are sorted at once.
        const all = Array.from({ length: 60 }, () => few).flat()
        should(await sortInTurns(all, compare)).deepEqual([...all].sort(compare))
      }),
    )
  })

  for (const [what, put] of [
    ['of all that is pending', () => listPending(RED)],
    ['of the sidebar', () => inOrder(many)],
    ['of the overview page', () => waitingEntries(many)],
  ] as const) {
    it(`${what} lets others have their turn while it is put in order`, async () => {
      const no = () => Promise.resolve(false)
      const find = () => Promise.resolve(undefined)
      const forget = registerPending(RED, 'many', {
        list: () => Promise.resolve(many),
        find,
        askNow: no,
        stopWaiting: no,
      })
      const turns = await turnsDuring(put)
      forget()
      should(turns).be.above(2)
    })
  }
})
