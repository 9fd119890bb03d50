/**
 * The last reminder that went out from here for each document, so that two people who look at the same list do not both
 * remind. In memory: it helps people who look, and nothing rests on it.
 */
import { setLatest } from '../../common/latest'
import { systemClock } from '../../store/clock'

export interface LastReminder {
  /** Milliseconds since 1970. */
  readonly at: number
  /** The name of the person who pressed the button; empty for a flow, or where people have no names. */
  readonly by: string
}

/** Documents that are remembered; of more, the latest. */
const maxDocuments = 10_000
const known = new Map<string, LastReminder>()

export function noteReminder(documentId: string, by = ''): void {
  setLatest(known, documentId, { at: systemClock.epochNow(), by }, maxDocuments)
}

/** Undefined when none has gone out since Node-RED was started. */
export function lastReminder(documentId: string): LastReminder | undefined {
  return known.get(documentId)
}
