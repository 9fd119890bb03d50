/** The days of reminders: typed, planned and stored. */
import should from 'should'
import {
  datesAfter,
  daysIn,
  momentOf,
  nextReminder,
  timeIn,
  type ReminderPlan,
} from '../../../lib/common/reminder-dates'
import { inOslo } from '../../support/reminder-calendar'

describe('the days of reminders', () => {
  inOslo()
  const at = (moment: string) => new Date(moment).getTime()
  const texts = ({ due, next }: ReturnType<typeof nextReminder>) => [
    due,
    next && new Date(next).toString().slice(0, 21),
  ]

  it('are whole numbers that rise', () => {
    should(daysIn('3, 7, 12')).deepEqual([3, 7, 12])
    should(daysIn(' 1 ')).deepEqual([1])
    for (const bad of ['', '3, x', '12, 3', '3, 3', '0, 1', '-1', '1.5', '3 7', '3,', '366', '1000', 'abc']) {
      should(daysIn(bad)).be.undefined()
    }
    should(daysIn(Array.from({ length: 21 }, (_none, index) => index + 1).join())).be.undefined()
  })

  it('have a time of day', () => {
    should([timeIn('08:00'), timeIn('8.30'), timeIn('23:59')]).deepEqual([
      [8, 0],
      [8, 30],
      [23, 59],
    ])
    for (const bad of ['', '8', '24:00', '08:60', 'eight']) should(timeIn(bad)).be.undefined()
  })

  it('are counted in days of the calendar, over the end of a month and the change of the clock', () => {
    const start = new Date('2026-10-23T23:30:00')
    should(datesAfter(start, [1, 2, 3, 9], 'everyDay')).deepEqual([
      '2026-10-24',
      '2026-10-25',
      '2026-10-26',
      '2026-11-01',
    ])
    // Days of a weekend move to Monday, and two of them become one.
    should(datesAfter(start, [1, 2, 3, 9], 'mondayToFriday')).deepEqual(['2026-10-26', '2026-11-02'])
  })

  it('come at the same time by the clock in winter and in summer', () => {
    const hours = ['2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25'].map((date) =>
      new Date(momentOf(date, '08:00')).getHours(),
    )
    should(hours).deepEqual([8, 8, 8, 8])
    should(momentOf('2026-03-29', '08:00') - momentOf('2026-03-28', '08:00')).equal(23 * 3_600_000)
  })

  it('are due on the day, until twelve hours after the time, and once for all that were missed', () => {
    const plan: ReminderPlan = { dates: ['2026-03-05', '2026-03-09', '2026-03-14'], at: '08:00', days: 'everyDay' }
    const when = (moment: string, handled?: string) => texts(nextReminder(plan, handled, at(moment)))
    should(when('2026-03-05T07:59:59')).deepEqual([undefined, 'Thu Mar 05 2026 08:00'])
    should(when('2026-03-05T08:00:00')).deepEqual(['2026-03-05', 'Mon Mar 09 2026 08:00'])
    should(when('2026-03-05T08:00:00', '2026-03-05')).deepEqual([undefined, 'Mon Mar 09 2026 08:00'])
    should(when('2026-03-05T20:00:00')).deepEqual([undefined, 'Fri Mar 06 2026 08:00'])
    should(when('2026-03-12T10:00:00')).deepEqual(['2026-03-09', 'Sat Mar 14 2026 08:00'])
    should(when('2026-03-12T03:00:00')).deepEqual([undefined, 'Thu Mar 12 2026 08:00'])
    should(when('2026-05-01T10:00:00')).deepEqual(['2026-03-14', undefined])
    should(when('2026-05-01T10:00:00', '2026-03-14')).deepEqual([undefined, undefined])
  })

  it('are due up to an hour after midnight, for the day before, when their time is shortly before midnight', () => {
    const when = (moment: string, at = '23:59', days: ReminderPlan['days'] = 'everyDay', handled?: string) => {
      const plan: ReminderPlan = { dates: ['2026-03-05', '2026-03-06', '2026-03-09'], at, days }
      const { due, day } = nextReminder(plan, handled, new Date(moment).getTime())
      return due === undefined ? 'none' : `${due} on ${day ?? ''}`
    }
    should(when('2026-03-05T23:59:00')).equal('2026-03-05 on 2026-03-05')
    should(when('2026-03-06T00:01:00')).equal('2026-03-05 on 2026-03-05')
    should(when('2026-03-06T00:58:59')).equal('2026-03-05 on 2026-03-05')
    should(when('2026-03-06T00:59:00')).equal('none')
    should(when('2026-03-06T00:01:00', '20:00')).equal('none')
    should(when('2026-03-06T23:59:30', '23:59', 'everyDay', '2026-03-05')).equal('2026-03-06 on 2026-03-06')
    // Shortly after midnight, Friday's reminder is still sent on Saturday, but one that waits for Monday is not sent
    // for Sunday.
    should(when('2026-03-07T00:10:00', '23:59', 'mondayToFriday')).equal('2026-03-06 on 2026-03-06')
    should(when('2026-03-09T00:10:00', '23:59', 'mondayToFriday')).equal('none')
  })

  it('that were missed wait for Monday, where weekends are left out', () => {
    const plan: ReminderPlan = { dates: ['2026-03-05'], at: '08:00', days: 'mondayToFriday' }
    const when = (moment: string) => texts(nextReminder(plan, undefined, at(moment)))
    should(when('2026-03-07T10:00:00')).deepEqual([undefined, 'Mon Mar 09 2026 08:00'])
    should(when('2026-03-06T21:00:00')).deepEqual([undefined, 'Mon Mar 09 2026 08:00'])
    should(when('2026-03-09T08:00:00')).deepEqual(['2026-03-05', undefined])
  })
})
