/**
 * Reminds the signers of a document whose turn it is at most once a day: the dates of waits and the buttons of people
 * share one note. It is stored before the reminder is sent. A note that stays in the state *sending* means that the
 * reminder may have been sent.
 */
import { EidError } from '../../api/errors/errors'
import { isPlainObject } from '../../common/plain-object'
import type { Item } from '../../store/store'
import type { ReminderNotes } from '../monitor/reminder-notes'
import { turnOf } from './signers'

interface ReminderNote {
  /** Whether a reminder is being sent, was sent, or may have been sent. */
  readonly state: 'sending' | 'sent' | 'unknown'
  /** Milliseconds since 1970. */
  readonly at: number
  /** The name of the user who pressed a button; empty if a wait sent the reminder on one of its dates. */
  readonly by: string
  /** The wait's reminder date for which the reminder was sent. */
  readonly date?: string
}

/** The document with its whole record, and the day for which its reminder counts, such as `2031-05-02`. */
export interface ReminderDay {
  readonly id: string
  readonly record: unknown
  readonly day: string
}

/** An earlier reminder of the same day. */
interface EarlierReminder extends ReminderNote {
  /** Whether its call may still be in flight. */
  readonly isFresh: boolean
}

/**
 * How long a person's note is kept in milliseconds, which is longer than the longest day of 25 hours, and a wait's note,
 * which is longer than a document can wait for its signers.
 */
const keepDayMs = 26 * 3_600_000
const keepDateMs = 90 * 86_400_000
/** Milliseconds after which a note in the state *sending* must come from a Node-RED that was stopped. */
const freshMs = 240_000

/**
 * Calls `send`, unless there is a note about this day; `again` means that a person has seen the note. Resolves with the
 * earlier reminder, or with undefined if the reminder was sent. Rejects as `send` and the store do.
 */
export async function remindOnce(
  notes: ReminderNotes,
  about: ReminderDay,
  note: Omit<ReminderNote, 'state'>,
  send: () => Promise<unknown>,
  again = false,
): Promise<EarlierReminder | undefined> {
  const key = noteKey(about)
  const noteAs = (state: ReminderNote['state']) => ({
    body: { ...note, state },
    keepMs: note.date === undefined ? keepDayMs : keepDateMs,
  })
  const isFirst = await notes.add(key, noteAs('sending'))
  if (!isFirst && !again) {
    // If the note is missing, its sender has just removed it because nothing was sent. Another look follows soon.
    return (await reminderOf(notes, about)) ?? { ...note, state: 'sending', isFresh: true }
  }
  try {
    await send()
  } catch (error) {
    // If this can't be noted, the note *sending* stays, which prevents another reminder.
    if (!isUndone(error)) await notes.put(key, noteAs('unknown')).catch(ignore)
    else if (isFirst) await notes.remove(key).catch(ignore)
    throw error
  }
  await notes.put(key, noteAs('sent')).catch(ignore)
  return undefined
}

/** The reminder of this day; undefined without one. */
export async function reminderOf(notes: ReminderNotes, about: ReminderDay): Promise<EarlierReminder | undefined> {
  const item = await notes.get(noteKey(about))
  const note = noteIn(item)
  return item && note && { ...note, isFresh: note.state === 'sending' && item.ageMs < freshMs }
}

/** Notes that it is unknown whether the reminder of this day was sent. */
export async function noteUnknown(notes: ReminderNotes, about: ReminderDay, note: ReminderNote): Promise<void> {
  await notes.put(noteKey(about), { body: { ...note, state: 'unknown' }, keepMs: keepDateMs })
}

/** Whether the error shows that nothing was sent. */
export const isUndone = (error: unknown) => error instanceof EidError && error.cause.outcome === 'not-done'

/** Signers whose turn comes later were not reminded together with the earlier ones, so each turn has its own note. */
const noteKey = ({ id, record, day }: ReminderDay) => `${id} on ${day} at ${turnOf(record)}`

const ignore = () => undefined

function noteIn(item: Item | undefined): ReminderNote | undefined {
  const { state, at, by, date } = isPlainObject(item?.body) ? item.body : {}
  if (state !== 'sending' && state !== 'sent' && state !== 'unknown') return undefined
  return {
    state,
    at: typeof at === 'number' ? at : 0,
    by: typeof by === 'string' ? by : '',
    ...(typeof date === 'string' && { date }),
  }
}
