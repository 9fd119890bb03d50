/** Puts a new list into the place of the one before: what has happened stays, everything else is as the list says. */
import type { Translate } from '../../../lib/api/errors/texts'
import type { Batch } from './batch-state'
import type { List, ListedRow } from '../rows/parse-list'
import { createKeys, matchRows, type Match } from '../rows/match-rows'
import { happened, madeOwn, mayHaveMade, newRow, type Result, type Row } from '../rows/row'
import type { Rows } from '../rows/rows'

export interface Merged {
  readonly rows: Row[]
  /** What each says, in the same order; undefined for what need not be kept. */
  readonly listed: (ListedRow | undefined)[]
  /** Those of the rows that are in flight with something else than the list now says. */
  readonly outdated: ReadonlySet<Row>
  /** What those of the rows that are in flight are called by the setting of now. */
  readonly aliases: ReadonlyMap<Row, string | undefined>
  /** How many rows ended in the sandbox, and are sent again because a node on their way no longer asks it. */
  readonly rehearsed: number
}

export interface MergeContext {
  readonly translate: Translate
  /** Whether this node runs, and asks the sandbox now. */
  asksSandbox(nodeId: string): boolean
  /** Whether wires lead the rows of this list to a node that asks the live service. */
  leadsToLive(): boolean
}

/** Rejects as the store does. */
export async function mergeList(before: Batch | undefined, list: List, context: MergeContext): Promise<Merged> {
  const rehearsed = rehearsedRows(before?.rows, context)
  const isRekeyed = isOther(before?.head.keyedBy, list.keyedBy)
  const { all, left } = matchRows(list, before?.rows.all ?? [], { isRekeyed, rehearsed })
  const { translate } = context
  const keyFor = createKeys((before?.rows.all ?? []).map(({ key }) => key))
  const aliases = new Map<Row, string | undefined>()
  const rows = all.map((match) => {
    const { key } = match.listed
    const own = match.old?.key ?? keyFor(key)
    const alias = list.isNumbered === true || own === key ? undefined : key
    return called(rowFor(match, own, { translate, rehearsed, isNumbered: list.isNumbered === true }), alias, aliases)
  })
  const listed: (ListedRow | undefined)[] = [...list.rows]
  // A row that was sent has happened, although it is no longer in the list.
  for (const row of left) {
    const kept = happened(row) ? row : withheld(row, whyLeft(row, translate))
    const name = isRekeyed ? '' : row.alias
    // It holds nothing else any more.
    rows.push(called(kept.phase === 'done' ? { ...kept, changed: false } : kept, name, aliases))
    listed.push(undefined)
  }
  const outdated = new Set<Row>()
  for (const [index, row] of rows.entries()) {
    const at = row.phase === 'in flight' ? (before?.rows.indexOf(row) ?? -1) : -1
    if (at < 0) continue
    if (listed[index] && listed[index].fingerprint !== row.fingerprint) outdated.add(row)
    const said = await before?.journal.content(at)
    // While it is in flight it says what it said when it was sent.
    if (said) listed[index] = { key: row.key, fingerprint: row.fingerprint, content: said.content }
  }
  return { rows, listed, outdated, aliases, rehearsed: rehearsed.size }
}

const isOther = (before: string | undefined, now: string | undefined) =>
  before !== undefined && now !== undefined && before !== now

/** A row that is in flight is the same object in both lists: what it is called is only noted. */
function called(row: Row, alias: string | undefined, aliases: Map<Row, string | undefined>): Row {
  if (row.phase !== 'in flight') return row.key === '' ? row : { ...row, alias }
  aliases.set(row, alias)
  return row
}

/**
 * Nothing that the sandbox did was done, unless everything on the way of the rows asks the sandbox still: what is sent
 * again without need is at most done in the sandbox once more. The other way round it was: what is live stays done in
 * the sandbox.
 */
function rehearsedRows(before: Rows | undefined, now: Omit<MergeContext, 'translate'>): ReadonlySet<Row> {
  const ended = (before?.all ?? []).filter(({ phase, sandboxVia }) => phase !== 'in flight' && sandboxVia !== undefined)
  if (ended.length === 0 || now.leadsToLive()) return new Set(ended)
  // Asked once for each node: a list may have a hundred thousand rows.
  const via = new Set(ended.flatMap(({ sandboxVia = [] }) => sandboxVia))
  const changed = new Set([...via].filter((nodeId) => !now.asksSandbox(nodeId)))
  return new Set(ended.filter(({ sandboxVia = [] }) => sandboxVia.some((nodeId) => changed.has(nodeId))))
}

interface RowContext {
  readonly translate: Translate
  readonly rehearsed: ReadonlySet<Row>
  readonly isNumbered: boolean
}

/** What is in flight or has ended stays what it is; what failed is tried again, with what the list now says. */
function rowFor(
  { listed: { key, fingerprint, refused }, old: match, isDoubtful }: Match,
  own: string,
  { translate, rehearsed, isNumbered }: RowContext,
): Row {
  if (refused) return refusedRow(fingerprint, translate(`rows.${refused.reason}`, { row: refused.other, key }))
  if (isDoubtful) return refusedRow(fingerprint, translate(isNumbered ? 'rows.noKeyBefore' : 'rows.otherKeyBefore'))
  const old = match && rehearsed.has(match) ? undefined : match
  if (old?.phase === 'done') return { ...old, changed: old.fingerprint !== fingerprint }
  if (old?.phase === 'look first' || old?.phase === 'in flight') return old
  const made = old && madeOwn(old)
  if (old && old.fingerprint !== fingerprint && mayHaveMade(old)) {
    const id = made?.documentId
    const problem = id === undefined ? translate('rows.otherBefore') : translate('rows.madeBefore', { id })
    return withheld(old, { code: 'EID_REFUSED', problem })
  }
  return { ...newRow(own, fingerprint), sent: old?.sent ?? 0, lost: old?.lost ?? 0, result: made, calls: old?.calls }
}

function refusedRow(fingerprint: string, problem: string): Row {
  const result = { code: 'EID_INVALID_INPUT', outcome: 'not-done', problem } as const
  return { ...newRow('', fingerprint), phase: 'failed', result }
}

/** The report about a row that is no longer in the list. */
function whyLeft(row: Row, translate: Translate): Pick<Result, 'code' | 'problem'> {
  return madeOwn(row) ?? { code: 'EID_FAILED', problem: translate('rows.lostBefore') }
}

/** A row that is never sent again; what exists stays named. */
function withheld(row: Row, why: Pick<Result, 'code' | 'problem'>): Row {
  return { ...row, phase: 'look first', result: { ...madeOwn(row), outcome: 'unknown', ...why } }
}
