/** Reminders that the simulated service sends by itself, and the schedules that they follow. */
import should from 'should'
import { nextTime } from '../../sandbox/signature/schedule'
import { startCaller, type Caller } from './caller'

const DAY_MS = 86_400_000

describe('sandbox: reminders', () => {
  let caller: Caller
  before(async () => (caller = await startCaller()))
  beforeEach(() => caller.reset())
  after(() => caller.close())

  interface Created {
    documentId: string
    signers: { url: string }[]
  }
  const create = (reminder: object | undefined, channel = 'sendEmail') =>
    caller.call<Created & { errors: { field: string }[] }>('POST', '/signature/documents', {
      title: 'Lease',
      externalId: 'lease-1',
      contactDetails: { email: 'kari.nordmann@example.com' },
      dataToSign: { fileName: 'lease.txt', base64Content: Buffer.from('agreed').toString('base64') },
      notification: { reminder },
      signers: ['ola-1', 'kari-1'].map((externalSignerId, order) => ({
        externalSignerId,
        order,
        redirectSettings: { redirectMode: 'donot_redirect' },
        signatureType: { mechanism: 'pkisignature' },
        signerInfo: { email: `${externalSignerId}@example.com` },
        notifications: { setup: { reminder: channel } },
      })),
    })
  const reminders = () => caller.sandbox.world.outbox.list().filter(({ subject }) => subject.startsWith('Reminder'))
  const advance = (days: number) => caller.sandbox.clock.advance(days * DAY_MS)

  it('go to whose turn it is, at the times of the schedule, and no more often than asked', async () => {
    const { json } = await create({ chronSchedule: '0 0 8 1/1 * ?', maxReminders: 3 })
    await advance(2)
    should(reminders().map(({ to }) => to)).deepEqual(['ola-1@example.com', 'ola-1@example.com'])
    for (const { at } of reminders()) should(at).match(/T08:00:0/)
    await caller.open('POST', `/sign/${json.signers[0]?.url.split('jwt=')[1] ?? ''}/sign`)
    await advance(10)
    should(reminders().map(({ to }) => to)).deepEqual(['ola-1@example.com', 'ola-1@example.com', 'kari-1@example.com'])
  })

  it('begin when they are told to, change with the document, and end with it', async () => {
    const { json } = await create({ chronSchedule: '0 0 8 1/1 * ?', firstReminderAfter: 5 })
    await advance(5)
    should(reminders()).be.empty()
    await advance(1)
    should(reminders()).have.length(1)
    await caller.renew()
    const notification = { reminder: { chronSchedule: '0 0 8 * * ?', firstReminderAfter: 2 } }
    await caller.call('PATCH', `/signature/documents/${json.documentId}`, { notification })
    await advance(2)
    should(reminders()).have.length(1)
    await advance(2)
    should(reminders()).have.length(3)
    await caller.renew()
    await caller.call('POST', `/signature/documents/${json.documentId}/cancel`)
    await advance(5)
    should(reminders()).have.length(3)
  })

  it('go to nobody who wants none, and need a schedule', async () => {
    await create({ chronSchedule: '0 0 8 1/1 * ?' }, 'off')
    await advance(3)
    should(reminders()).be.empty()
    await caller.reset()
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
