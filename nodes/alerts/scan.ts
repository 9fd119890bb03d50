/**
 * Finds problems that need attention in the lists of this Node-RED: pending and ended waits, and the state of the
 * clients.
 */
import type { ClientMetrics } from '../../lib/runtime/monitor/client-metrics'
import type { KeptNode } from '../../lib/runtime/monitor/kept-nodes'
import type { EndedItem } from '../../lib/runtime/monitor/ended'
import type { PendingItem } from '../../lib/runtime/monitor/pending'
import type { Alert } from './alert'
import { afterWorkingDays } from './calendar'

const dayMs = 86_400_000
/**
 * The service usually deletes a document this long after it was signed. The alert comes a day before, so that the
 * document can still be saved.
 */
const deletedAfterMs = 7 * dayMs
const saveBeforeMs = dayMs
const lateMs = 3 * dayMs
/** An outage shorter than this needs no attention. */
const outageMs = 60_000

const overdueSentences: Partial<Record<PendingItem['kind'], string>> = {
  session: 'overdueSession',
  approval: 'overdueApproval',
}

export function overdueIn(items: readonly PendingItem[], days: number, now: number): Alert[] {
  return items
    .filter(({ since }) => afterWorkingDays(Date.parse(since), days) <= now)
    .map((item) => ({
      ...aboutPending(item),
      kind: item.kind === 'approval' ? 'approval-overdue' : 'overdue',
      // Two messages that wait for the same document in the same node share the key. A wait in a later node has a key
      // of its own.
      key: [item.kind, item.id, item.node.id],
      sentence: overdueSentences[item.kind] ?? 'overdue',
      params: { days },
      who: item.waitingFor.map(({ name }) => name).filter(Boolean),
      // Only this package knows the id of an approval.
      details: item.kind === 'approval' ? {} : { [`${item.kind}Id`]: item.id },
    }))
}

/** Returns alerts for what belongs to no node any more and will be removed within a day. */
export function removedSoonIn(kept: readonly KeptNode[], now: number): Alert[] {
  return kept.flatMap(({ id, type, name, flow, waits, lists, pages, left, removedAt }): Alert[] => {
    if (left === undefined || removedAt === undefined || removedAt - dayMs > now) return []
    return [
      {
        kind: 'removed-soon',
        // A node that came back and left again is reported again.
        key: [id, left],
        sentence: 'removedSoon',
        params: { waits, lists, pages, flow },
        title: name || type.replace(/^eid-/, ''),
        since: left,
        until: removedAt,
        details: { waits, lists, pages },
      },
    ]
  })
}

/** Whether an event at this time, in milliseconds since 1970, happened after the node was first started. */
export type IsNew = (at: number) => boolean

/** Finds people who have newly closed our own page without signing, once for each person and document. */
export function leftIn(items: readonly PendingItem[], isNew: IsNew): Alert[] {
  return items.flatMap((item) =>
    item.waitingFor.flatMap(({ name, last }): Alert[] =>
      last?.what !== 'left' || !isNew(Date.parse(last.at))
        ? []
        : [
            {
              ...aboutPending(item),
              kind: 'left-without-signing',
              key: [item.id, name],
              sentence: name === '' ? 'left' : 'leftNamed',
              params: { name },
              who: name === '' ? [] : [name],
              since: Date.parse(last.at),
              details: { documentId: item.id },
            },
          ],
    ),
  )
}

function aboutPending({ title, since, node, client }: PendingItem) {
  return { title, since: Date.parse(since), node, client }
}

/**
 * The kind of alert for the end of a wait; undefined for an unfinished identification, which needs no alert, and for an
 * approval, whose message has an output of its own for each end.
 */
export function kindOfEnd({ kind, outcome }: Pick<EndedItem, 'kind' | 'outcome'>): 'canceled' | 'expired' | undefined {
  if (kind === 'session' || kind === 'approval') return undefined
  if (outcome === 'expired' || outcome === 'timedOut') return 'expired'
  // A deleted document will not be signed either, so it counts as canceled.
  return outcome === 'canceled' || outcome === 'deleted' ? 'canceled' : undefined
}

/** Returns alerts for waits that have newly ended without success. */
export function endedIn(items: readonly EndedItem[], isNew: IsNew): Alert[] {
  return items.flatMap((item): Alert[] => {
    const { outcome, kind, id, wait, title, who, when, noticed = when, node, client, reason } = item
    const alertKind = kindOfEnd(item)
    if (!alertKind || !isNew(Date.parse(noticed))) return []
    return [
      {
        kind: alertKind,
        // Two messages may wait for the same document, which ends only once, so they share a key. A wait that timed out
        // has its own key.
        key: outcome === 'timedOut' ? [wait] : [kind, id],
        sentence: outcome === 'expired' && kind === 'share' ? 'expiredShare' : outcome,
        title,
        node,
        client,
        since: Date.parse(when),
        who: who.filter(({ done }) => !done).map(({ name }) => name),
        details: { [`${kind}Id`]: id, ...(reason !== undefined && { reason }) },
      },
    ]
  })
}

/** Returns the time at which the service deletes a signed document; undefined for any other item. */
export function deletionOf({ kind, what, outcome, when, keptHours }: EndedItem): number | undefined {
  const isEnd = what === 'document' || what === 'files-ready'
  return kind === 'document' && isEnd && outcome === 'signed' ? Date.parse(when) + keptMs(keptHours) : undefined
}

const keptMs = (hours: number | undefined) => (hours === undefined ? deletedAfterMs : hours * 3_600_000)

/** How long before the deletion the alert comes: a day or, for documents kept less than two days, half of that time. */
export function warnBeforeMs({ keptHours }: Pick<EndedItem, 'keptHours'>): number {
  return Math.min(saveBeforeMs, keptMs(keptHours) / 2)
}

/** Whether it is too late for the alert: Node-RED may have been off on the right day. */
export const isTooLate = (deletion: number, now: number) => now >= deletion + lateMs

type Unsaved = Pick<EndedItem, 'id' | 'title' | 'client'> & Partial<Pick<EndedItem, 'node' | 'when'>>

export function unsavedAlert({ id, title, client, node, when }: Unsaved, until: number | undefined): Alert {
  return {
    kind: 'not-archived-before-deletion',
    key: [id],
    sentence: until === undefined ? 'unsaved' : 'unsavedUntil',
    title,
    since: when === undefined ? Date.now() : Date.parse(when),
    ...(until !== undefined && { until }),
    ...(node && { node }),
    ...(client !== '' && { client }),
    details: { documentId: id },
  }
}

/** Returns the alert for an outage that has lasted long enough; otherwise undefined. */
export function outageOf({ id, name, unavailableSince }: ClientMetrics, now: number): Alert | undefined {
  if (unavailableSince === undefined || now - unavailableSince < outageMs) return undefined
  return outageAlert({ id, name, since: unavailableSince })
}

export interface Outage {
  readonly id: string
  readonly name: string
  readonly since: number
}

export function outageAlert({ id, name, since }: Outage, until?: number): Alert {
  return {
    kind: 'service-unavailable',
    key: until === undefined ? [id, since] : [id, since, 'over'],
    sentence: until === undefined ? 'unavailable' : 'availableAgain',
    title: name || id,
    since,
    ...(until !== undefined && { until }),
    client: id,
  }
}

export function rejectionAlert({ id, name, since }: Outage): Alert {
  return { kind: 'credentials-rejected', key: [id, since], sentence: 'rejected', title: name || id, since, client: id }
}
