/** Builds the rows of pending waits, once each time the list is read, however many people request it. */
import { inChunks } from '../../lib/common/in-chunks'
import { lastReminder } from '../../lib/runtime/monitor/last-reminder'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import type { PendingItem, PendingKind } from '../../lib/runtime/monitor/pending'
import { sortInTurns } from '../../lib/common/sort-in-turns'
import { entryOf, type Entry } from './entry'
import type { OverviewRow, PageAction } from './view'

/** A row as it is stored in memory until the page shows it. */
interface WaitingRow extends OverviewRow {
  readonly documentId?: string
}

/** Number of rows built per turn of the event loop. */
const madeAtOnce = 1_000

/** Returns the entries in display order. */
export async function waitingEntries(items: readonly PendingItem[]): Promise<Entry[]> {
  const placed: Placed[] = []
  await inChunks(items, madeAtOnce, (part) => void placed.push(...part.map(placedOf)))
  const sorted = await sortInTurns(placed, comparePlaced)
  const made: Entry[] = []
  await inChunks(
    sorted,
    madeAtOnce,
    (part) => void made.push(...part.map(({ item }) => entryOf(waitingRow(item), item.id))),
  )
  return made
}

/** The sort key of a row. It has a uniform shape, which makes sorting a hundred thousand rows several times faster. */
interface Placed {
  readonly until: number
  readonly since: number
  readonly item: PendingItem
}

function placedOf(item: PendingItem): Placed {
  return { until: item.until === undefined ? Infinity : Date.parse(item.until), since: Date.parse(item.since), item }
}

/**
 * Compares as `compareRows` does. For two rows without an end, the difference is NaN, so the next comparison decides.
 */
function comparePlaced(one: Placed, other: Placed): number {
  return one.until - other.until || one.since - other.since || (one.item.wait < other.item.wait ? -1 : 1)
}

function waitingRow({ wait, kind, id, title, since, until, waitingFor, node, service }: PendingItem): WaitingRow {
  return {
    id: wait,
    title: title === '' ? id : title,
    kind,
    since: Date.parse(since),
    flow: node.flow,
    ...(until !== undefined && { until: Date.parse(until) }),
    people: waitingFor.map(({ name, since: from, last }) => ({
      name,
      ...(from !== undefined && { since: Date.parse(from) }),
      ...(last && { last: last.what }),
    })),
    ...(kind === 'document' && { documentId: id }),
    ...(service !== undefined && { elsewhere: service }),
    // If the client uses another service now, it would ask that service about the document.
    actions: service === undefined ? actionsOn(kind) : [],
  }
}

const actions: Readonly<Partial<Record<PendingKind, readonly PageAction[]>>> = {
  document: ['remind', 'cancel'],
  approval: ['withdraw'],
}

export const actionsOn = (kind: PendingKind): readonly PageAction[] => actions[kind] ?? []

const soonMs = 86_400_000

/** What the shown row depends on. */
interface Viewing {
  readonly RED: HostOwner
  readonly mayAct: boolean
  readonly now: number
}

/** Adds the parts of a row that depend on the time and the viewer. */
export function shown(row: WaitingRow, { RED, mayAct, now }: Viewing) {
  const { documentId, ...rest } = row
  const leftMs = row.until === undefined || row.progress ? Infinity : row.until - now
  const urgency = leftMs <= 0 ? 'late' : leftMs < soonMs ? 'soon' : undefined
  const reminded = documentId === undefined ? undefined : lastReminder(RED, documentId)
  const made: OverviewRow = {
    ...rest,
    actions: mayAct ? row.actions : [],
    ...(urgency && { urgency }),
    ...(reminded && { reminded }),
  }
  return made
}
