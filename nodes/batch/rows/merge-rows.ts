/**
 * Merges a new list with the rows of the list that it replaces: the outcome of rows that were sent stays, everything
 * else follows the new list.
 */
import type { Translate } from '../../../lib/api/errors/texts'
import { createFreeNames } from '../../../lib/common/free-name'
import { isPlainObject, type PlainObject } from '../../../lib/common/plain-object'
import { fingerprintOf, type List, type ListedRow } from './read-list'
import { happened, madeOwn, mayHaveMade, newRow, type Result, type Row } from './row'

/** Finds out from the flow which nodes use the sandbox. */
export interface SandboxUse {
  /** Whether this node is running and uses the sandbox now. */
  asksSandbox(nodeId: string): boolean
  /** Whether wires lead the rows to a node that uses the live service. */
  leadsToLive(): boolean
}

/**
 * Takes the key of a changed row and the fingerprint of the row's new content. Returns the row that was sent for this
 * content as a new contract.
 */
export type SentAgain = (key: string, fingerprint: string) => Row | undefined

/** The list that is replaced. */
export interface Previous extends Columned {
  /** The setting that produced the keys of the rows. */
  readonly keyedBy?: string
  readonly rows: readonly Row[]
  /** Finds the rows of this list that were sent as new contracts. */
  readonly sentAgain: SentAgain
}

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

/** Merges a list with the list that it replaces. */
export function mergeRows(list: List, before: Previous, translate: Translate, sandbox: SandboxUse): Merged {
  const { sentAgain } = before
  const rehearsed = rehearsedRows(before.rows, sandbox)
  const isRekeyed = isOther(before.keyedBy, list.keyedBy)
  const { all, left } = matchRows(list, before.rows, { isRekeyed, rehearsed })
  const hasStayed = createComparison(columnSets(before), list.columns)
  const keyFor = createFreeNames(before.rows.map(({ key }) => key))
  const aliases = new Map<Row, string | undefined>()
  const common = { translate, rehearsed, hasStayed, sentAgain, isNumbered: list.isNumbered === true }
  const rows = all.map((match) => {
    const { key } = match.listed
    const own = match.old?.key ?? keyFor(key)
    const alias = list.isNumbered === true || own === key ? undefined : key
    return called(rowFor(match, own, common), alias, aliases)
  })
  const listed: (ListedRow | undefined)[] = [...list.rows]
  const isOutdated = (row: Row, at: number) =>
    row.phase === 'in flight' && listed[at] !== undefined && !hasStayed(row.fingerprint, listed[at])
  const outdated = new Set(rows.filter(isOutdated))
  // A row that was sent stays in the batch, even if it is no longer in the list.
  for (const row of left) {
    const kept = happened(row) ? row : withheld(row, whyLeft(row, translate))
    const name = isRekeyed ? '' : row.alias
    // The list contains no other content for this row, so the row does not count as changed.
    rows.push(called(kept.phase === 'done' ? { ...kept, changed: false } : kept, name, aliases))
    listed.push(undefined)
  }
  return { rows, listed, outdated, aliases, rehearsed: rehearsed.size }
}

const isOther = (before: string | undefined, now: string | undefined) =>
  before !== undefined && now !== undefined && before !== now

/**
 * Gives a row its key by the current setting. If the row is in flight, the old list and the new list share the object,
 * so the new key is only noted in `aliases`.
 */
function called(row: Row, alias: string | undefined, aliases: Map<Row, string | undefined>): Row {
  if (row.phase !== 'in flight') return row.key === '' ? row : { ...row, alias }
  aliases.set(row, alias)
  return row
}

/**
 * Returns the rows that are sent again because they were only rehearsed: all calls for them used the sandbox, but now a
 * node that made the calls no longer uses it, or the rows reach a node that uses the live service. A row that is sent
 * again without need only repeats calls to the sandbox. Rows for which the live service was called are never returned.
 */
