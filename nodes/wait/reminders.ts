/**
 * Reminds those who have not signed on the dates of a wait, at most once a day for each document. Before a reminder is
 * sent, a note is stored where every wait for the document finds it. If a note stays in the state *sending*, the
 * reminder may have been sent, so it is not sent again.
 *
 * States of a note: *sending*; *sent*; *refused*, if nothing was sent; *unknown*. If nothing was sent and another try
 * may succeed later, the note is removed again.
 */
import { randomUUID } from 'node:crypto'
import { EidError, isForeign } from '../../lib/api/errors/errors'
import { setLatest } from '../../lib/common/latest'
import { isPlainObject } from '../../lib/common/plain-object'
import { dateText, dayAfter, dayBefore, nextReminder, type ReminderPlan } from '../../lib/common/reminder-dates'
import type { ReminderNotes } from '../../lib/runtime/monitor/reminder-notes'
import { dayKeyOf, dayNote, dayNoteIn, isSameDay, type DayNote } from '../../lib/runtime/service/day-note'
import { isOpen, reminderChannel, remindsItself, type ReminderChannel } from '../../lib/runtime/service/reminder'
import { textAt } from '../../lib/runtime/values/read-text'
import type { Clock } from '../../lib/store/clock'
import type { Item } from '../../lib/store/store'
import type { PendingWait } from './stored-wait'
import { isTransient } from './transient'

/** The document and the day of one reminder. */
export interface ReminderOf {
  readonly id: string
  /** The calendar day for which the reminder was planned. */
  readonly date: string
}

/** A reminder that is sent now; `day` is today's date. */
interface DueReminder extends ReminderOf {
  readonly day: string
}

interface RemindersOptions {
  /** Returns the notes, which all waits with the same client share. */
  readonly notes: () => ReminderNotes
  readonly clock: Pick<Clock, 'epochNow'>
  /** Reads the whole record of the document. Rejects with an EidError. */
  read(wait: PendingWait, signal: AbortSignal): Promise<unknown>
  /** Sends a reminder. Rejects with an EidError. */
  send(wait: PendingWait, channel: ReminderChannel, signal: AbortSignal): Promise<void>
  /** Called if the service itself sends reminders; then none are sent from here. */
  own(id: string): void
  /** Called if no reminder can reach any of the signers who have not signed. */
  nobody(about: ReminderOf): void
  /** Called if a reminder was refused, or may have been sent. There is no error if Node-RED was stopped. */
  failed(about: ReminderOf, state: 'refused' | 'unknown', error?: unknown): void
}

interface Reminded {
  /** The latest date that was handled. */
  readonly reminded: string | undefined
  /** When the next reminder or retry is due, in milliseconds since 1970. */
  readonly next?: number
}

export interface Reminders {
  /** Sends due reminders; `handled` is `reminded` from an earlier call. Never rejects. */
  work(wait: PendingWait, handled: string | undefined, signal: AbortSignal): Promise<Reminded>
}

const dayMs = 86_400_000
/** How long a note is stored: longer than a document can wait for its signers. */
const keepMs = 90 * dayMs
/** Milliseconds before a temporary failure is retried. */
const laterMs = 300_000
/**
 * Milliseconds after which a note in the state *sending* must come from a Node-RED that was stopped, because no call
 * takes this long.
 */
const doubtMs = 240_000

type End = 'handled' | 'never' | 'later'

/** The keys of the notes about the signers of a document. */
interface DayKeys {
  readonly today: string
  /**
   * Of the days around it. Just after midnight, a person's reminder is noted for another day than that of a late
   * reminder, and another Node-RED may be in a time zone where it is yesterday or tomorrow.
   */
  readonly nearby: readonly string[]
}

