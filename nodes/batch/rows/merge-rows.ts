/**
 * Merges a new list with the rows of the list that it replaces: the outcome of rows that were sent stays, everything
 * else follows the new list.
 */
import type { Translate } from '../../../lib/api/errors/texts'
import { createFreeNames } from '../../../lib/common/free-name'
import type { List, ListedRow } from './read-list'
import { happened, hasEnded, isReal, keepMs, madeOwn, mayHaveMade, newRow, type Result, type Row } from './row'

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
  /** The services, except the sandbox, that the flow leads to now. */
  readonly liveServices: readonly string[]
  /** Finds the rows of this list that were sent as new contracts. */
  readonly sentAgain: SentAgain
}

interface Merged {
  readonly rows: Row[]
  /** The content of each row, in the same order; undefined if it need not be stored. */
  readonly listed: (ListedRow | undefined)[]
  /** The rows in flight whose content differs from the new list. */
  readonly outdated: ReadonlySet<Row>
  /** How many rows have ended at another service, and are sent again. */
  readonly fromElsewhere: number
}

/** Merges a list with the list that it replaces. */
export function mergeRows(list: List, before: Previous, translate: Translate): Merged {
  const { sentAgain } = before
  const elsewhere = new Set(before.rows.filter((row) => ranElsewhere(row, before)))
  const { all, left } = matchRows(list, before, elsewhere)
  const keyFor = createFreeNames(before.rows.map(({ key }) => key))
  const rows = all.map(({ listed, old }) => {
    const own = old?.key ?? (list.isNumbered ? keyFor(listed.key) : listed.key)
    return rowFor({ listed, old }, own, { translate, elsewhere, sentAgain })
  })
  const listed: (ListedRow | undefined)[] = [...list.rows]
  const outdated = new Set(rows.filter((row, at) => row.phase === 'in flight' && !hasStayed(row, listed[at])))
  // A row that was sent stays in the batch, even if it is no longer in the list.
  for (const row of left) {
    rows.push(elsewhere.has(row) ? remembered(row, before) : leftRow(row, before, translate))
    listed.push(undefined)
  }
  const fromElsewhere = all.filter(({ old }) => old && elsewhere.has(old)).length
  return { rows, listed, outdated, fromElsewhere }
}

/** Returns a row that is no longer in the list, and is only remembered. */
function remembered(row: Row, { now }: Pick<Previous, 'now'>): Row {
  return { ...row, changed: false, past: row.past ?? now }
}

/** Returns the row for a row of the earlier list that is no longer in the list. */
function leftRow(row: Row, before: Previous, translate: Translate): Row {
  const { isReported, isAddedTo } = before
  if (isAddedTo && !isReported) return row
  if (!happened(row)) return withheld(row, whyLeft(row, translate))
  // A row in flight stays the same object.
  if (row.phase === 'in flight') return row
  // The list contains no other content for this row, so the row does not count as changed.
  return isReported ? remembered(row, before) : { ...row, changed: false }
}

/** Whether the list still has the content with which the row was sent. */
function hasStayed({ fingerprint }: Row, listed: ListedRow | undefined): boolean {
  return listed?.fingerprint === fingerprint
}

/**
 * Whether a row has ended, and none of the services that were called for it is one that the flow leads to now: then it
 * is sent again. The sandbox does not count, because nothing in it is real.
 */
function ranElsewhere(row: Row, { liveServices }: Previous): boolean {
  const { services } = row
  return (
    hasEnded(row) &&
    services !== undefined &&
    liveServices.length > 0 &&
    !liveServices.some((one) => services.includes(one))
  )
}

interface RowContext {
  readonly translate: Translate
  readonly sentAgain: SentAgain
  readonly elsewhere: ReadonlySet<Row>
}

/**
 * Returns the row for an entry of the new list. A row that is in flight or done, or that must be looked at first, is
 * not sent again. A failed row is sent again with the new content, unless an attempt with other content may have had an
 * effect.
 */
function rowFor({ listed, old: match }: Match, own: string, { translate, elsewhere, sentAgain }: RowContext): Row {
  const { fingerprint, hasNoKey } = listed
  if (hasNoKey) return refusedRow(fingerprint, translate('rows.noKey'))
  const old = match && elsewhere.has(match) ? undefined : match
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
  return {
    ...newRow(own, fingerprint),
    sent: old?.sent ?? 0,
    lost: old?.lost ?? 0,
    result: made,
    calls: old?.calls,
    services: match?.services,
  }
}

/**
 * Returns the new state of a row that is done but now has other content. `again` is the row that was sent with the new
 * content, if any. A result from the sandbox does not replace a result from the live service.
 */
function replaced(old: Row, again: Row | undefined): Row {
  if (!again || (isReal(old) && !isReal(again))) return { ...old, changed: true }
  const { fingerprint, result, services } = again
  return { ...old, fingerprint, result, services, changed: false }
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
 * same content. `elsewhere` are rows that only ran against another service.
 */
function matchRows(list: List, before: Previous, elsewhere: ReadonlySet<Row>): Matches {
  const { isReported, isAddedTo, now } = before
  const identityOf = ({ key, fingerprint }: Pick<Row, 'key' | 'fingerprint'>) => (list.isNumbered ? fingerprint : key)
  const known = before.rows.filter(({ key, past = now }) => key !== '' && past > now - keepMs)
  const alike = new Map<string, Row[]>()
  // Rows are taken from the end, which is fast even if a list has thousands of identical rows.
  for (const row of [...known].reverse()) {
    const others = alike.get(identityOf(row))
    if (others) others.push(row)
    else alike.set(identityOf(row), [row])
  }
  const all = list.rows.map((listed) => ({
    listed,
    old: listed.hasNoKey ? undefined : alike.get(identityOf(listed))?.pop(),
  }))
  const matched = new Set(all.map(({ old }) => old))
  const stays = (row: Row) => happened(row) || (!elsewhere.has(row) && (mayHaveMade(row) || (isAddedTo && !isReported)))
  const left = known.filter((row) => !matched.has(row) && stays(row))
  return { all, left }
}
