/** Builds the rows of pending waits, once each time the list is read, however many people request it. */
import { inChunks } from '../../lib/common/in-chunks'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import type { PendingItem } from '../../lib/runtime/monitor/pending'
import { actionsFor, inOrder, remindedOf, rowsAtOnce, urgencyOf, waitingPeople } from '../../lib/runtime/people/waits'
import { entryOf, type Entry } from './entry'
import { pageActions, type OverviewRow } from './view'

/** A row as it is stored in memory until the page shows it. */
interface WaitingRow extends OverviewRow {
  readonly documentId?: string
}

/** Returns the entries in display order. */
export async function waitingEntries(items: readonly PendingItem[]): Promise<Entry[]> {
  const made: Entry[] = []
  const sorted = await inOrder(items)
  await inChunks(
    sorted,
    rowsAtOnce,
    (part) => void made.push(...part.map(({ item }) => entryOf(waitingRow(item), item.id))),
  )
  return made
}

function waitingRow(item: PendingItem): WaitingRow {
  const { wait, kind, id, title, since, until, node, service } = item
  const offered = actionsFor(item)
  return {
    id: wait,
    title: title === '' ? id : title,
    kind,
    since: Date.parse(since),
    flow: node.flow,
    ...(until !== undefined && { until: Date.parse(until) }),
    people: waitingPeople(item),
    ...(kind === 'document' && { documentId: id }),
    ...(service !== undefined && { elsewhere: service }),
    actions: pageActions.filter((one) => offered.includes(one)),
  }
}

/** What the shown row depends on. */
interface Viewing {
  readonly RED: HostOwner
  readonly mayAct: boolean
  readonly now: number
}

/** Adds the parts of a row that depend on the time and the viewer. */
export function shown(row: WaitingRow, { RED, mayAct, now }: Viewing) {
  const { documentId, ...rest } = row
  const urgency = row.progress ? undefined : urgencyOf(row.until, now)
  const reminded = documentId === undefined ? undefined : remindedOf(RED, documentId)
  const made: OverviewRow = {
    ...rest,
    actions: mayAct ? row.actions : [],
    ...(urgency && { urgency }),
    ...(reminded && { reminded }),
  }
  return made
}
