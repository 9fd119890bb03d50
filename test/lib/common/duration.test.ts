/** Durations in plain words, rounded in the same way everywhere. */
import should from 'should'
import { distanceFromNow, roundedDuration } from '../../../lib/common/duration'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('a span of time', () => {
  for (const [ms, unit, count] of [
    [45 * day - 2000, 'day', 45],
    [-(45 * day - 2000), 'day', -45],
    [44.4 * day, 'day', 44],
    [23.6 * hour, 'day', 1],
    [23.4 * hour, 'hour', 23],
    [59.6 * minute, 'hour', 1],
    [59.4 * minute, 'minute', 59],
    [31_000, 'minute', 1],
  ] as const) {
    it(`of ${ms} ms is ${count} ${unit}`, () => should(roundedDuration(ms)).deepEqual({ unit, count }))
  }

  it('of some seconds has no unit', () => should(roundedDuration(29_000)).be.undefined())

  it('never says "60 minutes" or "24 hours", and never nothing', () => {
    for (let ms = 30_000; ms < 3 * day; ms += 17_000) {
      const { unit, count } = roundedDuration(ms) ?? {}
      should(count).be.above(0)
      if (unit === 'minute') should(count).be.below(60)
      if (unit === 'hour') should(count).be.below(24)
    }
  })

  for (const [ms, english, norwegian] of [
    [45 * day - 2000, 'in 45 days', 'om 45 dager'],
    [-day, '1 day ago', 'for 1 dag siden'],
    [-2 * hour, '2 hours ago', 'for 2 timer siden'],
    [20_000, undefined, undefined],
  ] as const) {
    it(`of ${ms} ms from now is "${english}"`, () => {
      should(distanceFromNow(ms, 'en-US')).equal(english)
      should(distanceFromNow(ms, 'nb')).equal(norwegian)
    })
  }
})
