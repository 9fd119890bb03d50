/**
 * Replaces a list with a new one, and stores the result: the outcome of rows that were sent stays, everything else
 * follows the new list.
 */
import type { Translate } from '../../../lib/api/errors/texts'
import { createBatch, openBatch, type Batch, type Origin, type QueueOptions } from './batch-state'
import type { List, ListedRow, ReadList } from '../rows/read-list'
import {
  columnSets,
  createComparison,
  createKeys,
  keptColumns,
  matchRows,
  type HasStayed,
  type Match,
} from '../rows/merge-rows'
import { changedKeyOf, changedListOf, happened, madeOwn, mayHaveMade, newRow, type Result, type Row } from '../rows/row'
import { Rows } from '../rows/rows'
import { randomUUID } from 'node:crypto'
import { serializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Store } from '../../../lib/store/store'
import { findHead, saveList, type Head } from './storage'

interface Merged {
  readonly rows: Row[]
  /** The content of each row, in the same order; undefined if it need not be stored. */
  readonly listed: (ListedRow | undefined)[]
  /** The rows in flight whose content differs from the new list. */
  readonly outdated: ReadonlySet<Row>
  /** The keys that the current setting gives to the rows in flight. */
  readonly aliases: ReadonlyMap<Row, string | undefined>
  /** How many rows ended in the sandbox and are sent again, because a node on their way no longer uses the sandbox. */
  readonly rehearsed: number
}

type Situation = Pick<QueueOptions, 'translate' | 'asksSandbox' | 'leadsToLive'>

interface MergeContext extends Situation {
  /** The rows of the list that were sent as new contracts. */
  readonly sentAgain: SentAgain
}

/** Merges a list with the batch that it replaces. Rejects as the store does. */
async function mergeList(before: Batch | undefined, list: List, context: MergeContext): Promise<Merged> {
  const rehearsed = rehearsedRows(before?.rows, context)
  const isRekeyed = isOther(before?.head.keyedBy, list.keyedBy)
  const { all, left } = matchRows(list, before?.rows.all ?? [], { isRekeyed, rehearsed })
  const { translate, sentAgain } = context
  const hasStayed = createComparison(before ? columnSets(before.head) : [], list.columns)
  const keyFor = createKeys((before?.rows.all ?? []).map(({ key }) => key))
  const aliases = new Map<Row, string | undefined>()
  const common = { translate, rehearsed, hasStayed, sentAgain, isNumbered: list.isNumbered === true }
  const rows = all.map((match) => {
    const { key } = match.listed
    const own = match.old?.key ?? keyFor(key)
    const alias = list.isNumbered === true || own === key ? undefined : key
    return called(rowFor(match, own, common), alias, aliases)
  })
  const listed: (ListedRow | undefined)[] = [...list.rows]
  // A row that was sent stays in the batch, even if it is no longer in the list.
  for (const row of left) {
    const kept = happened(row) ? row : withheld(row, whyLeft(row, translate))
    const name = isRekeyed ? '' : row.alias
    // The list contains no other content for this row, so the row does not count as changed.
    rows.push(called(kept.phase === 'done' ? { ...kept, changed: false } : kept, name, aliases))
    listed.push(undefined)
  }
  const outdated = new Set<Row>()
  for (const [index, row] of rows.entries()) {
    const at = row.phase === 'in flight' ? (before?.rows.indexOf(row) ?? -1) : -1
    if (at < 0) continue
    if (listed[index] && !hasStayed(row.fingerprint, listed[index])) outdated.add(row)
    const said = await before?.journal.content(at)
    // While in flight, the row keeps the content with which it was sent.
    if (said) listed[index] = { key: row.key, fingerprint: row.fingerprint, content: said.content }
  }
  return { rows, listed, outdated, aliases, rehearsed: rehearsed.size }
}

const isOther = (before: string | undefined, now: string | undefined) =>
  before !== undefined && now !== undefined && before !== now

/**
 * Gives a row its key by the current setting. A row in flight is the same object in both lists, so its new key is only
 * noted in `aliases`.
 */
function called(row: Row, alias: string | undefined, aliases: Map<Row, string | undefined>): Row {
  if (row.phase !== 'in flight') return row.key === '' ? row : { ...row, alias }
  aliases.set(row, alias)
  return row
}

/**
 * Returns the rows that count as not done because their work was done in the sandbox. If all nodes on a row's way still
 * use the sandbox, the row counts as done. Sending a row again without need only repeats work in the sandbox. Work done
 * at the live service always counts.
 */
function rehearsedRows(before: Rows | undefined, now: Omit<Situation, 'translate'>): ReadonlySet<Row> {
  const ended = (before?.all ?? []).filter(({ phase, sandboxVia }) => phase !== 'in flight' && sandboxVia !== undefined)
  if (ended.length === 0 || now.leadsToLive()) return new Set(ended)
  // Checked once per node, because a list may have a hundred thousand rows.
  const via = new Set(ended.flatMap(({ sandboxVia = [] }) => sandboxVia))
  const changed = new Set([...via].filter((nodeId) => !now.asksSandbox(nodeId)))
  return new Set(ended.filter(({ sandboxVia = [] }) => sandboxVia.some((nodeId) => changed.has(nodeId))))
}

interface RowContext {
  readonly translate: Translate
  readonly hasStayed: HasStayed
  readonly sentAgain: SentAgain
  readonly rehearsed: ReadonlySet<Row>
  readonly isNumbered: boolean
}

