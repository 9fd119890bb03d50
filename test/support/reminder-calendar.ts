/** A document whose signers have not signed, and the nodes that remind them, in simulated time. */
import should from 'should'
import { datesAfter, daysIn, type ReminderDays } from '../../lib/common/reminder-dates'
import { EidError, nodeError } from '../../lib/api/errors/errors'
import type { Store } from '../../lib/store/store'
import { createPoller, type Poller } from '../../nodes/wait/poller'
import { createReminders, type ReminderOf } from '../../nodes/wait/reminders'
import { createWaits } from '../../nodes/wait/waits'
import { until } from './time'

/** The stores of one Node-RED: one for its waits, one for its notes about sent reminders. */
export interface ReplicaStores {
  readonly waits: Store
  readonly notes: Store
}

export interface Replica {
  readonly stores: ReplicaStores
  readonly poller: Poller
}

/**
 * What happens to a reminder at the service. With `diesBefore` and `diesAfter`, the sending Node-RED dies before or
 * after the reminder is sent, and gets no answer.
 */
type Fate = 'sent' | 'diesBefore' | 'diesAfter' | 'unknown' | 'away' | 'refused'

export interface Calendar {
  /** When the signers were reminded, in local time: "2026-03-05 08:00". */
  readonly sent: string[]
  /** The problems that the nodes reported. */
  readonly said: string[]
  /** What happens to the next reminders, in order; when the list is empty, reminders are sent. */
  readonly fates: Fate[]
  /** The document as the service has it. */
  record: unknown
  start(stores: ReplicaStores): Replica
  /** Adds a wait for the document, as if a message had come in at this Node-RED. */
  wait(replica: Replica, after: string, days?: ReminderDays, at?: string): Promise<void>
  /** Moves the time to this moment, given as date and time in the test's time zone. */
  goTo(moment: string): Promise<void>
  /** Sets the clock, as a person does. */
  setClock(moment: string): void
  /**
   * Stops the pollers and ends the calls that have hung since their Node-RED died, so that the test process can end.
   */
  end(): Promise<void>
}

/** The id of the document. No other test uses it, because the process remembers the reminders of each document. */
export const calendarDocument = 'd-of-the-calendar'

const record = (more: object = {}) => ({
  documentId: calendarDocument,
  status: { documentStatus: 'unsigned' },
  signers: [{ id: 's-1', signerInfo: { firstName: 'Ola', email: 'ola.nordmann@example.com' } }],
  ...more,
})

/**
 * Creates a calendar that begins at the moment `start`. When the time moves, it stops at each of these `hours` of the
 * day until everything that is due has been done.
 */