export function createReminders(options: RemindersOptions): Reminders {
  const { clock } = options
  const sendOnce = createSendOnce(options)

  const keep = async (wait: PendingWait, about: DueReminder, signal: AbortSignal): Promise<End> => {
    const record = await options.read(wait, signal)
    if (remindsItself(record)) {
      options.own(about.id)
      return 'never'
    }
    if (!isOpen(textAt(record, 'status.documentStatus'))) return 'handled'
    const channel = reminderChannel(record)
    if (!channel) {
      options.nobody(about)
      return 'handled'
    }
    const now = clock.epochNow()
    const days = [dayBefore(now), new Date(now), dayAfter(now)].map(dateText).filter((day) => day !== about.day)
    const keyFor = (day: string) => dayKeyOf(record, about.id, day)
    const keys = { today: keyFor(about.day), nearby: days.map(keyFor) }
    return sendOnce(about, keys, () => options.send(wait, channel, signal), signal)
  }

  return {
    async work(wait, handled, signal) {
      const { remind: plan } = wait
      if (!plan) return { reminded: handled }
      const { due, day, next } = nextReminder(plan, handled, clock.epochNow())
      if (due === undefined || day === undefined) return reminded(handled, next)
      // If the document can't be read, or the reminder can't be noted now, this is tried again, because nothing has
      // been sent.
      const end = await keep(wait, { id: wait.resourceId, date: due, day }, signal).catch((): End => 'later')
      if (end === 'later') return reminded(handled, clock.epochNow() + laterMs)
      return end === 'never' ? { reminded: plan.dates.at(-1) } : reminded(due, nextAfter(plan, due, clock))
    },
  }
}

/** How an attempt ended. Nothing was sent if it is *refused*, or *unsent*, after which another attempt follows. */
type Result = 'sent' | 'refused' | 'unknown' | 'unsent'

/** An attempt to send a reminder. `id` is in its notes, so that it removes no notes of another Node-RED's attempt. */
interface Attempt {
  readonly id: string
  readonly about: ReminderOf
  readonly keys: DayKeys
  /** When it began, in milliseconds since 1970. */
  readonly at: number
}

/**
 * Attempts that have ended, but whose notes still say *sending* because they could not be written or removed. All nodes
 * share them, because two may wait for the same document.
 */
const unsettled = new Map<string, { readonly attempt: Attempt; readonly result: Result }>()
const maxUnsettled = 10_000

/**
 * The ids of attempts whose notes could not be added, although they may have been stored, by the key of the note. The
 * next attempt for the same note uses the same id, so that however often this fails, it takes no more room.
 */
const adding = new Map<string, string>()

/** Returns a function that makes the notes about an ended attempt say how it ended. */
function createSettle({ notes: open }: RemindersOptions) {
  const removeOwn = async (key: string, attempt: Attempt) => {
    if (attemptIn(await open().get(key)) === attempt.id) await open().remove(key)
  }

  const settle = async (attempt: Attempt, result: Result) => {
    const { today } = attempt.keys
    const key = keyOf(attempt.about)
    if (result === 'unsent' || result === 'refused') await removeOwn(today, attempt)
    if (result === 'unsent') return removeOwn(key, attempt)
    if (result === 'unknown') await open().put(today, noteToday(attempt, 'unknown'))
    await open().put(key, { body: { state: result }, keepMs })
    // A failure is ignored here, because the note about the date already prevents a second reminder.
    if (result === 'sent') await open().put(today, noteToday(attempt, 'sent')).catch(ignore)
  }

  return async (attempt: Attempt, result: Result): Promise<End> => {
    await settle(attempt, result).catch((error: unknown) => {
      setLatest(unsettled, attempt.id, { attempt, result }, maxUnsettled)
      throw error
    })
    unsettled.delete(attempt.id)
    if (adding.get(keyOf(attempt.about)) === attempt.id) adding.delete(keyOf(attempt.about))
    return result === 'unsent' ? 'later' : 'handled'
  }
}

/**
 * Returns a function that sends one reminder, unless another wait has handled its date, or the signers were reminded
 * today.
 */