/** A row in flight or ended stays as it is; a failed one is tried again with the new content. */
function rowFor(
  { listed, old: match, isDoubtful }: Match,
  own: string,
  { translate, rehearsed, isNumbered, hasStayed, sentAgain }: RowContext,
): Row {
  const { key, fingerprint, refused } = listed
  if (refused) return refusedRow(fingerprint, translate(`rows.${refused.reason}`, { row: refused.other, key }))
  if (isDoubtful) return refusedRow(fingerprint, translate(isNumbered ? 'rows.noKeyBefore' : 'rows.otherKeyBefore'))
  const old = match && rehearsed.has(match) ? undefined : match
  const isOld = old !== undefined && hasStayed(old.fingerprint, listed)
  if (old?.phase === 'done' && isOld) return { ...old, changed: false }
  if (old?.phase === 'done') return replaced(old, sentAgain(old.key, fingerprint))
  if (old?.phase === 'look first' || old?.phase === 'in flight') return old
  const made = old && madeOwn(old)
  if (old && !isOld && mayHaveMade(old)) {
    const id = made?.documentId
    const problem = id === undefined ? translate('rows.otherBefore') : translate('rows.madeBefore', { id })
    return withheld(old, { code: 'EID_REFUSED', problem })
  }
  return { ...newRow(own, fingerprint), sent: old?.sent ?? 0, lost: old?.lost ?? 0, result: made, calls: old?.calls }
}

/**
 * Handles a row that is done and has changed. `again` is the row that was sent with the new content, if any. Work done
 * in the sandbox does not replace work done at the live service.
 */
function replaced(old: Row, again: Row | undefined): Row {
  if (!again || (!old.sandboxVia && again.sandboxVia)) return { ...old, changed: true }
  const { fingerprint, result, sandboxVia } = again
  return { ...old, fingerprint, result, sandboxVia, changed: false }
}

function refusedRow(fingerprint: string, problem: string): Row {
  const result = { code: 'EID_INVALID_INPUT', outcome: 'not-done', problem } as const
  return { ...newRow('', fingerprint), phase: 'failed', result }
}

/** The report about a row that is no longer in the list. */
function whyLeft(row: Row, translate: Translate): Pick<Result, 'code' | 'problem'> {
  return madeOwn(row) ?? { code: 'EID_FAILED', problem: translate('rows.lostBefore') }
}

/** Marks a row as one that is never sent again; its result still names what exists. */
function withheld(row: Row, why: Pick<Result, 'code' | 'problem'>): Row {
  return { ...row, phase: 'look first', result: { ...madeOwn(row), outcome: 'unknown', ...why } }
}

interface NewList extends ReadList {
  readonly origin: Origin | undefined
  /** The batch that the new list replaces. */
  readonly before: Batch | undefined
  /** The id of the command with which another instance sent the list. */
  readonly command: string | undefined
}

type Target = Situation & Pick<QueueOptions, 'store' | 'clock' | 'rehearsed'>

/**
 * Finds the row that was sent as a new contract, by the key of the changed row and the fingerprint of its new content.
 */
type SentAgain = (key: string, fingerprint: string) => Row | undefined

/** Finds the changed rows of this list that were sent as new contracts and are done. Rejects as the store does. */
async function sentAgain(store: Store, list: string, translate: Translate): Promise<SentAgain> {
  const head = await findHead(store, changedListOf(list))
  if (!head) return () => undefined
  const { rows } = await openBatch(store, head, translate)
  return (key, fingerprint) => {
    const row = rows.find(changedKeyOf(key, fingerprint))
    return row?.phase === 'done' && row.fingerprint === fingerprint ? row : undefined
  }
}

/** How many commands are remembered; a command is read for the last time soon after its list was taken. */
const keptCommands = 20

/** Replaces a batch with a new list and stores it. If this rejects, nothing of the new list remains. */
export async function takeOver(
  { store, clock, translate, rehearsed: report, ...now }: Target,
  { id, list, msg, origin, before, command }: NewList,
): Promise<Batch> {
  const { rows, listed, outdated, aliases, rehearsed } = await mergeList(before, list, {
    ...{ translate, ...now },
    sentAgain: before ? await sentAgain(store, id, translate) : () => undefined,
  })
  const running = before?.head.stage === 'running' ? before.head : undefined
  const head: Head = {
    id,
    stage: 'running',
    generation: (before?.head.generation ?? 0) + 1,
    total: rows.length,
    paused: running?.paused ?? false,
    started: running?.started ?? clock.epochNow(),
    run: before?.head.run ?? randomUUID(),
    msg: serializeMessage(msg),
    ...(list.text && { text: list.text }),
    ...(list.columns && { columns: list.columns }),
    ...(list.fileRows && { fileRows: list.fileRows }),
    ...(before && { earlierColumns: keptColumns(columnSets(before.head), list.columns) }),
    ...(list.keyedBy !== undefined && { keyedBy: list.keyedBy }),
    commands: [...(before?.head.commands ?? []), ...(command === undefined ? [] : [command])].slice(-keptCommands),
  }
  const inFlight = rows.filter(({ phase }) => phase === 'in flight')
  const flags = inFlight.map(({ changed, alias }) => ({ changed, alias }))
  // A row in flight is the same object in both lists, so its flags are set here and restored if the store fails.
  for (const row of inFlight) Object.assign(row, { changed: outdated.has(row), alias: aliases.get(row) })
  try {
    await saveList(store, head, rows, listed)
  } catch (error) {
    for (const [at, row] of inFlight.entries()) Object.assign(row, flags[at])
    throw error
  }
  if (rehearsed > 0) report(id, rehearsed)
  return createBatch(store, head, new Rows(rows), [...(before?.origins ?? []), ...(origin ? [origin] : [])])
}
