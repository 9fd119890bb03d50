/** The messages that went into the flow, by number, and how each ended. */
import type { Kind } from './plan'
import type { Prepared } from './messages'

export interface Entry extends Prepared {
  readonly n: number
  readonly kind: Kind
  /** Where the message came out; `caught` for an error. There must be exactly one entry. */
  readonly ends: string[]
  /** The address of the page that "embed" made. */
  page?: string
  outcome?: string
  code?: string
  error?: string
  /** How many of its ends, and of its rows, are marked as possibly sent before. */
  again: number
  rowsAgain: number
  /** How many rows the report says are done. */
  done?: number
  /** Whether the message was in flight when the process was killed, so that it may be lost. */
  killed: boolean
  repeated: boolean
  /** How many times Node-RED reported the message as completed. */
  completed: number
}

interface Verdict {
  readonly lost: boolean
  readonly endedTwice: boolean
  readonly doubled: boolean
  readonly wrongOutcome: boolean
}

/** Outputs that do not end a message: pages, progress and rows. */
export const aside = new Set(['embed/0', 'embed/2', 'share-upload/1', 'batch/0', 'batch-shared/0', 'batch-from-file/0'])

export function createEntry(n: number, kind: Kind, prepared: Prepared): Entry {
  return { n, kind, ...prepared, ends: [], again: 0, rowsAgain: 0, killed: false, repeated: false, completed: 0 }
}

export const hasEnded = (entry: Entry) => entry.ends.length > 0

/** Compares how a message ended with how often the service acted for it. */
export function judge(entry: Entry, acts: number): Verdict {
  const { ends, outcome, operation, killed, repeated, again, rowsAgain, rows = 1, done = 1 } = entry
  const out = ends.length > 0 && ends[0] !== 'caught'
  // An invalidation may be repeated.
  const repeatable = operation === 'invalidateSession'
  // When a call is repeated after the process died, the service refuses it for what the first call did. The outcome is
  // then about the repetition alone.
  const changes = operation !== '' && ends.length > 0 && !repeated
  const lies = (outcome === 'not-done' && acts > 0) || (out && acts < done) || (ends[0] === 'caught' && !outcome)
  return {
    lost: ends.length === 0 && !killed,
    endedTwice: ends.length > 1 + again,
    doubled: acts > rows + rowsAgain && !repeatable,
    wrongOutcome: changes && lies,
  }
}
