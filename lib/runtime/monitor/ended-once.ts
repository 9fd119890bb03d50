/** Counts ended waits as people do: a contract on which several waits have ended counts only once. */
import type { EndedItem } from './ended'

/** Outcomes that count as success or as expiry; any other outcome counts as a failure. */
const endings: Readonly<Record<'done' | 'expired', readonly string[]>> = {
  done: ['signed', 'partialsigned', 'success', 'received', 'terminated', 'paid', 'paid_partial', 'approved'],
  expired: ['expired', 'timed_out', 'timedOut'],
}

export function endingOf(outcome: string): 'done' | 'expired' | 'failed' {
  return (['done', 'expired'] as const).find((one) => endings[one].includes(outcome)) ?? 'failed'
}

/**
 * Returns one wait for each way in which a document, session, share or deposit has ended. A wait for the end of the
 * object is preferred. Otherwise, the wait for its latest state is returned; among waits for the same state, the one
 * that ended first. Every wait that failed is returned, because each has its own reason.
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
