/** Words for how something has ended, in place of the service's own. */
import type { ResourceKind } from '../../lib/runtime/monitor/pending'

const known: Readonly<Record<ResourceKind, readonly string[]>> = {
  document: ['signed', 'canceled', 'deleted', 'expired'],
  session: ['success', 'failed', 'user_aborted', 'invalidated', 'timed_out'],
  share: ['received', 'deleted', 'expired'],
  deposit: ['terminated', 'canceled'],
}

/** What stands for the status in a text: a key of the catalogue (`@ends.…`), or the status itself, when it is unknown. */
export function endOf(what: ResourceKind, status: string): string {
  // Which word a canceled deposit has is not published.
  const plain = status.toLowerCase().replace('cancelled', 'canceled')
  return known[what].includes(plain) ? `@ends.${what}.${plain}` : status
}
