/** Counts ended waits as people do: a contract with several waits has ended only once. */
import type { EndedItem } from './ended'

/** Outcomes that count as success, or as expiry; anything else is a failure. */
const endings: Readonly<Record<'done' | 'expired', readonly string[]>> = {
  done: ['signed', 'partialsigned', 'success', 'received', 'terminated', 'paid', 'paid_partial'],
  expired: ['expired', 'timed_out', 'timedOut'],
}

export function endingOf(outcome: string): 'done' | 'expired' | 'failed' {
  return (['done', 'expired'] as const).find((one) => endings[one].includes(outcome)) ?? 'failed'
}

/**
 * Returns one wait for each document, session, share or deposit that has ended in the same way. A wait for its end is
 * preferred, then the wait for its latest state; of several for the same state, the first. Every wait that failed is
 * returned, because each has a reason of its own.
 */
export function eachOnce(items: readonly EndedItem[]): EndedItem[] {
  const chosen = new Map<string, EndedItem>()
  for (const item of items) {
    const { at = '', kind, id, outcome, wait } = item
    const ending = endingOf(outcome)
    const way = ending !== 'failed' ? ending : outcome === 'failed' ? wait : outcome
    const key = JSON.stringify([at, kind, id, way])
    const other = chosen.get(key)
    if (!other || isBetter(item, other)) chosen.set(key, item)
  }
  return [...chosen.values()]
}

function isBetter(one: EndedItem, other: EndedItem): boolean {
  if (isWhole(one) !== isWhole(other)) return isWhole(one)
  return one.outcome === other.outcome ? one.when < other.when : one.when > other.when
}

const isWhole = ({ what, kind }: EndedItem) => what === kind
