/**
 * Matches each row of a list with a row of the previous list: by its key or, without a key, by its content and only
 * then by its position. If the position came first, inserting or removing rows would give the wrong people a second
 * contract. Also determines whether the content of a row is still the same.
 */
import { isPlainObject, type PlainObject } from '../../../lib/common/plain-object'
import { fingerprintOf, type List, type ListedRow } from './read-list'
import { happened, mayHaveMade, type Row } from './row'

export interface Match {
  readonly listed: ListedRow
  /** The matching row of the previous list. */
  readonly old: Row | undefined
  /** Whether the row may be one that was sent before, with other content. */
  readonly isDoubtful: boolean
}

interface Matches {
  /** One match for each row, in the order of the list. */
  readonly all: readonly Match[]
  /** Rows that were sent, or may have been, and are no longer in the list. */
  readonly left: readonly Row[]
}

/**
 * `isRekeyed` means that another setting produced the previous keys. `rehearsed` are rows for which nothing real was
 * done.
 */
export function matchRows(
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
  // A row without a match has usually been corrected in its place, so it is matched with the row at the same position
  // if that one is still free.
  const old = list.rows.map(({ refused }, at) => {
    if (exact[at] || refused || !list.isNumbered || isRekeyed) return exact[at]
    const there = before[at]
    return there?.key === '' ? undefined : take(there)
  })
  const left = [...free].filter((row) => !rehearsed.has(row) && (happened(row) || mayHaveMade(row)))
  const isMissing = left.some(isUnnamed)
  const all = list.rows.map((listed, at) => ({
    ...{ listed, old: old[at] },
    isDoubtful: isMissing && !old[at] && !listed.refused,
  }))
  return { all, left }
}

/** Returns a function that gives each new row a key that is not among those taken. */
export function createKeys(taken: Iterable<string>): (key: string) => string {
  const keys = new Set(taken)
  return (key) => {
    let free = key
    for (let count = 2; keys.has(free); count++) free = `${key} (${count})`
    keys.add(free)
    return free
  }
}

/** Whether a row still has the content with this fingerprint. */
export type HasStayed = (fingerprint: string, row: ListedRow) => boolean

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

/** Removes sets that occur twice, and keeps at most ten: a list hardly ever changes its columns more often. */
export function keptColumns(sets: readonly Columns[], now: List['columns']): Columns[] {
  const textOf = (columns: Columns | undefined) => JSON.stringify(columns)
  const unique = new Map(sets.map((columns) => [textOf(columns), columns]))
  unique.delete(textOf(now))
  return [...unique.values()].slice(0, 10)
}

/**
 * Compares rows with earlier rows that had one of these sets of columns. A column added since then makes no difference,
 * nor does a column that was renamed but kept its place.
 */
export function createComparison(sets: readonly Columns[], now: List['columns']): HasStayed {
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
