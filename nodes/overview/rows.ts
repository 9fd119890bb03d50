/** What is known of contracts, as rows that can be searched; made once for each reading of the lists. */
import { listBatches, listEndedBatches, type BatchProgress, type EndedBatch } from '../../lib/runtime/monitor/batches'
import type { ErrorEntry } from '../../lib/runtime/monitor/error-log'
import { lastReminder } from '../../lib/runtime/monitor/last-reminder'
import type { PendingItem } from '../../lib/runtime/monitor/pending'
import type { EndedItem } from '../../lib/runtime/monitor/ended'
import type { PacedList } from '../../lib/runtime/monitor/paced-list'
import { pageTexts, type PageTexts } from '../../lib/runtime/http/page-texts'
import { errorSentence, sortFailures, type Failures } from './failures'
import { compareRows, pageOf } from './paging'
import type { OverviewQuery, OverviewRow, OverviewView, Section } from './view'

/** A row, and the text that is searched. */
interface Entry {
  readonly row: OverviewRow
  readonly text: string
}

export type Sections = Readonly<Record<Section, readonly Entry[]>>

export interface Sources {
  readonly pending: PacedList<PendingItem>
  readonly ended: PacedList<EndedItem>
  readonly errors: readonly ErrorEntry[]
  readonly language: string
  readonly mayAct: boolean
  readonly now: number
}

/** Everything, section by section, in the order in which it is shown. */
export async function readSections(sources: Sources): Promise<Sections> {
  const { ended, errors, language } = sources
  const texts = pageTexts('overview', language)
  const lists = [...(await listBatches()).map(listRow), ...listEndedBatches().map(endedListRow)]
  const failures = sortFailures(errors, ended.items, language)
  const endedIn = (section: Section) =>
    ended.items.filter(({ outcome }) => sectionOf(outcome) === section).map((one) => endedRow(one, texts, failures))
  const failed = [...endedIn('failed'), ...failures.others.map((one) => errorRow(one, language, texts))]
  return {
    waiting: waitingEntries(sources),
    done: endedIn('done').sort(compareRows).map(entryOf),
    expired: endedIn('expired').sort(compareRows).map(entryOf),
    failed: failed.sort(compareRows).map(entryOf),
    lists: lists.sort(compareRows).map(entryOf),
  }
}

/** The rows that fit the question. */
export function findRows(all: readonly Entry[], { find, kind, flow }: OverviewQuery): OverviewRow[] {
  const wanted = find.trim().toLowerCase()
  const fits = ({ row, text }: Entry) =>
    (kind === '' || row.kind === kind) && (flow === '' || row.flow === flow) && text.includes(wanted)
  return all.filter(fits).map(({ row }) => row)
}

export function viewOf(
  all: Sections,
  query: OverviewQuery,
  sources: Pick<Sources, 'now' | 'pending' | 'ended' | 'mayAct'>,
): OverviewView {
  const { now, pending, ended } = sources
  const entries = all[query.section]
  const page = pageOf(findRows(entries, query), query)
  const distinct = (pick: (row: OverviewRow) => string | undefined) =>
    [...new Set(entries.flatMap(({ row }) => pick(row) ?? []))].filter((one) => one !== '').sort()
  return {
    now,
    counts: {
      waiting: all.waiting.length,
      done: all.done.length,
      expired: all.expired.length,
      failed: all.failed.length,
      lists: all.lists.length,
    },
    ...page,
    rows: page.rows.map((row) => shown(row, sources)),
    kinds: distinct(({ kind }) => kind),
    flows: distinct(({ flow }) => flow),
    failures: [...new Set([...pending.failures, ...ended.failures])],
  }
}

/** By the list that they were made of: many people ask for one reading. */
const known = new WeakMap<readonly PendingItem[], readonly Entry[]>()

function waitingEntries({ pending: { items } }: Sources): readonly Entry[] {
  const entries = known.get(items) ?? items.map(waitingRow).sort(compareRows).map(entryOf)
  known.set(items, entries)
  return entries
}

