/** Reminds those who have not signed on the dates of a wait. */
import { isForeign } from '../../lib/api/errors/errors'
import { nextReminder } from '../../lib/common/reminder-dates'
import type { ReminderNotes } from '../../lib/runtime/monitor/reminder-notes'
import { isUndone, noteUnknown, remindOnce, reminderOf } from '../../lib/runtime/service/remind-once'
import { isOpen, reminderChannel, remindsItself, type ReminderChannel } from '../../lib/runtime/service/reminder'
import { textAt } from '../../lib/runtime/values/read-text'
import type { Clock } from '../../lib/store/clock'
import type { PendingWait } from './stored-wait'
import { isTransient } from './transient'

/** The document and the date of one reminder. */
export interface ReminderOf {
  readonly id: string
  /** The calendar day for which the reminder was planned. */
  readonly date: string
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
  readonly next?: number | undefined
}

export interface Reminders {
  /** Sends due reminders; `handled` is `reminded` from an earlier call. Never rejects. */
  work(wait: PendingWait, handled: string | undefined, signal: AbortSignal): Promise<Reminded>
}

/** Milliseconds before a temporary failure is retried. */
const laterMs = 300_000

type End = 'handled' | 'never' | 'later'

export function createReminders(options: RemindersOptions): Reminders {
  const { clock } = options

  /** Handles the date that is due; `day` is the day for which a reminder sent now counts. */
  const handle = async (wait: PendingWait, date: string, day: string, signal: AbortSignal): Promise<End> => {
    const about = { id: wait.resourceId, date }
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
    return remind({ wait, about, record, day, channel, signal })
  }

  interface DueReminder {
    readonly wait: PendingWait
    readonly about: ReminderOf
    readonly record: unknown
    readonly day: string
    readonly channel: ReminderChannel
    readonly signal: AbortSignal
  }

  const remind = async ({ wait, about, record, day, channel, signal }: DueReminder): Promise<End> => {
    const { id, date } = about
    const notes = options.notes()
    let isTried = false
    const send = () => {
      isTried = true
      return options.send(wait, channel, signal)
    }
    try {
      // A reminder of an earlier date may have been sent just before Node-RED was stopped for more than a day.
      const planned = { id, record, day: date }
      const last = day === date ? undefined : await reminderOf(notes, planned)
      if (signal.aborted) return 'later'
      const ofDay = { id, record, day }
      const isPlanned = last?.date === date
      const earlier = isPlanned ? last : await remindOnce(notes, ofDay, { at: clock.epochNow(), by: '', date }, send)
      if (earlier?.isFresh) return 'later'
      if (earlier?.state === 'sending' && earlier.date !== undefined) {
        options.failed({ id, date: earlier.date }, 'unknown')
        await noteUnknown(notes, isPlanned ? planned : ofDay, earlier)
      }
    } catch (error) {
      const isUnsent = !isTried || isUndone(error)
      if (isUnsent && (!isTried || signal.aborted || isTransient(error) || isForeign(error))) return 'later'
      options.failed(about, isUnsent ? 'refused' : 'unknown', error)
    }
    return 'handled'
  }

  return {
    async work(wait, handled, signal) {
      const { remind: plan } = wait
      if (!plan) return { reminded: handled }
      const { due, day, next } = nextReminder(plan, handled, clock.epochNow())
      if (due === undefined || day === undefined) return { reminded: handled, next }
      // If the document can't be read, this is tried again, because nothing has been sent.
      const end = await handle(wait, due, day, signal).catch((): End => 'later')
      if (end === 'later') return { reminded: handled, next: clock.epochNow() + laterMs }
      if (end === 'never') return { reminded: plan.dates.at(-1) }
      return { reminded: due, next: nextReminder(plan, due, clock.epochNow()).next }
    },
  }
}
