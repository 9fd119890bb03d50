/** Stores how the waits of one node ended, for lists that show it later. */
import { EidError } from '../../lib/api/errors/errors'
import {
  endedItem,
  endedKeepMs,
  personAtEnd,
  type EndedItem,
  type EndedPerson,
  type EndedProblem,
  type EndedSource,
  type EndedSummary,
} from '../../lib/runtime/monitor/ended'
import type { ResourceKind } from '../../lib/runtime/monitor/pending'
import { cancelReason } from '../../lib/runtime/monitor/cancel-reasons'
import { reportOccurrence, type Ended } from '../../lib/runtime/monitor/occurrences'
import { signerMark } from '../../lib/runtime/monitor/signer-activity'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import { serviceMark } from '../../lib/runtime/service/service-mark'
import { hasSigned } from '../../lib/runtime/service/signers'
import { systemClock } from '../../lib/store/clock'
import { listAll } from '../../lib/store/list-all'
import type { Claim, Store } from '../../lib/store/store'
import { detailsOf, fullName, maxPeople, type Details } from './details'
import { reasonNames } from './expected-person'
import { endTimeOf } from './end-time'
import { kindOf } from './goals'
import type { Ending } from './poller'
import { hasUnopened } from './resource-state'
import type { PendingWait } from './stored-wait'

export interface EndedLog extends EndedSource {
  /**
   * Stores how a wait ended, before its message continues. If Node-RED crashes in between, the wait ends once more and
   * is stored under the same id. Never rejects.
   */
  note(claim: Claim, wait: PendingWait, ending: Ending, details: Details | undefined): Promise<void>
}

interface EndedLogOptions {
  readonly store: Store
  readonly node: EndedItem['node']
  /** The name of the machine, if other Node-REDs read the store too. */
  readonly replica?: string | undefined
  /** The error with which the message of the wait is about to end; undefined if it continues. */
  problemOf?(wait: PendingWait, ending: Ending): EndedProblem | undefined
}

export function createEndedLog(RED: HostOwner, { store, node, replica, problemOf }: EndedLogOptions): EndedLog {
  const { id: _id, ...place } = node
  return {
    async note(claim, wait, ending, details) {
      const now = systemClock.epochNow()
      const problem = problemOf?.(wait, ending)
      const summary: EndedSummary = {
        ...summaryOf(RED, claim, wait, ending, details),
        ended: timeOf(RED, wait, ending, now),
        ...(replica !== undefined && { node: place, replica }),
        at: wait.service === undefined ? undefined : serviceMark(wait.service),
        ...(problem && { problem }),
      }
      const item = endedItem({ ...claim, summary, since: now }, node)
      if (item) reportOccurrence(RED, { what: 'ended', item })
      // If the store can't write, the store itself reports that; the message continues anyway.
      await store.put(claim.id, { subject: claim.subject, summary, keepMs: endedKeepMs }).catch(() => undefined)
    },
    list: async () => (await listAll(store)).flatMap((listed) => endedItem(listed, node) ?? []),
  }
}

function summaryOf(RED: HostOwner, claim: Claim, wait: PendingWait, ending: Ending, details: Details | undefined) {
  const { what, resourceId: id } = wait
  const outcome = outcomeOf(ending)
  const reason = outcome === 'canceled' && kindOf(what) === 'document' ? cancelReason(RED, id) : undefined
  const data: unknown = 'state' in ending ? ending.state.answer.data : undefined
  const latest = detailsOf(kindOf(what), data, '')
  const found = peopleAtEnd[kindOf(what)](RED, data, id)
  const known = details?.waitingFor.map(({ name, url, mark }) => personAtEnd(RED, id, name, false, [mark, url])) ?? []
  const named = (found.length > 0 ? found : known).filter(({ name }) => name !== '')
  return {
    what,
    title: latest?.title || (details?.title ?? ''),
    since: claim.since,
    outcome,
    who: named.slice(0, maxPeople),
    ...keptIn(data),
    ...(reason !== undefined && { reason }),
  }
}

/** When it ended: at the service or, for the limit of the node, when the limit was reached. */
function timeOf(RED: HostOwner, wait: PendingWait, ending: Ending, now: number): number | undefined {
  if (!('state' in ending)) return undefined
  if (!ending.late) return endTimeOf(RED, wait, ending.state, now)
  const overdueMs = systemClock.now() - wait.deadline
  return overdueMs > 0 ? now - overdueMs : undefined
}

function keptIn(data: unknown): { keptHours?: number } {
  const hours = getPath(data, 'advanced.timeToLive.deleteAfterHours')
  return typeof hours === 'number' && hours > 0 ? { keptHours: hours } : {}
}

/** The kind and outcome to store if the end of a wait was raised as an error; otherwise undefined. */
export function endedAs({ what }: PendingWait, ending: Ending, raised: unknown): Ended | undefined {
  const isRaised = 'state' in ending && raised instanceof EidError
  return isRaised ? { kind: kindOf(what), outcome: outcomeOf(ending) } : undefined
}

function outcomeOf(ending: Ending): string {
  if ('error' in ending)
    return ending.error instanceof EidError && ending.error.cause.status === 404 ? 'gone' : 'failed'
  if (ending.late) return 'timedOut'
  const { reason } = ending.state
  return reason ? reasonNames[reason] : ending.state.status.toLowerCase().replace('cancelled', 'canceled')
}

const peopleAtEnd: Readonly<Record<ResourceKind, (RED: HostOwner, data: unknown, id: string) => EndedPerson[]>> = {
  document: (RED, data, documentId) =>
    listAt(data, 'signers').map((one) =>
      personAtEnd(RED, documentId, fullName(one, 'signerInfo.'), hasSigned(one), [
        signerMark(textAt(one, 'id')),
        textAt(one, 'url'),
      ]),
    ),
  // The only result of a session is the identity, which is not stored.
  session: () => [],
  share: (_RED, data) =>
    listAt(data, 'recipients').map((one) => ({ name: fullName(one, ''), done: !hasUnopened(one) })),
  deposit: (_RED, data) => listAt(data, 'tenants').map((one) => ({ name: fullName(one, 'info.'), done: true })),
}
