/**
 * The note that a document's signers were reminded on a day: one for each turn, because those who sign after others
 * have not been reminded with them.
 */
import { isPlainObject } from '../../common/plain-object'
import type { Item, NewItem } from '../../store/store'
import { turnOf } from './signers'

export interface DayNote {
  /** A reminder is being sent, was sent, or may have been sent. */
  readonly state: 'sending' | 'sent' | 'unknown'
  /** Milliseconds since 1970. */
  readonly at: number
  /** The name of the person who pressed a button; empty for a date of a wait. */
  readonly by: string
  /** The date of the wait that it was sent for. */
  readonly date?: string
}

/** How long a note is kept: longer than the longest day, which has 25 hours. */
const keepDayMs = 26 * 3_600_000

/** `record` is the whole document, `day` a date such as `2031-05-02`. */
export function dayKeyOf(record: unknown, id: string, day: string): string {
  return `${id} on ${day} at ${turnOf(record)}`
}

export const dayNote = (note: DayNote): NewItem => ({ body: note, keepMs: keepDayMs })

/** Undefined for anything else. */
export function dayNoteIn(item: Pick<Item, 'body'> | undefined): DayNote | undefined {
  const { state, at, by, date } = isPlainObject(item?.body) ? item.body : {}
  if (state !== 'sending' && state !== 'sent' && state !== 'unknown') return undefined
  return {
    ...{ state, at: typeof at === 'number' ? at : 0, by: typeof by === 'string' ? by : '' },
    ...(typeof date === 'string' && { date }),
  }
}
