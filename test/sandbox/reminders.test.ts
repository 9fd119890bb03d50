/** Reminders that the simulated service sends by itself, and the schedules that they follow. */
import should from 'should'
import { nextTime } from '../../sandbox/signature/schedule'
import { at, DAY, person, useDocuments } from './document-calls'

describe('sandbox: reminders', () => {
  const { caller, tryCreate, signAs, outbox } = useDocuments()
  const create = (reminder: object | undefined, channel = 'sendEmail') => {
    const notifications = { setup: { reminder: channel } }
    const signers = ['ola-1', 'kari-1'].map((name, order) => person(name, { order, notifications }))
    return tryCreate({ notification: { reminder }, signers })
  }
  const reminders = () => outbox().filter(({ subject }) => subject.startsWith('Reminder'))
  const advance = (days: number) => caller().sandbox.clock.advance(days * DAY)

  it('go to whose turn it is, at the times of the schedule, and no more often than asked', async () => {
    const { json } = await create({ chronSchedule: '0 0 8 1/1 * ?', maxReminders: 3 })
    await advance(2)
    should(reminders().map(({ to }) => to)).deepEqual(['ola-1@example.com', 'ola-1@example.com'])
    for (const { at } of reminders()) should(at).match(/T08:00:0/)
    await signAs(json.signers[0])
    await advance(10)
    should(reminders().map(({ to }) => to)).deepEqual(['ola-1@example.com', 'ola-1@example.com', 'kari-1@example.com'])
  })

  it('begin when they are told to, change with the document, and end with it', async () => {
    const { json } = await create({ chronSchedule: '0 0 8 1/1 * ?', firstReminderAfter: 5 })
    await advance(5)
    should(reminders()).be.empty()
    await advance(1)
    should(reminders()).have.length(1)
    await caller().renew()
    const notification = { reminder: { chronSchedule: '0 0 8 * * ?', firstReminderAfter: 2 } }
    await caller().call('PATCH', at(json.documentId), { notification })
    await advance(2)
    should(reminders()).have.length(1)
    await advance(2)
    should(reminders()).have.length(3)
    await caller().renew()
    await caller().call('POST', at(json.documentId, '/cancel'))
    await advance(5)
    should(reminders()).have.length(3)
  })

  it('are not sent to people who turned them off, and need a schedule', async () => {
    await create({ chronSchedule: '0 0 8 1/1 * ?' }, 'off')
    await advance(3)
    should(reminders()).be.empty()
    await caller().reset()
    const { status, json } = await create({ maxReminders: 3 })
    should(status).equal(400)
    should(json.errors.map(({ field }) => field)).deepEqual(['Notification.Reminder.ChronSchedule'])
  })

  it('follow schedules of every form that is read', () => {
    const next = (schedule: string) => {
      const time = nextTime(schedule, Date.parse('2030-01-30T09:30:00Z'))
      return time === undefined ? undefined : new Date(time).toISOString().slice(0, 16)
    }
    for (const [schedule, time] of [
      ['0 0 8 1/2 * ?', '2030-01-31T08:00'],
      ['0 0 8 1/7 * ?', '2030-02-01T08:00'],
      ['0 0/15 * * * ?', '2030-01-30T09:45'],
      ['0 30 9 * * ?', '2030-01-31T09:30'],
      ['0 0 12 ? * MON', '2030-02-04T12:00'],
      ['0 0 12 ? * 2-6', '2030-01-30T12:00'],
      ['0 0 7,10 * 3 ?', '2030-03-01T07:00'],
      ['0 0 8 L * ?', undefined],
      ['0 0 8 31 2 ?', undefined],
      ['every day', undefined],
    ] as const) {
      should(next(schedule)).equal(time, schedule)
    }
  })
})
