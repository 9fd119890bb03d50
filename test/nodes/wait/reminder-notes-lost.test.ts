/**
 * The notes about reminders can't be written or removed, because the disk is full or the connection to the database
 * breaks: no reminder is sent twice, and none is said to be sent perhaps that was not.
 */
import should from 'should'
import { nodeError } from '../../../lib/api/errors/errors'
import type { ReminderNotes } from '../../../lib/runtime/monitor/reminder-notes'
import type { Item } from '../../../lib/store/store'
import { createReminders } from '../../../nodes/wait/reminders'
import type { PendingWait } from '../../../nodes/wait/stored-wait'

const now = new Date(2026, 2, 5, 8, 30).getTime()
const record = {
  status: { documentStatus: 'unsigned' },
  signers: [{ id: 's-1', signerInfo: { email: 'ola.nordmann@example.com' } }],
}
const unavailable = () => nodeError('EID_NETWORK', 'errors.EID_NETWORK', {})
const refusal = () => nodeError('EID_FORBIDDEN', 'errors.EID_FORBIDDEN', {})

describe('a reminder whose notes get lost', () => {
  /** A document of its own, because the process remembers the attempts of each. */
  let documents = 0
  let key: string
  let wait: PendingWait
  let kept: Map<string, unknown>
  let isFull: boolean
  let ageMs: number
  /** The key of the note whose removal succeeds, but without an answer. */
  let unanswered: string
  let sent: string[]
  let said: string[]

  beforeEach(() => {
    const resourceId = `d-lost-${++documents}`
    key = `${resourceId} 2026-03-05`
    wait = {
      ...({ what: 'document' } as const),
      resourceId,
      msg: {},
      deadline: Infinity,
      pauseMs: 10,
      maxPauseMs: 10,
      remind: { dates: ['2026-03-05'], at: '08:00', days: 'everyDay' },
    }
    kept = new Map()
    ;[isFull, ageMs, unanswered, sent, said] = [false, 0, '', [], []]
  })

  const stored = <T>(change: () => T): Promise<T> =>
    isFull ? Promise.reject(new Error('ENOSPC')) : Promise.resolve(change())
  const itemOf = (body: unknown): Item => ({
    id: key,
    subject: '',
    summary: undefined,
    since: now - 1,
    body,
    version: 1,
    ageMs,
    deliveryCount: 0,
    position: 1,
  })
  const notes: ReminderNotes = {
    add: (id, { body } = {}) => stored(() => !kept.has(id) && Boolean(kept.set(id, body))),
    put: (id, { body } = {}) => stored(() => void kept.set(id, body)),
    get: (id) => Promise.resolve(kept.has(id) ? itemOf(kept.get(id)) : undefined),
    remove: (id) =>
      stored(() => kept.delete(id)).then((wasThere) => {
        if (id !== unanswered) return wasThere
        unanswered = ''
        throw new Error('Connection terminated unexpectedly')
      }),
  }
  /** A node that waits for the document; `first` is called for its first reminder; all others are sent. */
  const start = (name: string, first: () => void = () => undefined) => {
    let calls = 0
    const reminders = createReminders({
      notes: () => notes,
      clock: { epochNow: () => now },
      read: () => Promise.resolve(record),
      send: async () => {
        if (calls++ === 0) first()
        await Promise.resolve()
        sent.push(name)
      },
      own: () => undefined,
      nobody: () => undefined,
      failed: (_about, state) => void said.push(state),
    })
    return async () => (await reminders.work(wait, undefined, new AbortController().signal)).reminded
  }
  const thenFull = (error?: Error) => () => {
    isFull = true
    if (error) throw error
  }

  it('is sent once by two Node-REDs if the answer to the removal of its note is lost', async () => {
    unanswered = key
    const here = start('here', () => {
      throw unavailable()
    })
    const there = start('there')
    should(await here()).be.undefined()
    should(unanswered).equal('')
    should(await there()).equal('2026-03-05')
    should([await here(), await here()]).deepEqual(['2026-03-05', '2026-03-05'])
    should([sent, said]).deepEqual([['there'], []])
  })

  it('is sent by a second node of this Node-RED if the first could not remove its notes', async () => {
    const first = start('first', thenFull(unavailable()))
    const second = start('second')
    should(await first()).be.undefined()
    ;[isFull, ageMs] = [false, 300_000]
    should(await second()).be.undefined()
    should([await second(), await first()]).deepEqual(['2026-03-05', '2026-03-05'])
    should([sent, said]).deepEqual([['second'], []])
  })

  for (const [state, error, reported] of [
    ['refused', refusal(), ['refused']],
    ['sent', undefined, []],
  ] as const)
    it(`is not called unknown when the disk is full once it was ${state}`, async () => {
      const work = start('one', thenFull(error))
      await work()
      ;[isFull, ageMs] = [false, 300_000]
      should(await work()).equal('2026-03-05')
      should(kept.get(key)).have.property('state', state)
      should(said).deepEqual(reported)
      should(sent.length).equal(error ? 0 : 1)
    })

  it('is not called unknown if its note was stored, but without an answer', async () => {
    const { add } = notes
    const work = start('one')
    notes.add = async (...about) => {
      await add(...about)
      notes.add = add
      throw new Error('Connection terminated unexpectedly')
    }
    should(await work()).be.undefined()
    ageMs = 300_000
    should(await work()).be.undefined()
    should(await work()).equal('2026-03-05')
    should([sent, said]).deepEqual([['one'], []])
  })

  it('is not called unknown once it was sent, however many others can not be noted after it', async () => {
    const work = start('a', thenFull())
    await work()
    const first = wait
    for (let other = 0; other <= 10_000; other++) {
      wait = { ...first, resourceId: `${first.resourceId}-${other}` }
      await work()
    }
    wait = first
    isFull = false
    ageMs = 300_000
    should(await work()).equal('2026-03-05')
    should(said).be.empty()
    should(sent).deepEqual(['a'])
  })
})
