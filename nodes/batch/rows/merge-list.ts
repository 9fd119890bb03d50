/** Puts a new list into the place of the one before: what has happened stays, everything else is as the list says. */
import type { Batch } from '../run/batch-state'
import type { List, ListedRow } from './parse-list'
import { actedFor, madeOwn, newRow, type Result, type Row } from './row'
import type { Rows } from './rows'

/** Reports a row that can't be sent, by the keys of `rows` in the catalogue. */
export type TellRow = (key: string, params?: Record<string, string | number>) => string

export interface Merged {
  readonly rows: Row[]
  /** What each says, in the same order; undefined for what need not be kept. */
  readonly listed: (ListedRow | undefined)[]
  /** Those of the rows that are out with something else than the list now says. */
  readonly outdated: ReadonlySet<Row>
  /** How many rows ended in the sandbox, and are sent again because a node on their way no longer asks it. */
  readonly rehearsed: number
}

export interface MergeContext {
  readonly tell: TellRow
  /** Whether this node runs, and asks the sandbox now. */
  asksSandbox(nodeId: string): boolean
  /** Whether wires lead the rows of this list to a node that asks the live service. */
  leadsToLive(): boolean
}

/** Rejects as the store does. */
export async function mergeList(
  before: Batch | undefined,
  list: List,
  { tell, ...now }: MergeContext,
): Promise<Merged> {
  const rehearsed = rehearsedRows(before?.rows, now)
  const keys = new Set(list.rows.map(({ key }) => key))
  const numbered = numberedRows(before?.rows, rehearsed)
  const taken = new Set<Row>()
  const rows = list.rows.map((row) => {
    const old = known(row, before?.rows, rehearsed)
    const same = old || row.refused ? undefined : numbered.get(row.fingerprint)
    if (!same || taken.has(same)) return rowFor(row, old, tell)
    // Numbers are no names: the row was moved, and would be sent once more.
    if (list.isNumbered || same.phase === 'out') return refusedRow(row, tell('rows.moved'))
    // A column has been chosen as key since.
    taken.add(same)
    return { ...same, key: row.key, changed: false }
  })
  const listed: (ListedRow | undefined)[] = [...list.rows]
  for (const row of before?.rows.all ?? []) {
    // What was sent has happened, although the list no longer has it.
    if (row.key === '' || keys.has(row.key) || rehearsed.has(row) || taken.has(row)) continue
    const left = happened(row) ? row : mayHaveMade(row) ? withheld(row, whyLeft(row, tell)) : undefined
    if (!left) continue
    rows.push(left)
    listed.push(undefined)
  }
  const outdated = new Set<Row>()
  for (const [place, row] of rows.entries()) {
    const old = row.phase === 'out' ? before?.rows.find(row.key) : undefined
    if (old && listed[place] && listed[place].fingerprint !== row.fingerprint) outdated.add(row)
    const said = old && (await before?.journal.content(before.rows.indexOf(old)))
    // While it is out it says what it said when it was sent.
    if (said) listed[place] = { key: row.key, fingerprint: row.fingerprint, content: said.content }
  }
  return { rows, listed, outdated, rehearsed: rehearsed.size }
}

/**
 * Nothing that the sandbox did was done, unless everything on the way of the rows asks the sandbox still: what is sent
 * again without need is at most done in the sandbox once more. The other way round it was: what is live stays done in
 * the sandbox.
 */
function rehearsedRows(before: Rows | undefined, now: Omit<MergeContext, 'tell'>): ReadonlySet<Row> {
  const ended = (before?.all ?? []).filter(({ phase, sandboxVia }) => phase !== 'out' && sandboxVia !== undefined)
  if (ended.length === 0 || now.leadsToLive()) return new Set(ended)
  // Asked once for each node: a list may have a hundred thousand rows.
  const via = new Set(ended.flatMap(({ sandboxVia = [] }) => sandboxVia))
  const changed = new Set([...via].filter((nodeId) => !now.asksSandbox(nodeId)))
  return new Set(ended.filter(({ sandboxVia = [] }) => sandboxVia.some((nodeId) => changed.has(nodeId))))
}

function known({ key }: ListedRow, before: Rows | undefined, rehearsed: ReadonlySet<Row>): Row | undefined {
  const row = before?.find(key)
  return row && rehearsed.has(row) ? undefined : row
}

/** What is out or has ended stays what it is; what failed is tried again, with what the list now says. */
function rowFor({ key, fingerprint: print, refused }: ListedRow, old: Row | undefined, tell: TellRow): Row {
  if (refused) return refusedRow({ fingerprint: print }, tell(`rows.${refused.reason}`, { row: refused.other, key }))
  if (old?.phase === 'done') return { ...old, changed: old.fingerprint !== print }
  if (old?.phase === 'look first' || old?.phase === 'out') return old
  const made = old && madeOwn(old)
  if (old && old.fingerprint !== print && mayHaveMade(old)) {
    const id = made?.documentId
    const problem = id === undefined ? tell('rows.otherBefore') : tell('rows.madeBefore', { id })
    return withheld(old, { code: 'EID_REFUSED', problem })
  }
  return { ...newRow(key, print), sent: old?.sent ?? 0, lost: old?.lost ?? 0, result: made, calls: old?.calls }
}

/** The rows that have happened and are known by their number in the list only, by what they say. */
function numberedRows(before: Rows | undefined, rehearsed: ReadonlySet<Row>): Map<string, Row> {
  const all = (before?.all ?? []).filter((row, index) => row.key === String(index + 1))
  return new Map(
    all.filter((row) => happened(row) && !rehearsed.has(row)).map((row) => [row.fingerprint, row] as const),
  )
}

function refusedRow({ fingerprint: print }: Pick<ListedRow, 'fingerprint'>, problem: string): Row {
  const result = { code: 'EID_INVALID_INPUT', outcome: 'not-done', problem } as const
  return { ...newRow('', print), phase: 'failed', result }
}

const happened = ({ phase }: Row) => phase === 'done' || phase === 'look first' || phase === 'out'

/** Although it is about to be sent: by an earlier sending, with what the row said then. */
const mayHaveMade = (row: Row) => madeOwn(row) !== undefined || row.lost > 0 || actedFor(row).length > 0

/** What is reported about a row that the list no longer has. */
function whyLeft(row: Row, tell: TellRow): Pick<Result, 'code' | 'problem'> {
  return madeOwn(row) ?? { code: 'EID_FAILED', problem: tell('rows.lostBefore') }
}

/** A row that is never sent again; what exists stays named. */
function withheld(row: Row, why: Pick<Result, 'code' | 'problem'>): Row {
  return { ...row, phase: 'look first', result: { ...madeOwn(row), outcome: 'unknown', ...why } }
}
