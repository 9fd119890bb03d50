/**
 * Merges a new list with the rows of the list that it replaces: the outcome of rows that were sent stays, everything
 * else follows the new list.
 */
import type { Translate } from '../../../lib/api/errors/texts'
import { createFreeNames } from '../../../lib/common/free-name'
import type { List, ListedRow } from './read-list'
import { happened, keepMs, madeOwn, mayHaveMade, newRow, type Result, type Row } from './row'

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
export interface Previous {
  readonly rows: readonly Row[]
  /** Whether the list was reported. Its rows that are no longer in the list are then only remembered. */
  readonly isReported: boolean
  /** Whether the new list only adds rows as long as this one is not reported. */
  readonly isAddedTo: boolean
  /** The current time, in milliseconds since 1970. */
  readonly now: number
  /** Finds the rows of this list that were sent as new contracts. */
  readonly sentAgain: SentAgain
}

interface Merged {
  readonly rows: Row[]
  /** The content of each row, in the same order; undefined if it need not be stored. */
  readonly listed: (ListedRow | undefined)[]
  /** The rows in flight whose content differs from the new list. */
  readonly outdated: ReadonlySet<Row>
  /** How many rows ended in the sandbox and are sent again, because a node on their way no longer uses the sandbox. */
  readonly rehearsed: number
}

/** Merges a list with the list that it replaces. */
export function mergeRows(list: List, before: Previous, translate: Translate, sandbox: SandboxUse): Merged {
  const { sentAgain } = before
  const rehearsed = rehearsedRows(before.rows, sandbox)
  const { all, left } = matchRows(list, before, rehearsed)
  const keyFor = createFreeNames(before.rows.map(({ key }) => key))
  const rows = all.map(({ listed, old }) => {
    const own = old?.key ?? (list.isNumbered ? keyFor(listed.key) : listed.key)
    return rowFor({ listed, old }, own, { translate, rehearsed, sentAgain })
  })
  const listed: (ListedRow | undefined)[] = [...list.rows]
  const outdated = new Set(rows.filter((row, at) => row.phase === 'in flight' && !hasStayed(row, listed[at])))
  // A row that was sent stays in the batch, even if it is no longer in the list.
  for (const row of left) {
    rows.push(leftRow(row, before, translate))
    listed.push(undefined)
  }
  return { rows, listed, outdated, rehearsed: rehearsed.size }
}

/** Returns the row for a row of the earlier list that is no longer in the list. */
function leftRow(row: Row, { isReported, isAddedTo, now }: Previous, translate: Translate): Row {
  if (isAddedTo && !isReported) return row
  if (!happened(row)) return withheld(row, whyLeft(row, translate))
  // A row in flight stays the same object.
  if (row.phase === 'in flight') return row
  // The list contains no other content for this row, so the row does not count as changed.
  return { ...row, changed: false, ...(isReported && { past: row.past ?? now }) }
}

/** Whether the list still has the content with which the row was sent. */
function hasStayed({ fingerprint }: Row, listed: ListedRow | undefined): boolean {
  return listed?.fingerprint === fingerprint
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
  readonly sentAgain: SentAgain
  readonly rehearsed: ReadonlySet<Row>
}

/**
 * Returns the row for an entry of the new list. A row that is in flight or done, or that must be looked at first, is
 * not sent again. A failed row is sent again with the new content, unless an attempt with other content may have had an
 * effect.
 */
function rowFor({ listed, old: match }: Match, own: string, { translate, rehearsed, sentAgain }: RowContext): Row {
  const { fingerprint, hasNoKey } = listed
  if (hasNoKey) return refusedRow(fingerprint, translate('rows.noKey'))
  const old = match && rehearsed.has(match) ? undefined : match
  const isOld = old !== undefined && hasStayed(old, listed)
  if (old?.phase === 'in flight') return old
  if (old?.phase === 'look first') return { ...old, past: undefined }
  if (old?.phase === 'done' && isOld) return { ...old, past: undefined, changed: false }
  if (old?.phase === 'done') return { ...replaced(old, sentAgain(old.key, fingerprint)), past: undefined }
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
}

interface Matches {
  /** One match for each row, in the order of the list. */
  readonly all: readonly Match[]
  /** Rows that were sent, or may have been, and are no longer in the list. */
  readonly left: readonly Row[]
}

/**
 * Matches each row of a list with the row of the previous list that has the same key or, in a list without keys, the
 * same content. `rehearsed` are rows for which nothing real was done.
 */
function matchRows(list: List, before: Previous, rehearsed: ReadonlySet<Row>): Matches {
  const { isReported, isAddedTo, now } = before
  const nameOf = ({ key, fingerprint }: Pick<Row, 'key' | 'fingerprint'>) => (list.isNumbered ? fingerprint : key)
  const known = before.rows.filter(({ key, past = now }) => key !== '' && past > now - keepMs)
  const alike = new Map<string, Row[]>()
  // Rows are taken from the end, which is fast even if a list has thousands of identical rows.
  for (const row of [...known].reverse()) {
    const others = alike.get(nameOf(row))
    if (others) others.push(row)
    else alike.set(nameOf(row), [row])
  }
  const all = list.rows.map((listed) => ({
    listed,
    old: listed.hasNoKey ? undefined : alike.get(nameOf(listed))?.pop(),
  }))
  const matched = new Set(all.map(({ old }) => old))
  const stays = (row: Row) => happened(row) || mayHaveMade(row) || (isAddedTo && !isReported)
  const left = known.filter((row) => !matched.has(row) && !rehearsed.has(row) && stays(row))
  return { all, left }
}
