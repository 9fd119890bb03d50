/** The pending waits, as the tab shows them: the most urgent first, and of a long list as much as people read. */
import { lastReminder } from '../../../lib/runtime/monitor/last-reminder'
import type { PendingItem } from '../../../lib/runtime/monitor/pending'
import type { PacedList } from '../../../lib/runtime/monitor/paced-list'
import type { WaitingAction, WaitingRow, WaitingView } from '../view'

export interface WaitingQuery {
  /** How many rows there is room for. */
  readonly rows: number
  /** In title, names or id; empty: everything. */
  readonly find: string
}

export function viewOfWaiting(
  { items, failures }: PacedList<PendingItem>,
  { rows, find }: WaitingQuery,
  now: number,
): WaitingView {
  const wanted = find.trim().toLowerCase()
  const found = wanted === '' ? items : items.filter((one) => isFound(one, wanted))
  const sorted = [...found].sort((one, other) => endOf(one) - endOf(other) || one.since.localeCompare(other.since))
  return {
    rows: sorted.slice(0, rows).map((one) => rowOf(one, now)),
    count: items.length,
    urgent: items.filter((one) => urgencyOf(one, now) !== undefined).length,
    found: found.length,
    failures,
  }
}

function isFound({ title, id, waitingFor }: PendingItem, wanted: string): boolean {
  return [title, id, ...waitingFor.map(({ name }) => name)].some((text) => text.toLowerCase().includes(wanted))
}

/** What ends soonest comes first; what has no end comes after it, the oldest first. */
const endOf = ({ until }: PendingItem) => (until === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(until))

const soonMs = 86_400_000

function urgencyOf(item: PendingItem, now: number): WaitingRow['urgency'] {
  const leftMs = endOf(item) - now
  return leftMs <= 0 ? 'late' : leftMs < soonMs ? 'soon' : undefined
}

function rowOf(item: PendingItem, now: number): WaitingRow {
  const {
    wait,
    kind,
    id,
    title,
    since,
    until,
    nextQuestion,
    nextReminder,
    waitingFor,
    node,
    client,
    replica,
    service,
  } = item
  const reminded = kind === 'document' ? lastReminder(id) : undefined
  const people = waitingFor.map(({ name, url, since: from, last }) => ({
    ...{ name, hasLink: url !== undefined },
    ...(from !== undefined && { since: Date.parse(from) }),
    ...(last && { last: { what: last.what, at: Date.parse(last.at) } }),
  }))
  return {
    ...{ wait, kind, id, title, since: Date.parse(since), urgency: urgencyOf(item, now), waitingFor: people },
    ...{ node: node.id, client, replica, actions: actionsFor(item) },
    ...(service !== undefined && { service }),
    ...(reminded && { reminded }),
    ...(until !== undefined && { until: Date.parse(until) }),
    ...(nextReminder !== undefined && { nextReminder: Date.parse(nextReminder) }),
    ...(nextQuestion !== undefined && { nextQuestion: Date.parse(nextQuestion) }),
  }
}

/** What can be done with what is waited for; the rest is about the wait alone. */
export function actionsFor({ kind, waitingFor, service }: PendingItem): WaitingAction[] {
  // The client would ask another service about it.
  if (service !== undefined) return ['stopWaiting']
  const link = waitingFor.some(({ url }) => url !== undefined) ? (['link'] as const) : []
  const document = kind === 'document' ? (['remind', 'download'] as const) : []
  return [...link, ...document, 'askNow', 'stopWaiting', ...(kind === 'document' ? (['cancel'] as const) : [])]
}
