/** Notes how the approvals of one node have ended, for the lists that show it later. */
import {
  endedItem,
  endedKeepMs,
  type EndedItem,
  type EndedSource,
  type EndedSummary,
} from '../../lib/runtime/monitor/ended'
import { serviceMark } from '../../lib/runtime/service/service-mark'
import type { Clock } from '../../lib/store/clock'
import { listAll } from '../../lib/store/list-all'
import type { Claim, Store } from '../../lib/store/store'
import type { Approval } from './approval'

/** How an approval has ended, in the words of the lists. */
interface Ending {
  readonly outcome: 'approved' | 'rejected' | 'withdrawn' | 'timedOut' | 'failed'
  /** The names of those who have approved. */
  readonly approved: readonly string[]
  /** Who has rejected or withdrawn it, and why. */
  readonly reason?: string | undefined
}

export interface EndedLog extends EndedSource {
  /** Notes an end before its message leaves. After a crash in between, it is noted again under the same id. */
  note(claim: Claim, approval: Approval, ending: Ending): Promise<void>
}

interface EndedLogOptions {
  readonly store: Pick<Store, 'put' | 'list'>
  readonly node: EndedItem['node']
  /** The name of the machine, if other Node-REDs read the store too. */
  readonly replica?: string | undefined
  readonly clock: Pick<Clock, 'epochNow'>
}

export function createEndedLog({ store, node, replica, clock }: EndedLogOptions): EndedLog {
  const { id: _id, ...place } = node
  return {
    async note({ id, subject, ageMs }, { what, service }, { outcome, approved, reason = '' }) {
      const summary: EndedSummary = {
        what: 'approval',
        title: what,
        who: approved.map((name) => ({ name, done: true })),
        since: clock.epochNow() - ageMs,
        outcome,
        at: serviceMark(service),
        ...(replica !== undefined && { node: place, replica }),
        ...(reason !== '' && { reason }),
      }
      // If the store can't write, the store itself reports that; the message leaves anyway.
      await store.put(id, { subject, summary, keepMs: endedKeepMs }).catch(() => undefined)
    },
    list: async () => (await listAll(store)).flatMap((listed) => endedItem(listed, node) ?? []),
  }
}
