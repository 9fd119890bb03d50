/** When the next row may be sent. */
import should from 'should'
import { createRateLimit } from '../../../nodes/batch/run/rate-limit'

describe('the rate limit of a list', () => {
  let now = 0
  const clock = { now: () => now }
  beforeEach(() => (now = 1_000_000))

  it('lets the first row go at once, and spreads the others over the unit', () => {
    for (const [rows, unit, intervalMs] of [
      [4, 'second', 250],
      [2, 'minute', 30_000],
      [1, 'hour', 3_600_000],
    ] as const) {
      const limit = createRateLimit(rows, unit, clock)
      should(limit.intervalMs).equal(intervalMs)
      should(limit.waitMs()).equal(0)
      limit.take()
      should(limit.waitMs()).equal(intervalMs)
      now += intervalMs - 1
      should(limit.waitMs()).equal(1)
      now += 1
      should(limit.waitMs()).equal(0)
    }
  })

  it('catches up on what a late timer has cost, up to fifty milliseconds', () => {
    const limit = createRateLimit(10, 'second', clock)
    limit.take()
    now += 149
    limit.take()
    should(limit.waitMs()).equal(51)
    now += 51 + 50
    limit.take()
    should(limit.waitMs()).equal(100)
    now += 10_000
    should(limit.waitMs()).equal(0)
    limit.take()
    should(limit.waitMs()).equal(100)
  })

  it('does not exist without a number above 0', () => {
    for (const rows of [0, -1, NaN]) {
      const limit = createRateLimit(rows, 'second', clock)
      limit.take()
      now -= 5000
      should(limit.waitMs()).equal(0)
      should(limit.intervalMs).equal(0)
    }
  })
})
