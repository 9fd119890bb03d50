/** A very long list, processed in parts, gives the same result as all at once. */
import fc from 'fast-check'
import should from 'should'
import { inChunks } from '../../../lib/common/in-chunks'

describe('in turns', () => {
  it('leaves out no item, and passes on no more at a time than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer(), { maxLength: 50, size: 'max' }),
        fc.integer({ min: 1, max: 9 }),
        async (items, size) => {
          const parts: number[][] = []
          await inChunks(items, size, (part) => void parts.push([...part]))
          should(parts.flat()).deepEqual(items)
          should(parts.every(({ length }) => length <= size)).be.true()
        },
      ),
      { numRuns: 25 },
    )
  })
})
