/** The heap of due items: the first one first, of two at the same time the one that was kept first. */
import should from 'should'
import fc from 'fast-check'
import { createDueHeap } from '../../../lib/store/local/due-heap'

describe('what is due', () => {
  it('comes out by time, and within the same time in the order in which it came in', () => {
    const times = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 })
    fc.assert(
      fc.property(times, (all) => {
        const heap = createDueHeap<{ seq: number; at: number }>(({ at }) => at)
        const entries = all.map((at, seq) => ({ at, seq }))
        // Whatever the order is in which they are put in.
        for (const entry of [...entries].reverse()) heap.push(entry)
        const out = entries.map(() => heap.take(Infinity))
        should(out).deepEqual([...entries].sort((one, other) => one.at - other.at || one.seq - other.seq))
        should(heap.peek()).be.undefined()
      }),
    )
  })

  it('stays until its time has come, and is skipped where it was before', () => {
    const heap = createDueHeap<{ seq: number; at: number }>(({ at }) => at)
    const entry = { seq: 1, at: 5 }
    heap.push(entry)
    should(heap.take(4)).be.undefined()
    entry.at = 9
    heap.push(entry)
    should(heap.take(5)).be.undefined()
    should(heap.take(9)).equal(entry)
  })
})