function createSendOnce(options: RemindersOptions) {
  const { notes: open, clock, failed } = options
  const inFlight = new Set<string>()
  const settle = createSettle(options)

  /** Whether a person has reminded the signers today, and noted it for another day. */
  const isRemindedNearby = async ({ nearby }: DayKeys) => {
    for (const key of nearby) {
      const item = await open().get(key)
      const note = dayNoteIn(item)
      if (!note || note.date !== undefined || !isSameDay(note.at, clock.epochNow())) continue
      if (isFresh(item)) throw stopped
      return true
    }
    return false
  }

  const work = async (attempt: Attempt, send: () => Promise<void>, signal: AbortSignal) => {
    const { about, keys } = attempt
    const { today } = keys
    const notes = open()
    const noteSent = () => notes.put(keyOf(about), { body: { state: 'sent' }, keepMs })
    /** Before the reminder is sent, a failure of the store only means that it is tried again later. */
    const orLater = <T>(stored: Promise<T>) => stored.catch(() => Promise.reject(stopped))
    if (signal.aborted) throw stopped
    const isFirst = await orLater(notes.add(today, noteToday(attempt, 'sending')))
    if (!isFirst) {
      // At this moment, a person is sending a reminder, which may still fail. Therefore this reminder is tried again
      // later.
      if (isFresh(await orLater(notes.get(today)))) throw stopped
      await orLater(noteSent())
      return 'handled'
    }
    if (await orLater(isRemindedNearby(keys))) {
      await orLater(noteSent())
      await orLater(notes.remove(today))
      return 'handled'
    }
    await send()
    return 'sent'
  }

  /** Handles a date that another attempt has already noted. */
  const known = async (attempt: Attempt): Promise<End> => {
    const { about } = attempt
    const key = keyOf(about)
    const item = await open().get(key)
    const state = isPlainObject(item?.body) ? item.body.state : undefined
    if (state !== 'sending') {
      adding.delete(key)
      return 'handled'
    }
    if (inFlight.has(key)) return 'later'
    const id = attemptIn(item) ?? ''
    const ended = unsettled.get(id)
    if (ended) return settle(ended.attempt, ended.result)
    if (isFresh(item)) return 'later'
    if (id === adding.get(key)) return settle({ ...attempt, id }, 'unsent')
    failed(about, 'unknown')
    await open().put(key, { body: { state: 'unknown' }, keepMs })
    return 'handled'
  }

  return async (about: ReminderOf, keys: DayKeys, send: () => Promise<void>, signal: AbortSignal): Promise<End> => {
    const key = keyOf(about)
    const id = adding.get(key) ?? randomUUID()
    const attempt: Attempt = { id, about, keys, at: clock.epochNow() }
    setLatest(adding, key, id, maxUnsettled)
    if (!(await open().add(key, { body: { state: 'sending', attempt: id }, keepMs }))) return known(attempt)
    adding.delete(key)
    inFlight.add(key)
    try {
      const result = await work(attempt, send, signal).catch((error: unknown): Result => {
        if (isUndone(error) && (error === stopped || signal.aborted || isTransient(error) || isForeign(error)))
          return 'unsent'
        const state = isUndone(error) ? 'refused' : 'unknown'
        // The failure is reported before it is noted. If Node-RED is killed in between, the failure is reported twice;
        // in the other order, it might never be reported.
        failed(about, state, error)
        return state
      })
      return result === 'handled' ? result : await settle(attempt, result)
    } finally {
      inFlight.delete(key)
    }
  }
}

const noteToday = ({ id, about: { date }, at }: Attempt, state: DayNote['state']) =>
  dayNote({ state, at, by: '', date, attempt: id })

/** The id of the attempt that has written a note. */
function attemptIn(item: Item | undefined): string | undefined {
  const { attempt } = isPlainObject(item?.body) ? item.body : {}
  return typeof attempt === 'string' ? attempt : undefined
}

const ignore = () => undefined

const keyOf = ({ id, date }: ReminderOf) => `${id} ${date}`

/** Whether a note is so recent that the call for its reminder may still be in flight. */
function isFresh(item: Item | undefined): boolean {
  const { state } = isPlainObject(item?.body) ? item.body : {}
  return item !== undefined && state === 'sending' && item.ageMs < doubtMs
}

/** Whether the error shows that nothing was sent. */
const isUndone = (error: unknown) =>
  error === stopped || (error instanceof EidError && error.cause.outcome === 'not-done')

const stopped = new Error('stopped')

const reminded = (date: string | undefined, next: number | undefined): Reminded => ({
  reminded: date,
  ...(next !== undefined && { next }),
})

const nextAfter = (plan: ReminderPlan, handled: string, clock: Pick<Clock, 'epochNow'>) =>
  nextReminder(plan, handled, clock.epochNow()).next
