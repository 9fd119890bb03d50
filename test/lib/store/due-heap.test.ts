/** The heap of due items: the earliest item first; of two with the same time, the one that was stored first. */
import should from 'should'
import fc from 'fast-check'
import { createDueHeap } from '../../../lib/store/local/due-heap'

describe('what is due', () => {
  it('comes out by time, and within the same time in the order in which it came in', () => {
    const times = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40, size: 'max' })
    fc.assert(
      fc.property(times, (all) => {
        const heap = createDueHeap<{ seq: number; at: number }>(({ at }) => at)
        const entries = all.map((at, seq) => ({ at, seq }))
        // The order in which items are added does not matter.
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

  it('says when the first one is due, and nothing once it is empty or cleared', () => {
    const heap = createDueHeap<{ seq: number; at: number }>(({ at }) => at)
    should(heap.peekAt()).be.undefined()
    heap.push({ seq: 1, at: 7 })
    heap.push({ seq: 2, at: 3 })
    should(heap.peekAt()).equal(3)
    heap.take(3)
    should(heap.peekAt()).equal(7)
    heap.clear()
    should([heap.peekAt(), heap.peek(), heap.take(Infinity)]).deepEqual([undefined, undefined, undefined])
    const later = { seq: 3, at: 9 }
    heap.push(later)
    should(heap.take(9)).equal(later)
  })
})
