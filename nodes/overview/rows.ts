/** Turns the known contracts into rows that can be searched. The rows are built once each time the lists are read. */
import {
  listBatches,
  listEndedBatches,
  unchangedListOf,
  type BatchProgress,
  type EndedBatch,
} from '../../lib/runtime/monitor/batches'
import { searchText } from '../../lib/common/search-text'
import { english, fill } from '../../lib/api/errors/texts'
import { groupErrors, namesOf, type ErrorEntry, type ErrorGroup } from '../../lib/runtime/monitor/error-entry'
import { rowSentence, sentenceOf } from '../../lib/runtime/monitor/error-sentence'
import { eachOnce, endingOf } from '../../lib/runtime/monitor/ended-once'
import type { EndedItem } from '../../lib/runtime/monitor/ended'
import { sentencesOf, type PacedList } from '../../lib/runtime/monitor/paced-list'
import { translateInto } from '../../lib/runtime/node-red/texts'
import type { HostOwner } from '../../lib/runtime/node-red/host'
import { endedPeople, reasonOf } from '../../lib/runtime/people/waits'
import { pageTexts, type PageTexts } from '../../lib/runtime/http/page-texts'
import { entryOf, type Entry } from './entry'
import { compareEntries, pageOf } from './paging'
import type { OverviewQuery, OverviewRow, OverviewView, Section } from './view'
import { shown } from './waiting'

type Sections = Readonly<Record<Section, readonly Entry[]>>

export interface Sources {
  readonly RED: HostOwner
  /** Pending waits in display order. */
  readonly pending: PacedList<Entry>
  readonly ended: PacedList<EndedItem>
  readonly errors: readonly ErrorEntry[]
  readonly language: string
  readonly mayAct: boolean
  readonly now: number
}

/** Returns the entries of all sections, each in display order. */
export async function readSections(sources: Sources): Promise<Sections> {
  const { RED, ended, errors, language } = sources
  const texts = pageTexts('overview', language)
  const lists = [
    ...(await listBatches(RED)).map((one) => entryOf(listRow(one, texts, language))),
    ...listEndedBatches(RED).map((one) => entryOf(endedListRow(one, texts, language))),
  ]
  const contracts = eachOnce(ended.items)
  const endedIn = (section: Section) =>
    contracts
      .filter(({ outcome }) => endingOf(outcome) === section)
      .map((one) => entryOf(endedRow(one, texts, language), one.id))
  const others = groupErrors(errors).map((one) => entryOf(errorRow(one, language, texts)))
  return {
    waiting: sources.pending.items,
    done: endedIn('done').sort(compareEntries),
    expired: endedIn('expired').sort(compareEntries),
    failed: [...endedIn('failed'), ...others].sort(compareEntries),
    lists: lists.sort(compareEntries),
  }
}

/** Returns the entries that match the query. */
export function findEntries(
  all: readonly Entry[],
  { find, kind, flow }: Pick<OverviewQuery, 'find' | 'kind' | 'flow'>,
): readonly Entry[] {
  if (find === '' && kind === '' && flow === '') return all
  const wanted = searchText(find)
  const fits = ({ row, text }: Entry) =>
    (kind === '' || row.kind === kind) && (flow === '' || row.flow === flow) && text.includes(wanted)
  return all.filter(fits)
}

export function viewOf(
  all: Sections,
  query: OverviewQuery,
  sources: Pick<Sources, 'RED' | 'now' | 'pending' | 'ended' | 'mayAct' | 'language'>,
): OverviewView {
  const { now, pending, ended, language } = sources
  const entries = all[query.section]
  const page = pageOf(findEntries(entries, query), query)
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
    ...choicesOf(entries),
    failures: sentencesOf([...pending.failures, ...ended.failures], translateInto(language, 'overview') ?? english),
  }
}

type Choices = Pick<OverviewView, 'kinds' | 'flows'>

/** The choices are cached by the entries from which they were computed, because many people use the same entries. */
const known = new WeakMap<readonly Entry[], Choices>()

function choicesOf(entries: readonly Entry[]): Choices {
  const before = known.get(entries)
  if (before) return before
  const kinds = new Set<string>()
  const flows = new Set<string>()
  for (const { row } of entries) {
    kinds.add(row.kind ?? '')
    flows.add(row.flow ?? '')
  }
  const sorted = (found: Set<string>) => [...found].filter((one) => one !== '').sort()
  const choices = { kinds: sorted(kinds), flows: sorted(flows) }
  known.set(entries, choices)
  return choices
}

function endedRow(item: EndedItem, texts: PageTexts, language: string): OverviewRow {
  const { wait, what, kind, id, title, since, when, outcome, node } = item
  const section = endingOf(outcome)
  const reached = section === 'done' ? texts[`reached.${what}`] : undefined
  const reason = section === 'failed' ? reasonOf(item, language) : undefined
  const text = reached ?? texts[`outcomes.${outcome}`] ?? outcome
  return {
    id: wait,
    title: title === '' ? id : title,
    kind,
    since: Date.parse(since),
    ended: Date.parse(when),
    flow: node.flow,
    actions: [],
    text: reason === undefined ? text : `${text}: ${reason}`,
    people: endedPeople(item),
  }
}

function errorRow(group: ErrorGroup, language: string, texts: PageTexts): OverviewRow {
  const { entry } = group
  const title = sentenceOf(entry, translateInto(language, entry.node.type.replace(/^eid-/, '')))
  const names = namesOf(group, title)
  return {
    id: entry.id,
    title,
    people: [],
    ended: entry.at,
    actions: [],
    ...(names.length > 0 && { text: `${texts.about ?? ''} ${names.join('; ')}` }),
  }
}

function listRow({ expectedEnd, paused, ...list }: BatchProgress, texts: PageTexts, language: string): OverviewRow {
  return {
    ...listed(list, texts, language),
    ...(expectedEnd !== undefined && { until: expectedEnd }),
    progress: { ...countsOf(list), paused },
  }
}

function endedListRow({ ended, ...list }: EndedBatch, texts: PageTexts, language: string): OverviewRow {
  return { ...listed(list, texts, language), ended, progress: { ...countsOf(list), paused: false } }
}

function listed(
  { id, node, started, failures = [] }: Pick<BatchProgress, 'id' | 'node' | 'started' | 'failures'>,
  { changedList = '', rowNumbers = '' }: PageTexts,
  language: string,
): OverviewRow {
  const list = unchangedListOf(id)
  const name = list === undefined ? id : fill(changedList, { list })
  const title = node.name === '' ? name : `${node.name} (${name})`
  const failed = failures.map((one) => {
    return `${[one.row, one.key, one.title].filter(Boolean).join(' ')}: ${rowSentence(one, language)}`
  })
  const text = failed.length > 0 ? { text: `${rowNumbers} ${failed.join('; ')}` } : {}
  return { id: `${node.id}/${id}`, title, people: [], since: started, flow: node.flow, actions: [], ...text }
}

const countsOf = ({ done, failed, changed, total }: Pick<BatchProgress, 'done' | 'failed' | 'changed' | 'total'>) => ({
  done,
  failed,
  changed,
  total,
})
