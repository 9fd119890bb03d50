/**
 * Lists pending or ended waits for tabs that poll every few seconds. The list is read so rarely that this costs little,
 * even for a long list.
 */
import { toEidError } from '../node-red/errors'
import type { HostOwner } from '../node-red/host'
import { watchPending } from './pending'
import { systemClock } from '../../store/clock'
import type { Translate } from '../../api/errors/texts'

export interface PacedList<T> {
  readonly items: readonly T[]
  /** The errors that prevent some items from being listed at the moment. */
  readonly failures: readonly unknown[]
}

/**
 * Minimum milliseconds between two reads: `paceMs` after a change in this process, `othersPaceMs` if only other
 * processes may have changed something.
 */
const paceMs = 1000
const othersPaceMs = 5000
/** The list is read so rarely that reading takes at most a twentieth of the time. */
const share = 20
/** Milliseconds without a reader after which the list is dropped from memory: a long list takes a hundred megabytes. */
const forgetMs = 60_000

type Read<T> = () => Promise<PacedList<T>>

/** The failures as sentences in the reader's language, each sentence only once. */
export function sentencesOf(failures: readonly unknown[], translate: Translate): string[] {
  return [...new Set(failures.map((one) => toEidError(one, translate).message))]
}

/** Returns a function that returns the list; simultaneous callers share one read. */
export function createPacedList<T>(RED: HostOwner, list: Read<T>): () => Promise<PacedList<T>> {
  let latest: Promise<PacedList<T>> = Promise.resolve({ items: [], failures: [] })
  let readAt = -Infinity
  let tookMs = 0
  let isChanged = true
  let forget: NodeJS.Timeout | undefined
  watchPending(RED, () => (isChanged = true))
  const forgetLater = () => {
    clearTimeout(forget)
    forget = setTimeout(
      () => {
        latest = Promise.resolve({ items: [], failures: [] })
        readAt = -Infinity
      },
      Math.max(forgetMs, tookMs * share),
    ).unref()
  }
  const read = async () => {
    const start = systemClock.now()
    const { items, failures } = await list()
    tookMs = systemClock.now() - start
    return { items, failures }
  }
  return () => {
    forgetLater()
    const ageMs = systemClock.now() - readAt
    const isOld = ageMs >= Math.max(isChanged ? paceMs : othersPaceMs, tookMs * share)
    if (!isOld) return latest
    readAt = systemClock.now()
    isChanged = false
    return (latest = read())
  }
}