export function createCalendar(start: string, hours: readonly number[] = [2, 8, 14, 20]): Calendar {
  let epoch = at(start)
  let ticks = 0
  const asked = new Map<number, number>()
  const running = new Set<Replica>()
  const stopped: Promise<void>[] = []
  const dying: (() => void)[] = []
  const clock = { now: () => performance.now(), epochNow: () => epoch }
  const calendar: Calendar = {
    sent: [],
    said: [],
    fates: [],
    record: record(),
    start(stores) {
      const failed = (error: unknown) => void calendar.said.push(String(error))
      const ignored = () => undefined
      const waits = createWaits({
        store: stores.waits,
        clock,
        failed,
        dropped: ignored,
        changed: ignored,
        unreadable: ignored,
        heldBack: ignored,
      })
      const reminders = createReminders({
        notes: () => stores.notes,
        clock,
        read: () => Promise.resolve(calendar.record),
        send: () => send(calendar, epoch, dying),
        own: () => void calendar.said.push('own'),
        nobody: ({ date }) => void calendar.said.push(`nobody ${date}`),
        failed: ({ date }: ReminderOf, state) => void calendar.said.push(`${state} ${date}`),
      })
      const poller = createPoller({
        store: stores.waits,
        waits,
        clock,
        failed,
        ask({ msg }) {
          asked.set(Number(msg.wait), (asked.get(Number(msg.wait)) ?? 0) + 1)
          return Promise.resolve({ status: 'unsigned', answer: { status: 200, headers: {}, data: undefined } })
        },
        remind: (...about) => reminders.work(...about),
        end: () => failed('ended'),
      })
      poller.start()
      const replica = { stores, poller, waits }
      running.add(replica)
      const { stop } = poller
      poller.stop = async () => {
        running.delete(replica)
        const end = stop()
        stopped.push(end)
        await end
      }
      return replica
    },
    async wait(replica, after, days = 'everyDay', time = '08:00') {
      const dates = datesAfter(new Date(epoch), daysIn(after) ?? [], days)
      const msg = { wait: asked.size }
      asked.set(msg.wait, 0)
      const about = { what: 'document', resourceId: calendarDocument, msg, deadline: Infinity } as const
      const waits = (replica as Replica & { waits: ReturnType<typeof createWaits> }).waits
      const wait = { ...about, pauseMs: 10, maxPauseMs: 10, remind: { dates, at: time, days } }
      await waits.add(wait, `c/document/${calendarDocument}`)
    },
    async goTo(moment) {
      const end = at(moment)
      while (epoch < end) {
        epoch = Math.min(nextHour(epoch, hours), end)
        ticks++
        if (running.size === 0) continue
        // Every check that begins now uses the new time. The check that was running may have used the old time, so
        // three more checks are awaited.
        const before = new Map(asked)
        const isSeen = ([wait, times]: [number, number]) => times >= (before.get(wait) ?? 0) + 3
        // If a replica hangs, its waits are not polled, so one polled wait is enough.
        await until(() => (dying.length > 0 ? [...asked].some(isSeen) : [...asked].every(isSeen)))
      }
      should(ticks).be.above(0)
    },
    setClock: (moment) => void (epoch = at(moment)),
    async end() {
      for (const { poller } of running) void poller.stop()
      for (const end of dying) end()
      await Promise.all(stopped)
    },
  }
  return calendar
}

async function send(calendar: Calendar, epoch: number, dying: (() => void)[]): Promise<void> {
  const fate = calendar.fates.shift() ?? 'sent'
  const dead = () => new Promise<void>((_resolve, reject) => dying.push(() => reject(new Error('killed'))))
  if (fate === 'diesBefore') return dead()
  if (fate === 'away') throw nodeError('EID_NETWORK', 'errors.EID_NETWORK', {})
  if (fate === 'refused') throw nodeError('EID_FORBIDDEN', 'errors.EID_FORBIDDEN', {})
  calendar.sent.push(textOf(epoch))
  if (fate === 'diesAfter') return dead()
  if (fate === 'unknown')
    throw new EidError('EID_TIMEOUT', { key: 'x', params: {} }, { attempts: 1, outcome: 'unknown' })
}

export const withOwnReminders = record({
  notification: { reminder: { chronSchedule: '0 0 8 * * ?' } },
  signers: [{ id: 's-1', signerInfo: { email: 'x@example.com' }, notifications: { setup: { reminder: 'sendEmail' } } }],
})
export const withoutAddress = record({ signers: [{ id: 's-1', signerInfo: { firstName: 'Ola' } }] })

function nextHour(epoch: number, hours: readonly number[]): number {
  const date = new Date(epoch)
  const hour = hours.find((one) => one > date.getHours())
  if (hour === undefined) date.setDate(date.getDate() + 1)
  return date.setHours(hour ?? hours[0] ?? 0, 0, 0, 0)
}

/** The moment "2026-03-05 08:00" in the test's time zone, in milliseconds. */
const at = (moment: string) => new Date(moment.replace(' ', 'T')).getTime()

function textOf(epoch: number): string {
  const date = new Date(epoch)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Runs the tests of a `describe` in a time zone that has summer time. */
export function inOslo(): void {
  const zone = process.env.TZ
  before(() => void (process.env.TZ = 'Europe/Oslo'))
  after(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
}
