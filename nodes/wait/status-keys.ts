/** Names for how a resource has ended, in place of the service's own words. */
import type { ResourceKind } from '../../lib/runtime/monitor/pending'
import { reasonNames } from './expected-person'
import { kindOf, type WaitOutcome } from './goals'
import type { ResourceState } from './resource-state'
import type { Goal } from './wait.fields'

const known: Readonly<Record<ResourceKind, readonly string[]>> = {
  document: ['signed', 'canceled', 'deleted', 'expired'],
  session: ['success', 'failed', 'user_aborted', 'invalidated', 'timed_out'],
  share: ['received', 'deleted', 'expired'],
  deposit: ['terminated', 'canceled'],
}

/**
 * Goals that say more than the status at which they are reached. When such a goal is reached, the node shows the goal
 * and not the status.
 */
const onTheWay: readonly Goal[] = ['first-signature', 'files-ready', 'deposit-signed', 'deposit-funded']

/**
 * Returns the name of the status in a text: a key of the catalog (`@ends.…`), or the status itself if it is unknown.
 */
export function statusKeyOf(
  goal: Goal,
  { status, reason }: Pick<ResourceState, 'status' | 'reason'>,
  outcome?: WaitOutcome,
) {
  if (reason) return `@ends.session.${reasonNames[reason]}`
  if (outcome === 'done' && onTheWay.includes(goal)) return `@ends.reached.${goal}`
  const what = kindOf(goal)
  // The status of a canceled deposit is not documented exactly, so both spellings count.
  const plain = status.toLowerCase().replace('cancelled', 'canceled')
  return known[what].includes(plain) ? `@ends.${what}.${plain}` : status
}
