/** Entries in the order in which they were first stored: from any position on, whatever was added and removed. */
import should from 'should'
import fc from 'fast-check'
import { createInOrder } from '../../../lib/store/local/in-order'

describe('the order of kept items', () => {
  it('is that of the numbers, whatever was put in, replaced or removed', () => {
    const step = fc.record({ seq: fc.integer({ min: 1, max: 12 }), other: fc.boolean(), removes: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), fc.integer({ min: 0, max: 13 }), (steps, from) => {
        const order = createInOrder<{ id: string; seq: number; at: number }>()
        const known = new Map<string, { id: string; seq: number; at: number }>()
        for (const [at, { seq, other, removes }] of steps.entries()) {
          // Two entries may have the same number.
          const entry = { id: `${seq}${other ? 'b' : 'a'}`, seq, at }
          if (removes) order.remove(entry)
          else order.set(entry)
          if (removes) known.delete(entry.id)
          else known.set(entry.id, entry)
        }
        const found = [...order.after(from)]
        should(found.map(({ seq }) => seq)).deepEqual(found.map(({ seq }) => seq).sort((one, other) => one - other))
        const expected = [...known.values()].filter(({ seq }) => seq > from)
        should(new Set(found)).deepEqual(new Set(expected))
        should(found).have.length(expected.length)
      }),
    )
  })

  it('is that of those which are left when thousands have been removed', () => {
    const order = createInOrder<{ id: string; seq: number }>()
    const all = Array.from({ length: 10_000 }, (_none, seq) => ({ id: String(seq), seq }))
    for (const entry of all) order.set(entry)
    for (const entry of all.slice(0, 9_990)) order.remove(entry)
    should([...order.after(-1)]).deepEqual(all.slice(9_990))
    should([...order.after(9_995)]).deepEqual(all.slice(9_996))
    order.clear()
    should([...order.after(-1)]).be.empty()
  })
})
