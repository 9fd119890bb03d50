/** What went into the flow and how it ended, each message by its number. */
import type { Kind } from './plan'
import type { Prepared } from './messages'

export interface Entry extends Prepared {
  readonly n: number
  readonly kind: Kind
  /** Where it came out, `caught` for an error; one entry is what there must be. */
  readonly ends: string[]
  /** Address of the page that `embed` made. */
  page?: string
  outcome?: string
  code?: string
  error?: string
  /** How many of its ends, and of its rows, say that they may have been sent before. */
  again: number
  rowsAgain: number
  /** How many rows a report says are done. */
  done?: number
  /** On its way when the process was killed: it may have died with it. */
  killed: boolean
  repeated: boolean
  /** How many times Node-RED says it was completed. */
  completed: number
}

export interface Verdict {
  readonly lost: boolean
  readonly endedTwice: boolean
  readonly doubled: boolean
  readonly wrongOutcome: boolean
}

/** What is sent beside a message's end: pages, progress and rows. */
export const aside = new Set(['embed/0', 'embed/2', 'share-upload/1', 'batch/0', 'batch-shared/0'])

export function createEntry(n: number, kind: Kind, prepared: Prepared): Entry {
  return { n, kind, ...prepared, ends: [], again: 0, rowsAgain: 0, killed: false, repeated: false, completed: 0 }
}

export const hasEnded = (entry: Entry) => entry.ends.length > 0

/** Holds a message's end against how often the service acted for it. */
export function judge(entry: Entry, acts: number): Verdict {
  const { ends, outcome, operation, killed, repeated, again, rowsAgain, rows = 1, done = 1 } = entry
  const out = ends.length > 0 && ends[0] !== 'caught'
  // Invalidating may be repeated.
  const repeatable = operation === 'invalidateSession'
  // A repetition after the process died is refused for what its first life has done: that outcome is about the
  // repetition alone.
  const changes = operation !== '' && ends.length > 0 && !repeated
  const lies = (outcome === 'not-done' && acts > 0) || (out && acts < done) || (ends[0] === 'caught' && !outcome)
  return {
    lost: ends.length === 0 && !killed,
    endedTwice: ends.length > 1 + again,
    doubled: acts > rows + rowsAgain && !repeatable,
    wrongOutcome: changes && lies,
  }
}