function waitingRow({ wait, kind, id, title, since, until, waitingFor, node, service }: PendingItem): OverviewRow {
  // The client would ask another service about it.
  const isOurs = kind === 'document' && service === undefined
  const reminded = kind === 'document' ? lastReminder(id) : undefined
  return {
    ...{ id: wait, title: title === '' ? id : title, kind, since: Date.parse(since), flow: node.flow },
    ...(until !== undefined && { until: Date.parse(until) }),
    people: waitingFor.map(({ name, since: from, last }) => ({
      name,
      ...(from !== undefined && { since: Date.parse(from) }),
      ...(last && { last: last.what }),
    })),
    ...(reminded && { reminded }),
    actions: isOurs ? ['remind', 'cancel'] : [],
  }
}

const soonMs = 86_400_000

/** What depends on when it is shown, and to whom. */
function shown(row: OverviewRow, { mayAct, now }: Pick<Sources, 'mayAct' | 'now'>): OverviewRow {
  const leftMs = row.until === undefined || row.progress ? Infinity : row.until - now
  const urgency = leftMs <= 0 ? 'late' : leftMs < soonMs ? 'soon' : undefined
  return { ...row, actions: mayAct ? row.actions : [], ...(urgency && { urgency }) }
}

/** How a thing may end well, and by time; anything else has failed. */
const endings: Readonly<Record<'done' | 'expired', readonly string[]>> = {
  done: ['signed', 'partialsigned', 'success', 'received', 'terminated', 'paid', 'paid_partial'],
  expired: ['expired', 'timed_out', 'timedOut'],
}

function sectionOf(outcome: string): 'done' | 'expired' | 'failed' {
  return (['done', 'expired'] as const).find((one) => endings[one].includes(outcome)) ?? 'failed'
}

function endedRow(item: EndedItem, texts: PageTexts, { reasonOf }: Failures): OverviewRow {
  const { wait, what, kind, id, title, who, since, when, outcome, node } = item
  const section = sectionOf(outcome)
  const reached = section === 'done' ? texts[`reached.${what}`] : undefined
  const reason = section === 'failed' ? reasonOf(item) : undefined
  const text = reached ?? texts[`outcomes.${outcome}`] ?? outcome
  return {
    ...{ id: wait, title: title === '' ? id : title, kind, since: Date.parse(since), ended: Date.parse(when) },
    ...{ flow: node.flow, actions: [], text: reason === undefined ? text : `${text}: ${reason}` },
    people: who.map(({ name, done, last }) => ({ name, done, ...(last && { last: last.what }) })),
  }
}

function errorRow(entry: ErrorEntry, language: string, texts: PageTexts): OverviewRow {
  const { id, at, rows } = entry
  return {
    id,
    title: errorSentence(entry, language),
    people: [],
    ended: at,
    actions: [],
    ...(rows && { text: `${texts.rowNumbers ?? ''} ${rows.join(', ')}` }),
  }
}

function listRow({ expectedEnd, paused, ...list }: BatchProgress): OverviewRow {
  return {
    ...listed(list),
    ...(expectedEnd !== undefined && { until: expectedEnd }),
    progress: { ...countsOf(list), paused },
  }
}

function endedListRow({ ended, ...list }: EndedBatch): OverviewRow {
  return { ...listed(list), ended, progress: { ...countsOf(list), paused: false } }
}

function listed({ id, node, started }: Pick<BatchProgress, 'id' | 'node' | 'started'>): OverviewRow {
  const title = node.name === '' ? id : `${node.name} (${id})`
  return { id: `${node.id}/${id}`, title, people: [], since: started, flow: node.flow, actions: [] }
}

const countsOf = ({ done, failed, total }: Pick<BatchProgress, 'done' | 'failed' | 'total'>) => ({
  done,
  failed,
  total,
})

function entryOf(row: OverviewRow): Entry {
  const words = [row.title, row.text ?? '', ...row.people.map(({ name }) => name)]
  return { row, text: words.join('\n').toLowerCase() }
}
