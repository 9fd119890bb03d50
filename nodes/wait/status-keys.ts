/** Words for how something has ended, in place of the service's own. */
import type { ResourceKind } from '../../lib/runtime/monitor/pending'
import { kindOf, type WaitOutcome } from './goals'
import type { Goal } from './wait.fields'

const known: Readonly<Record<ResourceKind, readonly string[]>> = {
  document: ['signed', 'canceled', 'deleted', 'expired'],
  session: ['success', 'failed', 'user_aborted', 'invalidated', 'timed_out'],
  share: ['received', 'deleted', 'expired'],
  deposit: ['terminated', 'canceled'],
}

/** What has been reached is more than the status says. */
const onTheWay: readonly Goal[] = ['first-signature', 'files-ready', 'deposit-signed', 'deposit-funded']

/** The words for the status in a text: a key of the catalogue (`@ends.…`), or the status itself, when it is unknown. */
export function statusKeyOf(goal: Goal, status: string, outcome?: WaitOutcome): string {
  if (outcome === 'done' && onTheWay.includes(goal)) return `@ends.reached.${goal}`
  const what = kindOf(goal)
  // Which word a canceled deposit has is not published.
  const plain = status.toLowerCase().replace('cancelled', 'canceled')
  return known[what].includes(plain) ? `@ends.${what}.${plain}` : status
}
