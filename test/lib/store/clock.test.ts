/**
 * Stored times: how much of a period is left after a restart, even if clocks were set or machines were off meanwhile.
 */
import { uptime } from 'node:os'
import should from 'should'
import { createClockReader, readMoment, systemClock, writeMoment, type Clock } from '../../../lib/store/clock'

const hour = 3_600_000

/** Clocks that show the given times. */
const clockAt = (now: number, epoch: number, up: number): Clock => ({
  now: () => now,
  epochNow: () => epoch,
  uptime: () => up,
})

describe('a stored moment', () => {
  const before = clockAt(500, 1_000 * hour, 50 * hour)
  /** The milliseconds that are left of an hour. */
  const left = (later: Clock, doubt: 'early' | 'late', written = writeMoment(before, 500 + hour)) =>
    readMoment(later, written, doubt) - later.now()

  it('is written by the date, as a span, and by the time since the machine was started, all whole numbers', () => {
    const uneven = clockAt(500.4, 1_000 * hour, 50 * hour + 0.4)
    should(writeMoment(uneven, 500)).deepEqual([1_000 * hour, -0, 50 * hour])
    should(writeMoment(before, 500 + hour)).deepEqual([1_001 * hour, hour, 50 * hour])
  })

  it('comes closer as time passes, also in another process', () => {
    const later = clockAt(7, 1_000.25 * hour, 50.25 * hour)
    should(left(later, 'early')).equal(0.75 * hour)
    should(left(later, 'late')).equal(0.75 * hour)
    should(left(clockAt(7, 1_003 * hour, 53 * hour), 'late')).equal(-2 * hour)
  })

  it('follows the date if the time since the start differs by no more than its own precision', () => {
    for (const step of [-1000, 1000]) {
      const later = clockAt(7, 1_000.25 * hour, 50.25 * hour + step)
      should([left(later, 'early'), left(later, 'late')]).deepEqual([0.75 * hour, 0.75 * hour])
    }
    const coarse = clockAt(7, 1_000.25 * hour, 50.25 * hour - 1001)
    should([left(coarse, 'early'), left(coarse, 'late')]).deepEqual([0.75 * hour, 0.75 * hour + 1001])
  })

  it('does not believe a date that was set: work may come sooner, what must not be lost stays longer', () => {
    const ahead = clockAt(7, 2_000 * hour, 50.25 * hour)
    should([left(ahead, 'early'), left(ahead, 'late')]).deepEqual([-999 * hour, 0.75 * hour])
    const behind = clockAt(7, 10 * hour, 50.25 * hour)
    should([left(behind, 'early'), left(behind, 'late')]).deepEqual([0.75 * hour, hour])
  })

  it('knows after a restart of the machine that at least the time since then has passed', () => {
    const restarted = clockAt(7, 1_000.5 * hour, 0.125 * hour)
    should([left(restarted, 'early'), left(restarted, 'late')]).deepEqual([0.5 * hour, 0.875 * hour])
    const unset = clockAt(7, 10 * hour, 0.125 * hour)
    should([left(unset, 'early'), left(unset, 'late')]).deepEqual([0.875 * hour, hour])
  })

  it('without the time since the start, as an earlier version wrote it, goes by the date, but never backwards', () => {
    const old = [1_001 * hour, hour] as const
    should(left(clockAt(7, 1_000.25 * hour, hour), 'late', old)).equal(0.75 * hour)
    should(left(clockAt(7, 990 * hour, hour), 'early', old)).equal(hour)
  })
})

describe('the clocks of a store', () => {
  it('are read as of one moment, and keep their distance when an interruption makes the date seem set', () => {
    let [time, interruption] = [100, 0]
    const read = createClockReader({
      now: () => time,
      epochNow: () => hour + time + interruption,
      uptime: () => 9 * hour + time,
    })
    const seen = () => {
      const clock = read()
      time += 50
      return [clock.now(), clock.epochNow(), clock.uptime()]
    }
    should(seen()).deepEqual([100, hour + 100, 9 * hour + 100])
    for (interruption of [100, -100]) {
      const now = time
      should(seen()).deepEqual([now, hour + now, 9 * hour + now])
    }
    // A longer interruption means that the clock was set.
    for (interruption of [101, -hour]) {
      const now = time
      should(seen()).deepEqual([now, hour + now + interruption, 9 * hour + now])
    }
  })

  it('are those of the machine, all in milliseconds', () => {
    should(systemClock.epochNow()).be.approximately(Date.now(), 60_000)
    should(systemClock.now()).be.approximately(performance.now(), 60_000)
    should(systemClock.uptime()).be.approximately(uptime() * 1000, 60_000)
  })
})
