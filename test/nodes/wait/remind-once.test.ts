/** One reminder a day by waits and buttons, also if Node-RED is killed or the disk is full while it is noted. */
import should from 'should'
import { EidError, nodeError } from '../../../lib/api/errors/errors'
import type { ReminderNotes } from '../../../lib/runtime/monitor/reminder-notes'
import { remindOnce, type ReminderDay } from '../../../lib/runtime/service/remind-once'
import { createReminders } from '../../../nodes/wait/reminders'
import type { PendingWait } from '../../../nodes/wait/stored-wait'

const hour = 3_600_000
const now = new Date(2026, 2, 5, 8, 30).getTime()
const signer = (order: number, more: object = {}) => ({ order, signerInfo: { email: 'ola@example.com' }, ...more })
const record = { status: { documentStatus: 'unsigned' }, signers: [signer(1), signer(2)] }
const today: ReminderDay = { id: 'd', record, day: '2026-03-05' }
const wait = {
  ...({ what: 'document' } as const),
  resourceId: 'd',
  msg: {},
  deadline: Infinity,
  pauseMs: 10,
  maxPauseMs: 10,
  remind: { dates: ['2026-03-05'], at: '08:00', days: 'everyDay' },
} satisfies PendingWait
const unavailable = () => nodeError('EID_NETWORK', 'errors.EID_NETWORK', {})
const refused = () => nodeError('EID_FORBIDDEN', 'errors.EID_FORBIDDEN', {})
const unclear = () => new EidError('EID_TIMEOUT', { key: 'x', params: {} }, { attempts: 1, outcome: 'unknown' })

describe('one reminder a day', () => {
  let kept: Map<string, unknown>
  let isFull: boolean
  let ageMs: number
  let sent: number
  let said: string[]
  /** The errors of the next reminders; when the list is empty, reminders are sent. */
  let errors: (() => unknown)[]
  beforeEach(() => {
    ;[kept, isFull, ageMs, sent, said, errors] = [new Map<string, unknown>(), false, 0, 0, [], []]
  })

  const stored = <T>(change: () => T): Promise<T> =>
    isFull ? Promise.reject(new Error('ENOSPC')) : Promise.resolve(change())
  const notes: ReminderNotes = {
    add: (id, { body } = {}) => stored(() => !kept.has(id) && Boolean(kept.set(id, body))),
    put: (id, { body } = {}) => stored(() => void kept.set(id, body)),
    get(id) {
      const item = { id, subject: '', summary: undefined, since: now, version: 1, deliveryCount: 0, position: 1 }
      return Promise.resolve(kept.has(id) ? { ...item, ageMs, body: kept.get(id) } : undefined)
    },
    remove: (id) => stored(() => kept.delete(id)),
  }
  const send = () => {
    const error = errors.shift()?.()
    if (error instanceof Error) return Promise.reject(error)
    return Promise.resolve(void sent++)
  }
  const press = (about = today, again = false) => remindOnce(notes, about, { at: now, by: 'kari' }, send, again)
  /** A wait looks whether a reminder is due. */
  const look = async (at = now, signal = new AbortController().signal) => {
    const reminders = createReminders({
      notes: () => notes,
      clock: { epochNow: () => at },
      read: () => Promise.resolve(record),
      send,
      own: () => undefined,
      nobody: () => undefined,
      failed: ({ date }, state) => void said.push(`${state} ${date}`),
    })
    return (await reminders.work(wait, undefined, signal)).reminded
  }

  it('is sent by the first who asks; the next one gets its note, unless a person wants another one', async () => {
    should(await press()).be.undefined()
    should(await press()).match({ state: 'sent', by: 'kari', at: now, isFresh: false })
    should(await look()).equal('2026-03-05')
    should(sent).equal(1)
    should(await press(today, true)).be.undefined()
    should(sent).equal(2)
  })

  it('is another one on another day, and for signers whose turn comes later', async () => {
    await press()
    await press({ ...today, day: '2026-03-06' })
    const signed = { ...record, signers: [signer(1, { documentSignature: {} }), signer(2)] }
    await press({ ...today, record: signed })
    should(sent).equal(3)
  })

  it('is not counted if nothing was sent, and counts if it may have been sent', async () => {
    errors = [unavailable, unclear]
    await should(press()).be.rejected()
    await should(press()).be.rejected()
    should(await press()).match({ state: 'unknown' })
    should(sent).equal(0)
  })

  it('is tried again by a wait while the service is down, and reported if it is refused or unclear', async () => {
    errors = [unavailable, refused]
    should([await look(), await look()]).deepEqual([undefined, '2026-03-05'])
    kept.clear()
    errors = [unclear]
    should([await look(), await look()]).deepEqual(['2026-03-05', '2026-03-05'])
    should([sent, said]).deepEqual([0, ['refused 2026-03-05', 'unknown 2026-03-05']])
  })

  it('is neither sent nor counted if the node is stopped before', async () => {
    should(await look(now, AbortSignal.abort())).be.undefined()
    should([sent, kept.size]).deepEqual([0, 0])
  })

  it('is left to its sender while its call may be in flight, and then reported as unknown, once', async () => {
    kept.set('d on 2026-03-05 at 1', { state: 'sending', at: now, by: '', date: '2026-03-05' })
    should(await look()).be.undefined()
    ageMs = hour
    should([await look(), await look()]).deepEqual(['2026-03-05', '2026-03-05'])
    should([sent, said]).deepEqual([0, ['unknown 2026-03-05']])
  })

  it('is reported, and not sent, if Node-RED was killed while sending it and stayed off for days', async () => {
    kept.set('d on 2026-03-05 at 1', { state: 'sending', at: now, by: '', date: '2026-03-05' })
    ageMs = 48 * hour
    should(await look(now + 48 * hour)).equal('2026-03-05')
    should([sent, said]).deepEqual([0, ['unknown 2026-03-05']])
  })

  it('is sent after days in which Node-RED was off, although a person reminded on its date', async () => {
    await press()
    should(await look(now + 48 * hour)).equal('2026-03-05')
    should(sent).equal(2)
  })

  for (const [what, error] of [
    ['it was sent', undefined],
    ['nothing was sent', unavailable],
  ] as const)
    it(`is not sent again if the disk is full once ${what}`, async () => {
      errors = [
        () => {
          isFull = true
          return error?.()
        },
      ]
      await look()
      ;[isFull, ageMs] = [false, hour]
      should(await look()).equal('2026-03-05')
      should([sent, said]).deepEqual([error ? 0 : 1, ['unknown 2026-03-05']])
    })

  it('is not sent while its note can not be stored', async () => {
    isFull = true
    should(await look()).be.undefined()
    isFull = false
    should(await look()).equal('2026-03-05')
    should([sent, said]).deepEqual([1, []])
  })
})
