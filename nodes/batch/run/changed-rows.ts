/**
 * Rows whose content has changed since they were done: what counts as a change, and the list of their own in which they
 * are sent as new contracts.
 */
import { isPlainObject, type PlainObject } from '../../../lib/common/plain-object'
import { deserializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import type { Store } from '../../../lib/store/store'
import type { Translate } from '../../../lib/api/errors/texts'
import { fingerprintOf, type List, type ListedRow, type ReadList } from '../rows/read-list'
import { digest, type Row } from '../rows/row'
import { openBatch, type Batch } from './batch-state'
import { findHead, type Head } from './storage'

const idOf = (list: string) => `${list} (changed)`

/** The same change, sent a second time, has the same key, and finds what was created the first time. */
const keyOf = (key: string, fingerprint: string) => `${key} (${fingerprint.slice(0, 8)})`

/** The list of the rows that are done and have changed; undefined if no row has. Rejects as the store does. */
export async function changedRows({ head, rows, journal }: Batch): Promise<ReadList | undefined> {
  const listed: ListedRow[] = []
  for (const [index, { key, phase, changed }] of rows.all.entries()) {
    const said = phase === 'done' && changed ? await journal.content(index) : undefined
    if (!said) continue
    const fingerprint = fingerprintOf(said.content)
    listed.push({ key: keyOf(key, fingerprint), fingerprint, content: said.content })
  }
  if (listed.length === 0) return undefined
  const fingerprint = digest(listed.map(({ fingerprint }) => fingerprint).join())
  return { id: idOf(head.id), list: { rows: listed, fingerprint }, msg: deserializeMessage(head.msg) }
}

/** Finds the row that was sent as a new contract, by the key of the changed row and its new content. */
export type SentAgain = (key: string, fingerprint: string) => Row | undefined

/** The changed rows of this list that were sent as new contracts, and are done. Rejects as the store does. */
export async function sentAgain(store: Store, list: string, translate: Translate): Promise<SentAgain> {
  const head = await findHead(store, idOf(list))
  if (!head) return () => undefined
  const { rows } = await openBatch(store, head, translate)
  return (key, fingerprint) => {
    const row = rows.find(keyOf(key, fingerprint))
    return row?.phase === 'done' && row.fingerprint === fingerprint ? row : undefined
  }
}

/** Whether a row still has the content with this fingerprint. */
export type HasStayed = (fingerprint: string, row: ListedRow) => boolean

type Columns = readonly string[]

/** The columns of a list and of those it replaced: rows done for those are compared by these. */
export function columnSets({ columns, earlierColumns = [] }: Pick<Head, 'columns' | 'earlierColumns'>): Columns[] {
  return columns ? [columns, ...earlierColumns] : [...earlierColumns]
}

/** Without sets that occur twice. More are hardly ever needed: each is a list with other columns. */
export function keptColumns(sets: readonly Columns[], now: List['columns']): Columns[] {
  const textOf = (columns: Columns | undefined) => JSON.stringify(columns)
  const unique = new Map(sets.map((columns) => [textOf(columns), columns]))
  unique.delete(textOf(now))
  return [...unique.values()].slice(0, 10)
}

/**
 * Compares with rows that had one of these sets of columns. A column that the list did not have then makes no
 * difference, nor does one that has another name since and the same place.
 */
export function createComparison(sets: readonly Columns[], now: List['columns']): HasStayed {
  const readers = now ? keptColumns(sets, now).map((columns) => readerOf(columns, now)) : []
  return (fingerprint, { fingerprint: current, content }) => {
    if (current === fingerprint) return true
    return isPlainObject(content) && readers.some((read) => fingerprintOf(read(content)) === fingerprint)
  }
}

/** Reads a row of today as a list with the columns of then had it. */
function readerOf(then: Columns, now: Columns): (content: PlainObject) => PlainObject {
  const [earlier, present] = [new Set(then), new Set(now)]
  const names = then.map((name, at) => {
    const there = now[at]
    return [name, present.has(name) || there === undefined || earlier.has(there) ? name : there] as const
  })
  return (content) => Object.fromEntries(names.map(([name, today]) => [name, content[today]]))
}
