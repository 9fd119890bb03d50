/** When a wait is polled next, calculated without a node. */
import should from 'should'
import type { Details } from '../../../nodes/wait/details'
import { planNext, wasWoken, type PollAnswer, type PollClock } from '../../../nodes/wait/schedule'

const minute = 60_000
const details: Details = { status: 'partialsigned', title: 'Lease', waitingFor: [], signed: 1, all: 2 }

describe('the next poll of a wait', () => {
  const clockAt = (lastedMs: number, more: Partial<PollClock> = {}): PollClock => ({
    pauseMs: 2_000,
    maxPauseMs: 300_000,
    claimedMs: lastedMs,
    lastedMs,
    leftMs: Infinity,
    isCovered: false,
    random: 0.5,
    ...more,
  })
  const asked = (more: Partial<PollAnswer> = {}): PollAnswer => ({ isWoken: false, isKnown: false, ...more })

  it('comes later each time, up to the longest pause', () => {
    should(planNext({}, details, asked(), clockAt(0)).pauseMs).equal(2_000)
    should(planNext({}, details, asked(), clockAt(10_000)).pauseMs).equal(7_000)
    should(planNext({}, details, asked(), clockAt(60 * minute)).pauseMs).equal(5 * minute)
  })

  it('comes as soon as the second one in the first two minutes in the sandbox, also while a list reports changes', () => {
    const pauses = (more: Partial<PollClock>) =>
      [10_000, 119_000, 120_000].map(
        (lasted) => planNext({}, details, asked(), clockAt(lasted, { isSandbox: true, ...more })).pauseMs,
      )
    should(pauses({})).deepEqual([2_000, 2_000, 62_000])
    should(pauses({ isCovered: true }).slice(0, 2)).deepEqual([2_000, 2_000])
    should(pauses({ pauseMs: 10_000 })).deepEqual([10_000, 10_000, 70_000])
    should(pauses({ leftMs: 900 })).deepEqual([900, 900, 900])
  })

  it('notes its moment, so that one that comes early is known as woken', () => {
    const { marks } = planNext({}, details, asked(), clockAt(10_000))
    should(marks).deepEqual({ next: 17_000, woken: undefined })
    should([wasWoken(marks, 12_000), wasWoken(marks, 16_500), wasWoken({}, 5)]).deepEqual([true, false, false])
    // A second early is within the inaccuracy of a timer.
    should([wasWoken(marks, 15_999), wasWoken(marks, 16_000)]).deepEqual([true, false])
  })

  it('comes at its own limit when that is sooner', () => {
    should(planNext({}, details, asked(), clockAt(60 * minute, { leftMs: 900 })).pauseMs).equal(900)
    should(planNext({}, details, asked(), clockAt(60 * minute, { leftMs: -5 })).pauseMs).equal(1)
  })

  it('comes rarely while a list reports what changes', () => {
    const pause = (random: number) =>
      planNext({}, details, asked(), clockAt(60 * minute, { isCovered: true, random })).pauseMs
    should([pause(0), pause(0.5), pause(1)]).deepEqual([90, 60, 30].map((pauses) => pauses * 5 * minute))
    should(planNext({}, details, asked(), clockAt(60 * minute, { isCovered: true, leftMs: 900 })).pauseMs).equal(900)
  })

  it('comes when it would have come when the list that woke it showed nothing new', () => {
    const known = planNext(
      { next: 90 * minute },
      details,
      asked({ isWoken: true, isKnown: true }),
      clockAt(70 * minute),
    )
    should(known).deepEqual({ pauseMs: 20 * minute, marks: { next: 90 * minute } })
  })

  it('comes a few times quickly after it was woken and nothing had changed', () => {
    const first = planNext({ next: 90 * minute }, details, asked({ isWoken: true }), clockAt(70 * minute))
    should(first).deepEqual({ pauseMs: 2_000, marks: { next: 70 * minute + 2_000, woken: 70 * minute } })
    const second = planNext(first.marks, details, asked({ details }), clockAt(70 * minute + 2_000))
    should(second).deepEqual({ pauseMs: 3_000, marks: { next: 70 * minute + 5_000, woken: 70 * minute } })
    const after = planNext({ woken: 70 * minute }, details, asked(), clockAt(70 * minute + 10_000))
    should(after).deepEqual({ pauseMs: 5 * minute, marks: { next: 75 * minute + 10_000, woken: undefined } })
  })

  it('comes at the usual pause when it was woken and something had changed', () => {
    const changed = { ...details, signed: 0 }
    const next = planNext({ next: 90 * minute }, changed, asked({ isWoken: true, details }), clockAt(70 * minute))
    should(next).deepEqual({ pauseMs: 5 * minute, marks: { next: 75 * minute, woken: undefined } })
  })
})
