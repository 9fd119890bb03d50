/**
 * For the list of errors: identifies the row that a message carries, the list of this row, and the documents that an
 * error was about.
 */
import type { Outcome } from '../../api/errors/errors'
import { maskKey } from '../../api/errors/mask-key'
import type { Translate } from '../../api/errors/texts'
import { isPlainObject, propertyOf } from '../../common/plain-object'
import type { FlowMessage } from '../node-red/node-red'
import { markOf } from './key-marks'

/**
 * The row of a batch that the message carries, such as "12 (L-2031)". If the list is from a file, the number is the
 * row's number in that file. Personal data in the key is left out.
 */
export function rowOf(msg: FlowMessage): string[] {
  const batch = propertyOf(msg, 'batch')
  const numbers = isPlainObject(batch) ? [propertyOf(batch, 'fileRow'), propertyOf(batch, 'row')] : []
  const row = numbers.find((one) => typeof one === 'number')
  if (!isPlainObject(batch) || row === undefined) return []
  const said = propertyOf(batch, 'key')
  const key = typeof said === 'string' || typeof said === 'number' ? maskKey(String(said)).replace(/…/g, '').trim() : ''
  return [key === '' || key === String(row) ? String(row) : `${row} (${key})`]
}

/** A hash of the key of the row that the message carries. */
export function rowMarkOf(msg: FlowMessage): string | undefined {
  const batch = propertyOf(msg, 'batch')
  return isPlainObject(batch) ? markOf(propertyOf(batch, 'key')) : undefined
}

/** The batch of the row that the message carries, as `<id of the batch node>/<id of the batch>`. */
export function listOf(msg: FlowMessage): string | undefined {
  const [batch, own] = [propertyOf(msg, 'batch'), propertyOf(msg, '_batch')]
  const name = isPlainObject(batch) ? propertyOf(batch, 'id') : undefined
  const node = isPlainObject(own) ? propertyOf(own, 'node') : undefined
  return typeof name === 'string' && typeof node === 'string' ? `${node}/${name}` : undefined
}

/** A title, and the row of a list to which the title belongs; `row` is empty if the message carries no row. */
export type RowTitle = readonly [row: string, title: string]

/** What an error was about, the most recent subjects first. */
export interface Subjects {
  readonly rows?: readonly string[]
  readonly list?: string | undefined
  readonly titles?: readonly RowTitle[]
}

/** Maximum number of rows stored with one error; the report of the batch contains all of them. */
export const maxRows = 100
const maxTitles = 100
/** The number of rows or titles shown; no one reads more. */
const shown = 10

/** Adds these rows and this title to those of `before`. */
export function addSubjects(before: Subjects | undefined, rows: readonly string[], title: string | undefined) {
  const allRows = [...new Set([...rows, ...(before?.rows ?? [])])].slice(0, maxRows)
  const named = title === undefined ? [] : [rows[0] ?? ''].map((row): RowTitle => [row, title])
  const isNew = ([row, text]: RowTitle) => !named.some(([one, other]) => one === row && (row !== '' || other === text))
  const titles = [...named, ...(before?.titles ?? []).filter(isNew)].slice(0, maxTitles)
  return { ...(allRows.length > 0 && { rows: allRows }), ...(titles.length > 0 && { titles }) }
}

/** The rows of an error, each with the hash of its key if that is known. */
interface MarkedRows extends Subjects {
  readonly open?: readonly { readonly row?: string; readonly rowMark?: string }[] | undefined
}

/**
 * Returns a function that says whether a row of an error is among these `rows`, given as messages carry them in
 * `batch`. The key decides if it is known, because a corrected list may have another row under the same number.
 */
export function amongRows(rows: readonly unknown[]): (one: MarkedRows, row: string) => boolean {
  const named = new Map<string, string | undefined>()
  for (const batch of rows) for (const row of rowOf({ batch })) named.set(row, rowMarkOf({ batch }))
  const marks = new Set(named.values())
  return ({ open = [] }, row) => {
    const known = open.flatMap((one) => (one.row === row && one.rowMark !== undefined ? [one.rowMark] : []))
    const isMarked = known.length > 0 && named.get(row) !== undefined
    return known.some((mark) => marks.has(mark)) || (!isMarked && named.has(row))
  }
}

/**
 * The error without these rows, which are sent now, and their titles; undefined if it was about no other row. If it is
 * unknown whether something was done, the error keeps its rows and leaves its list instead: it must not count as an
 * error of rows that have the same numbers now.
 */
export function afterSending<One extends MarkedRows & { readonly outcome: Outcome }>(
  one: One,
  isSent: ReturnType<typeof amongRows>,
): One | undefined {
  const { rows = [], titles = [] } = one
  const left = rows.filter((row) => !isSent(one, row))
  const named = titles.filter(([row]) => !isSent(one, row))
  if (left.length === rows.length && named.length === titles.length) return one
  if (one.outcome === 'unknown') return { ...one, list: undefined }
  return left.length === 0 ? undefined : { ...one, rows: left, titles: named }
}

/**
 * The first rows with their titles. `all` contains all errors, because the title of a row may be stored only with
 * another error of the same list.
 */
export function firstRows({ rows = [], list, titles = [] }: Subjects, all: readonly Subjects[]): string[] {
  const others = all.filter((one) => list !== undefined && one.list === list).flatMap((one) => one.titles ?? [])
  const known = new Map([...others, ...titles])
  return rows.slice(0, shown).map((row) => [row, known.get(row)].filter(Boolean).join(': '))
}

/**
 * Returns the first rows as text in the language of `translate`; if there are more rows, the last text says how many.
 */
export function namedRows(subjects: Subjects, all: readonly Subjects[], translate: Translate): string[] {
  const { rows = [] } = subjects
  const named = firstRows(subjects, all)
  const count = rows.length - named.length
  return count === 0
    ? named
    : [...named, translate(rows.length < maxRows ? 'rows.others' : 'rows.othersAtLeast', { count })]
}

/** The titles from messages that carried no row, except titles already named in the sentence. */
export function titlesBeside(sentence: string, { titles = [] }: Subjects): string[] {
  return titles.flatMap(([row, title]) => (row === '' && !sentence.includes(title) ? [title] : [])).slice(0, shown)
}
