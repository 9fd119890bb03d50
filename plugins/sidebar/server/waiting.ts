/** The pending waits as the tab shows them: the most urgent first, and only one part of the list at a time. */
import { searchText } from '../../../lib/common/search-text'
import { inChunks } from '../../../lib/common/in-chunks'
import type { HostOwner } from '../../../lib/runtime/node-red/host'
import { askedOf } from '../../../lib/runtime/node-red/client-node'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import type { PendingItem } from '../../../lib/runtime/monitor/pending'
import type { PacedList } from '../../../lib/runtime/monitor/paced-list'
import { waitingPlaceBy, type WaitingRow, type WaitingSort, type WaitingView } from '../view'
import type { PartQuery } from '../../../lib/page/view'
import { partOf, type Placed } from '../../../lib/runtime/people/pages'
import {
  actionsFor,
  inOrder,
  remindedOf,
  rowsAtOnce,
  urgencyOf,
  waitingPeople,
} from '../../../lib/runtime/people/waits'

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
  const firstCalm = all.findIndex(({ item }) => urgencyIn(item, now) === undefined)
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
  await inChunks(sorted, rowsAtOnce, (part) => void found.push(...part.filter(({ item }) => isFound(item, wanted))))
  return found
}

type Sorted = Promise<readonly Placed<PendingItem>[]>
const sortedLists = new WeakMap<readonly Placed<PendingItem>[], Map<WaitingSort, Sorted>>()

/** The list in this order. Each order is sorted once after the list was read, not for each request of a tab. */
export function sortedBy(all: readonly Placed<PendingItem>[], sort: WaitingSort): Sorted {
  if (sort === 'until') return Promise.resolve(all)
  const known = sortedLists.get(all) ?? new Map<WaitingSort, Sorted>()
  sortedLists.set(all, known)
  const items = all.map(({ item }) => item)
  const found = known.get(sort) ?? inOrder(items, (item) => placeOf(item, sort))
  known.set(sort, found)
  return found
}

function placeOf({ until, since, wait, title }: PendingItem, sort: WaitingSort) {
  const end = until === undefined ? undefined : Date.parse(until)
  return waitingPlaceBy(sort, { since: Date.parse(since), until: end, wait, title })
}

function isFound({ title, id, waitingFor }: PendingItem, wanted: string): boolean {
  return [title, id, ...waitingFor.map(({ name }) => name)].some((text) => searchText(text).includes(wanted))
}

const urgencyIn = ({ until }: PendingItem, now: number) =>
  urgencyOf(until === undefined ? undefined : Date.parse(until), now)

function rowOf(RED: HostOwner, item: PendingItem, now: number): WaitingRow {
  const { wait, kind, id, title, since, until, nextQuestion, nextReminder, node, client, replica, service } = item
  const reminded = kind === 'document' ? remindedOf(RED, id) : undefined
  return {
    wait,
    kind,
    id,
    title,
    since: Date.parse(since),
    urgency: urgencyIn(item, now),
    waitingFor: waitingPeople(item),
    node: node.id,
    client,
    replica,
    actions: actionsFor(item),
    ...(service !== undefined && { service }),
    ...(reminded && { reminded }),
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
