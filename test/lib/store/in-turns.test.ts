/** Very many things, a part at a time: the same as all at once. */
import fc from 'fast-check'
import should from 'should'
import { inTurns, sortInTurns } from '../../../lib/store/in-turns'

describe('in turns', () => {
  it('sorts as sorting does, what is equal in the order in which it came', async () => {
    const numbers = Array.from({ length: 23_456 }, (_none, at) => ({ key: (at * 7919) % 9973, at }))
    const sorted = await sortInTurns(numbers, ({ key }) => key)
    should(sorted).deepEqual([...numbers].sort((one, other) => one.key - other.key))
    should(await sortInTurns([], Number)).deepEqual([])
  })

  it('leaves nothing out, and hands over no more than it may', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer(), { maxLength: 50 }),
        fc.integer({ min: 1, max: 9 }),
        async (items, size) => {
          const parts: number[][] = []
          await inTurns(items, size, (part) => void parts.push([...part]))
          should(parts.flat()).deepEqual(items)
          should(parts.every(({ length }) => length <= size)).be.true()
        },
      ),
      { numRuns: 25 },
    )
  })
})
