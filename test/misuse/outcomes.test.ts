/**
 * Whatever happens on the way, the outcome in an error is true, and nothing is done more often than the rules allow.
 */
import should from 'should'
import { playHistories } from '../support/histories'

describe('outcomes of random histories', () => {
  for (const seed of [1, 2030]) {
    it(`are true, and nothing is done twice (seed ${seed})`, async () => {
      const tally = await playHistories(250, seed)
      should(tally.untrue).deepEqual([])
      should(tally.twice).deepEqual([])
      should(tally.odd).deepEqual([])
      // The histories really contain acts, and ends of these kinds.
      should(tally.acts).be.above(100)
      const ends = ['done', 'EID_TIMEOUT unknown', 'EID_NETWORK unknown', 'EID_REFUSED not-done']
      for (const end of ends) should(tally.ends).have.property(end)
    })
  }
})
