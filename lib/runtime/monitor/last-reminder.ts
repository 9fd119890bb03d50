/**
 * The last reminder that this Node-RED sent for each document, so that two people looking at the same list don't both
 * send one. Kept in memory only, because it is only a convenience.
 */
import { setLatest } from '../../common/latest'
import { systemClock } from '../../store/clock'
import { hosted, type HostOwner } from '../node-red/host'

interface LastReminder {
  /** Milliseconds since 1970. */
  readonly at: number
  /** The name of the user who pressed the button; empty if a flow sent the reminder, or if there is no login. */
  readonly by: string
  /**
   * True if a node of a flow reminded all signers when a message arrived. There is no `DayNote` about such a reminder.
   */
  readonly inFlow?: boolean
}

/** Maximum number of documents kept in memory; the oldest are dropped first. */
const maxDocuments = 10_000
const createKnown = () => new Map<string, LastReminder>()

export function noteReminder(
  RED: HostOwner,
  documentId: string,
  by = '',
  inFlow = false,
  at = systemClock.epochNow(),
): void {
  setLatest(hosted(RED, createKnown), documentId, { at, by, inFlow }, maxDocuments)
}

/** The last reminder for this document; undefined if none has been sent since Node-RED started. */
export function lastReminder(RED: HostOwner, documentId: string): LastReminder | undefined {
  return hosted(RED, createKnown).get(documentId)
}
