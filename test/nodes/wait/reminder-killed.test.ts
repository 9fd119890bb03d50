/**
 * Node-RED is killed while it records the result of a reminder: the report of a reminder that may have been sent is not
 * lost.
 */
import should from 'should'
import { EidError, nodeError } from '../../../lib/api/errors/errors'
import type { ReminderNotes } from '../../../lib/runtime/monitor/reminder-notes'
import { createReminders } from '../../../nodes/wait/reminders'
import type { PendingWait } from '../../../nodes/wait/stored-wait'
import { until } from '../../support/time'

const hour = 3_600_000
const now = new Date(2026, 2, 5, 8, 30).getTime()
const wait = {
  ...({ what: 'document' } as const),
  resourceId: 'd-1',
  msg: {},
  deadline: Infinity,
  pauseMs: 10,
  maxPauseMs: 10,
  remind: { dates: ['2026-03-05'], at: '08:00', days: 'everyDay' },
} satisfies PendingWait
const sending = {
  id: 'd-1 2026-03-05',
  subject: '',
  summary: undefined,
  since: now - hour,
  body: { state: 'sending' },
  version: 1,
  ageMs: hour,
  deliveryCount: 0,
  position: 1,
}
const record = {
  status: { documentStatus: 'unsigned' },
  signers: [{ id: 's-1', signerInfo: { email: 'ola.nordmann@example.com' } }],
}

describe('a reminder that is not known to be sent, when Node-RED is killed while it notes that', () => {
  const cases: readonly [string, () => Pick<ReminderNotes, 'add' | 'get'>, () => Promise<void>][] = [
    [
      'the service gave no answer',
      () => ({ add: () => Promise.resolve(true), get: () => Promise.resolve(undefined) }),
      () => Promise.reject(new EidError('EID_TIMEOUT', { key: 'x', params: {} }, { attempts: 1, outcome: 'unknown' })),
    ],
    [
      'an earlier Node-RED was killed while it sent it',
      () => ({
        add: () => Promise.resolve(false),
        get: () => Promise.resolve(sending),
      }),
      () => Promise.reject(new Error('it is not sent again')),
    ],
  ]
  for (const [why, notes, send] of cases) {
    it(`is reported: ${why}`, async () => {
      const reported: string[] = []
      const never = () => new Promise<never>(() => undefined)
      const reminders = createReminders({
        notes: () => ({ ...notes(), put: never, remove: never }),
        clock: { epochNow: () => now },
        read: () => Promise.resolve(record),
        send,
        own: () => undefined,
        nobody: () => undefined,
        failed: ({ date }, state) => void reported.push(`${state} ${date}`),
      })
      void reminders.work(wait, undefined, new AbortController().signal)
      await until(() => reported.length > 0)
      should(reported).deepEqual(['unknown 2026-03-05'])
    })
  }
})

describe('a reminder that is stopped before it is sent', () => {
  it('leaves the note that the document was reminded of today for another wait', async () => {
    const kept = new Map<string, unknown>()
    let sent = 0
    let stop = new AbortController()
    const notes: ReminderNotes = {
      add(key, { body } = {}) {
        const isFirst = !kept.has(key)
        if (isFirst) kept.set(key, body)
        if (key.startsWith('d-1 2026-03-04')) stop.abort()
        return Promise.resolve(isFirst)
      },
      put: (key, { body } = {}) => Promise.resolve(void kept.set(key, body)),
      get: (key) => Promise.resolve(kept.has(key) ? { ...sending, ageMs: 0, body: kept.get(key) } : undefined),
      remove: (key) => Promise.resolve(kept.delete(key)),
    }
    const reminders = createReminders({
      notes: () => notes,
      clock: { epochNow: () => now },
      read: () => Promise.resolve(record),
      send: () => Promise.resolve(void sent++),
      own: () => undefined,
      nobody: () => undefined,
      failed: () => undefined,
    })
    const other = { ...wait, remind: { ...wait.remind, dates: ['2026-03-04'] } }
    const { signal } = stop
    await reminders.work(wait, undefined, new AbortController().signal)
    should(sent).equal(1)
    should(await reminders.work(other, undefined, signal)).have.property('reminded', undefined)
    stop = new AbortController()
    should(await reminders.work(other, undefined, new AbortController().signal)).have.property('reminded', '2026-03-04')
    should(sent).equal(1)
  })

  it('is sent later, and never said to be sent perhaps, when the disk stays full', async () => {
    const kept = new Map<string, unknown>()
    const said: string[] = []
    let [isFull, sent] = [false, 0]
    const store = (change: () => unknown) =>
      isFull ? Promise.reject(new Error('ENOSPC')) : Promise.resolve(void change())
    const notes: ReminderNotes = {
      add(key, { body } = {}) {
        const isFirst = !kept.has(key)
        return store(() => isFirst && kept.set(key, body)).then(() => isFirst)
      },
      put: (key, { body } = {}) => store(() => kept.set(key, body)),
      get: (key) => Promise.resolve(kept.has(key) ? { ...sending, body: kept.get(key) } : undefined),
      remove: (key) => store(() => kept.delete(key)).then(() => true),
    }
    const reminders = createReminders({
      notes: () => notes,
      clock: { epochNow: () => now },
      read: () => Promise.resolve(record),
      send() {
        if (sent++ > 0) return Promise.resolve()
        // The disk is full from now on: the notes about this reminder can't be removed.
        isFull = true
        return Promise.reject(nodeError('EID_NETWORK', 'errors.EID_NETWORK', {}))
      },
      own: () => undefined,
      nobody: () => undefined,
      failed: (_about, state) => void said.push(state),
    })
    const work = () => reminders.work(wait, undefined, new AbortController().signal)
    should(await work()).have.property('reminded', undefined)
    should(await work()).have.property('reminded', undefined)
    isFull = false
    should(await work()).have.property('reminded', undefined)
    should(await work()).have.property('reminded', '2026-03-05')
    should([sent, said]).deepEqual([2, []])
  })
})
