/**
 * The last reminder sent from here for each document, so that two people looking at the same list don't both send one.
 * In memory, because it is only a convenience.
 */
import { setLatest } from '../../common/latest'
import { systemClock } from '../../store/clock'

export interface LastReminder {
  /** Milliseconds since 1970. */
  readonly at: number
  /** The name of the person who pressed the button; empty for a flow, or if there is no login. */
  readonly by: string
  /** A node of a flow was told to send it; all others are noted by those who send them. */
  readonly inFlow?: boolean
}

/** Documents kept in memory; the oldest are dropped. */
const maxDocuments = 10_000
const known = new Map<string, LastReminder>()

export function noteReminder(documentId: string, by = '', inFlow = false, at = systemClock.epochNow()): void {
  setLatest(known, documentId, { at, by, inFlow }, maxDocuments)
}

/** The last reminder for this document; undefined if none is known since Node-RED started. */
export function lastReminder(documentId: string): LastReminder | undefined {
  return known.get(documentId)
}
