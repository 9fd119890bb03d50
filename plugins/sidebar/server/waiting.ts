/** The pending waits as the tab shows them: the most urgent first, and only one part of the list at a time. */
import { lastReminder } from '../../../lib/runtime/monitor/last-reminder'
import { sortInTurns } from '../../../lib/common/sort-in-turns'
import { searchText } from '../../../lib/common/search-text'
import { inChunks } from '../../../lib/common/in-chunks'
import type { HostOwner } from '../../../lib/runtime/node-red/host'
import { askedOf } from '../../../lib/runtime/node-red/client-node'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import type { PendingItem } from '../../../lib/runtime/monitor/pending'
import type { PacedList } from '../../../lib/runtime/monitor/paced-list'
import {
  waitingPlaceBy,
  type PartQuery,
  type WaitingAction,
  type WaitingRow,
  type WaitingSort,
  type WaitingView,
} from '../view'
import { comparePlaces, partOf, type Placed } from './pages'

interface WaitingQuery extends PartQuery {
  /** The text to search for in title, names and id. If empty, all waits are found. */
  readonly find: string
}

/** One part of the list, in the order of `sorted`, with the numbers shown beside it. */
export async function viewOfWaiting(
  RED: HostOwner,
  { items: all }: PacedList<Placed<PendingItem>>,
  query: WaitingQuery,
  now: number,
  sorted: readonly Placed<PendingItem>[] = all,
): Promise<Omit<WaitingView, 'failures'>> {
  const found = await findIn(sorted, searchText(query.find))
  const { items: rows, before } = partOf(found, query)
  const firstCalm = all.findIndex(({ item }) => urgencyOf(item, now) === undefined)
  return {
    rows: rows.map((one) => rowOf(RED, one, now)),
    before,
    count: all.length,
    urgent: firstCalm < 0 ? all.length : firstCalm,
    found: found.length,
  }
}

async function findIn(sorted: readonly Placed<PendingItem>[], wanted: string): Promise<readonly Placed<PendingItem>[]> {
  if (wanted === '') return sorted
  const found: Placed<PendingItem>[] = []
  await inChunks(sorted, placedAtOnce, (part) => void found.push(...part.filter(({ item }) => isFound(item, wanted))))
  return found
}

/** Sorts the waits and adds their positions. This happens each time the list is read, not for each request of a tab. */
export async function inOrder(
  items: readonly PendingItem[],
  sort: WaitingSort = 'until',
): Promise<Placed<PendingItem>[]> {
  const placed: Placed<PendingItem>[] = []
  await inChunks(
    items,
    placedAtOnce,
    (part) => void placed.push(...part.map((item) => ({ item, place: placeOf(item, sort) }))),
  )
  return sortInTurns(placed, (one, other) => comparePlaces(one.place, other.place))
}

type Sorted = Promise<readonly Placed<PendingItem>[]>
const sortedLists = new WeakMap<readonly Placed<PendingItem>[], Map<WaitingSort, Sorted>>()

/** The list in this order. Each order is sorted once after the list was read, not for each request of a tab. */
export function sortedBy(all: readonly Placed<PendingItem>[], sort: WaitingSort): Sorted {
  if (sort === 'until') return Promise.resolve(all)
  const known = sortedLists.get(all) ?? new Map<WaitingSort, Sorted>()
  sortedLists.set(all, known)
  const found =
    known.get(sort) ??
    inOrder(
      all.map(({ item }) => item),
      sort,
    )
  known.set(sort, found)
  return found
}

/** Rows handled per turn of the event loop. */
const placedAtOnce = 1_000

function placeOf({ until, since, wait, title, id }: PendingItem, sort: WaitingSort) {
  const end = until === undefined ? undefined : Date.parse(until)
  return waitingPlaceBy(sort, { since: Date.parse(since), until: end, wait, title, id })
}

function isFound({ title, id, waitingFor }: PendingItem, wanted: string): boolean {
  return [title, id, ...waitingFor.map(({ name }) => name)].some((text) => searchText(text).includes(wanted))
}

const soonMs = 86_400_000

function urgencyOf(item: PendingItem, now: number): WaitingRow['urgency'] {
  const leftMs = item.until === undefined ? Infinity : Date.parse(item.until) - now
  return leftMs <= 0 ? 'late' : leftMs < soonMs ? 'soon' : undefined
}

function rowOf(RED: HostOwner, item: PendingItem, now: number): WaitingRow {
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
  const reminded = kind === 'document' ? lastReminder(RED, id) : undefined
  const people = waitingFor.map(({ name, url, since: from, last }) => ({
    name,
    hasLink: url !== undefined,
    ...(from !== undefined && { since: Date.parse(from) }),
    ...(last && { last: { what: last.what, at: Date.parse(last.at) } }),
  }))
  return {
    wait,
    kind,
    id,
    title,
    since: Date.parse(since),
    urgency: urgencyOf(item, now),
    waitingFor: people,
    node: node.id,
    client,
    replica,
    actions: actionsFor(item),
    ...(service !== undefined && { service }),
    ...(reminded && { reminded: { at: reminded.at, by: reminded.by } }),
    ...(until !== undefined && { until: Date.parse(until) }),
    ...(nextReminder !== undefined && { nextReminder: Date.parse(nextReminder) }),
    ...(nextQuestion !== undefined && { nextQuestion: Date.parse(nextQuestion) }),
  }
}

/** The row of a wait whose client is missing or disabled says so, and no time of a next check. An approval has none. */
export function withoutClient(RED: Runtime, row: WaitingRow): WaitingRow {
  const { nextQuestion: _none, ...rest } = row
  return row.kind === 'approval' || askedOf(RED, row.client) ? row : { noClient: true, ...rest }
}

/** The available actions: those on the wait and, for a document, those on the document. */
export function actionsFor({ kind, waitingFor, service }: PendingItem): WaitingAction[] {
  // An approval waits for people only, so there is no service to ask.
  const people = waitingFor.some(({ url }) => url !== undefined) ? (['link'] as const) : []
  if (kind === 'approval') return [...people, 'withdraw']
  // The client now uses a different service from the one that has the document.
  if (service !== undefined) return ['stopWaiting']
  const document = kind === 'document' ? (['remind', 'download'] as const) : []
  return [...people, ...document, 'askNow', 'stopWaiting', ...(kind === 'document' ? (['cancel'] as const) : [])]
}
