/**
 * The note that a document's signers were reminded on a day. There is one note for each turn: signers whose turn comes
 * later were not reminded together with the earlier signers, and need a note of their own.
 */
import { isPlainObject } from '../../common/plain-object'
import type { Item, NewItem } from '../../store/store'
import { turnOf } from './signers'

export interface DayNote {
  /** Whether a reminder is being sent, was sent, or may have been sent. */
  readonly state: 'sending' | 'sent' | 'unknown'
  /** Milliseconds since 1970. */
  readonly at: number
  /** The name of the user who pressed a button; empty if a wait sent the reminder on one of its dates. */
  readonly by: string
  /** The wait's reminder date for which the reminder was sent. */
  readonly date?: string
  /** The id of the wait's attempt to send it. */
  readonly attempt?: string
}

/** How long a note is kept in milliseconds: longer than the longest day, which has 25 hours. */
const keepDayMs = 26 * 3_600_000

/** The key of the note. `record` is the whole document, `day` a date such as `2031-05-02`. */
export function dayKeyOf(record: unknown, id: string, day: string): string {
  return `${id} on ${day} at ${turnOf(record)}`
}

export const dayNote = (note: DayNote): NewItem => ({ body: note, keepMs: keepDayMs })

/** The note in an item; undefined if the item contains no note. */
export function dayNoteIn(item: Pick<Item, 'body'> | undefined): DayNote | undefined {
  const { state, at, by, date, attempt } = isPlainObject(item?.body) ? item.body : {}
  if (state !== 'sending' && state !== 'sent' && state !== 'unknown') return undefined
  return {
    state,
    at: typeof at === 'number' ? at : 0,
    by: typeof by === 'string' ? by : '',
    ...(typeof date === 'string' && { date }),
    ...(typeof attempt === 'string' && { attempt }),
  }
}

/** Whether two moments, in milliseconds since 1970, are on the same calendar day in Node-RED's time zone. */
export const isSameDay = (one: number, other: number) => new Date(one).toDateString() === new Date(other).toDateString()