function rehearsedRows(before: readonly Row[], now: SandboxUse): ReadonlySet<Row> {
  const ended = before.filter(({ phase, sandboxVia }) => phase !== 'in flight' && sandboxVia !== undefined)
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

/**
 * Returns the row for an entry of the new list. A row that is in flight or done, or that must be looked at first, is
 * not sent again. A failed row is sent again with the new content, unless an attempt with other content may have had an
 * effect.
 */
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
 * Returns the new state of a row that is done but now has other content. `again` is the row that was sent with the new
 * content, if any. A result from the sandbox does not replace a result from the live service.
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

/** Returns what the report says about a row that is no longer in the list. */
function whyLeft(row: Row, translate: Translate): Pick<Result, 'code' | 'problem'> {
  return madeOwn(row) ?? { code: 'EID_FAILED', problem: translate('rows.lostBefore') }
}

/** Marks a row so that it is never sent again. Its result still names what was created for it, if that is known. */
function withheld(row: Row, why: Pick<Result, 'code' | 'problem'>): Row {
  return { ...row, phase: 'look first', result: { ...madeOwn(row), outcome: 'unknown', ...why } }
}

interface Match {
  readonly listed: ListedRow
  /** The matching row of the previous list. */
  readonly old: Row | undefined
  /** Whether this row may have been sent before with other content. */
  readonly isDoubtful: boolean
}

interface Matches {
  /** One match for each row, in the order of the list. */
  readonly all: readonly Match[]
  /** Rows that were sent, or may have been, and are no longer in the list. */
  readonly left: readonly Row[]
}

/**
 * Matches each row of a list with a row of the previous list: by its key or, without a key, by its content and only
 * then by its position. If the position came first, inserting or removing rows would give the wrong people a second
 * contract.
 * `isRekeyed` means that another setting produced the previous keys. `rehearsed` are rows for which nothing real was
 * done.
 */
function matchRows(
  list: List,
  before: readonly Row[],
  { isRekeyed, rehearsed }: { readonly isRekeyed: boolean; readonly rehearsed: ReadonlySet<Row> },
): Matches {
  const isUnnamed = ({ alias }: Row) => list.isNumbered === true || isRekeyed || alias === ''
  const known = before.filter(({ key }) => key !== '')
  const named = new Map(known.filter((row) => !isUnnamed(row)).map((row) => [row.alias ?? row.key, row] as const))
  const alike = new Map<string, Row[]>()
  // Rows are taken from the end, which is fast even if a list has thousands of identical rows.
  for (const row of known.filter(isUnnamed).reverse()) {
    const others = alike.get(row.fingerprint)
    if (others) others.push(row)
    else alike.set(row.fingerprint, [row])
  }
  const free = new Set(known)
  const take = (row: Row | undefined) => (row && free.delete(row) ? row : undefined)
  const exact = list.rows.map(({ key, fingerprint, refused }) =>
    refused ? undefined : (take(named.get(key)) ?? take(alike.get(fingerprint)?.pop())),
  )
  // A row without a match has usually been corrected in its place. It is matched with the previous row at the same
  // position if that row has no match yet.
  const old = list.rows.map(({ refused }, at) => {
    if (exact[at] || refused || !list.isNumbered || isRekeyed) return exact[at]
    const there = before[at]
    return there?.key === '' ? undefined : take(there)
  })
  const left = [...free].filter((row) => !rehearsed.has(row) && (happened(row) || mayHaveMade(row)))
  const isMissing = left.some(isUnnamed)
  const all = list.rows.map((listed, at) => ({
    listed,
    old: old[at],
    isDoubtful: isMissing && !old[at] && !listed.refused,
  }))
  return { all, left }
}

/** Whether a row still has the content with this fingerprint. */
type HasStayed = (fingerprint: string, row: ListedRow) => boolean

type Columns = readonly string[]

/** The stored columns of a list and of the lists it replaced. */
interface Columned {
  readonly columns?: Columns
  readonly earlierColumns?: readonly Columns[]
}

/**
 * Returns the columns of a list and of the lists it replaced. A row that was done in an earlier list is compared using
 * the columns of that list.
 */
export function columnSets({ columns, earlierColumns = [] }: Columned): Columns[] {
  return columns ? [columns, ...earlierColumns] : [...earlierColumns]
}

/**
 * Removes sets of columns that occur twice, and keeps at most ten sets: a list hardly ever changes its columns more
 * often.
 */
export function keptColumns(sets: readonly Columns[], now: List['columns']): Columns[] {
  const textOf = (columns: Columns | undefined) => JSON.stringify(columns)
  const unique = new Map(sets.map((columns) => [textOf(columns), columns]))
  unique.delete(textOf(now))
  return [...unique.values()].slice(0, 10)
}

/**
 * Returns a function that checks whether a row still has the content of an earlier row. `sets` are the sets of columns
 * that earlier rows may have had. A column added since then makes no difference, nor does a column that was renamed but
 * kept its place.
 */
function createComparison(sets: readonly Columns[], now: List['columns']): HasStayed {
  const readers = now ? keptColumns(sets, now).map((columns) => readerOf(columns, now)) : []
  return (fingerprint, { fingerprint: current, content }) => {
    if (current === fingerprint) return true
    return isPlainObject(content) && readers.some((read) => fingerprintOf(read(content)) === fingerprint)
  }
}

/** Returns a function that converts a current row to the form it would have had with the earlier columns. */
function readerOf(then: Columns, now: Columns): (content: PlainObject) => PlainObject {
  const [earlier, present] = [new Set(then), new Set(now)]
  const names = then.map((name, at) => {
    const there = now[at]
    return [name, present.has(name) || there === undefined || earlier.has(there) ? name : there] as const
  })
  return (content) => Object.fromEntries(names.map(([name, today]) => [name, content[today]]))
}
