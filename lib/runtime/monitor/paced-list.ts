/** Pending and ended waits, read seldom enough that a tab which asks every few seconds costs little, however long the list is. */
import { toEidError } from '../node-red/errors'
import { watchPending } from './pending'
import { systemClock } from '../../store/clock'
import type { Translate } from '../node-red/texts'

export interface PacedList<T> {
  readonly items: readonly T[]
  /** Why some can't be listed now: sentences. */
  readonly failures: readonly string[]
}

/** Milliseconds between two readings: when something has changed here, and when only others may have changed it. */
const paceMs = 1000
const othersPaceMs = 5000
/** Reading takes at most this part of the time. */
const share = 20

type Read<T> = () => Promise<{ readonly items: readonly T[]; readonly failures: readonly unknown[] }>

/** Gives the list; several who ask at once share one reading. */
export function createPacedList<T>(list: Read<T>, translate: Translate): () => Promise<PacedList<T>> {
  let latest: Promise<PacedList<T>> = Promise.resolve({ items: [], failures: [] })
  let readAt = -Infinity
  let tookMs = 0
  let isChanged = true
  watchPending(() => (isChanged = true))
  const read = async () => {
    const start = systemClock.now()
    const { items, failures } = await list()
    tookMs = systemClock.now() - start
    return { items, failures: [...new Set(failures.map((one) => toEidError(one, translate).message))] }
  }
  return () => {
    const ageMs = systemClock.now() - readAt
    const isOld = ageMs >= Math.max(isChanged ? paceMs : othersPaceMs, tookMs * share)
    if (!isOld) return latest
    readAt = systemClock.now()
    isChanged = false
    return (latest = read())
  }
}
