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
import { unsavedFile } from './unsaved-files'

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
  // A row without a key is called by its number, such as `3`, or `3 (2)` if another row was number 3 before it.
  const isNumber = key === String(row) || /^\d+ \(\d+\)$/.test(key)
  return [key === '' || isNumber ? String(row) : `${row} (${key})`]
}

/** A hash of the key of the row that the message carries. */
function rowMarkOf(msg: FlowMessage): string | undefined {
  const batch = propertyOf(msg, 'batch')
  return isPlainObject(batch) ? markOf(propertyOf(batch, 'key')) : undefined
}

/** The row that the message carries, with a hash of its key; empty if the row or the key is missing. */
export function rowMarksOf(msg: FlowMessage): RowMark[] {
  const mark = rowMarkOf(msg)
  return mark === undefined ? [] : rowOf(msg).map((row) => [row, mark])
}

/** The batch of the row that the message carries, as `<id of the batch node>/<id of the batch>`. */
export function listOf(msg: FlowMessage): string | undefined {
  const [batch, own] = [propertyOf(msg, 'batch'), propertyOf(msg, '_batch')]
  const name = isPlainObject(batch) ? propertyOf(batch, 'id') : undefined
  const node = isPlainObject(own) ? propertyOf(own, 'node') : undefined
  return typeof name === 'string' && typeof node === 'string' ? `${node}/${name}` : undefined
}

/**
 * A title, and the row of a list to which the title belongs, with a hash of the row's key if it has one; `row` is empty
 * if the message carries no row.
 */
type RowTitle = readonly [row: string, title: string, mark?: string]

/** A row with a hash of its key. Unlike the row's name, the hash stays when the list is corrected. */
type RowMark = readonly [row: string, mark: string]

/** What an error was about, the most recent subjects first. */
export interface Subjects {
  /** The affected rows of a batch, by number and key; at most `maxRows` of them. */
  readonly rows?: readonly string[]
  /** The hashes of `rows`. A name has several if rows of different lists had it: a name may be the number only. */
  readonly rowMarks?: readonly RowMark[]
  /** The batch that contains these rows, as `<id of the batch node>/<id of the batch>`. */
  readonly list?: string | undefined
  /** Titles of the objects, without names of people. */
  readonly titles?: readonly RowTitle[]
}

/** Maximum number of rows stored with one error; the report of the batch contains all of them. */
export const maxRows = 100
const maxTitles = 100
/** Twice the number of rows, because each of them may have got another number. */
const maxMarks = 2 * maxRows
/** The number of rows or titles shown; no one reads more. */
const shown = 10

/** Adds these rows and this title to those of `before`; `marks` are the hashes of the rows' keys, if they have keys. */
export function addSubjects(
  before: Subjects | undefined,
  rows: readonly string[],
  title: string | undefined,
  marks: readonly RowMark[],
) {
  const allRows = [...new Set([...rows, ...(before?.rows ?? [])])].slice(0, maxRows)
  const isOther = ([row, mark]: RowMark) =>
    allRows.includes(row) && !marks.some(([name, known]) => name === row && known === mark)
  const rowMarks = [...marks, ...(before?.rowMarks ?? []).filter(isOther)].slice(0, maxMarks)
  const named = title === undefined ? [] : [titleOf(rows[0] ?? '', title, marks)]
  const isNew = (known: RowTitle) =>
    isOfRow(known, before ?? {}, { rowMarks: marks }) &&
    !named.some(([row, text]) => row === known[0] && (row !== '' || text === known[1]))
  const titles = [...named, ...(before?.titles ?? []).filter(isNew)].slice(0, maxTitles)
  return {
    ...(allRows.length > 0 && { rows: allRows }),
    ...(rowMarks.length > 0 && { rowMarks }),
    ...((titles.length > 0 || before?.titles) && { titles }),
  }
}

function titleOf(row: string, title: string, marks: readonly RowMark[]): RowTitle {
  const [, mark] = marks.find(([name]) => name === row) ?? []
  return mark === undefined ? [row, title] : [row, title, mark]
}

/** Decides about a row of an error by its name and the hash of its key; the hash is undefined if it is not known. */
type RowTest = (row: string, mark: string | undefined) => boolean

/**
 * Returns a function that says whether a row of an error is among these `rows`, given as messages carry them in
 * `batch`. The key decides if it is known, because a corrected list may have another row under the same number.
 */
export function amongRows(rows: readonly unknown[]): RowTest {
  const names = new Set(rows.flatMap((batch) => rowOf({ batch })))
  const marks = new Set(rows.map((batch) => rowMarkOf({ batch })))
  return (row, mark) => (mark === undefined ? names.has(row) : marks.has(mark))
}

/** Whether the error is about the row with this name and this key. */
export function isAbout({ rows = [], rowMarks = [] }: Subjects, row: string, key: string): boolean {
  if (!rows.includes(row)) return false
  const known = rowMarks.filter(([name]) => name === row)
  return known.length === 0 || known.some(([, mark]) => mark === markOf(key))
}

/** Whether two errors mean the same row by this name; true if one of them does not know the key of its row. */
function isSameRow(row: string, one: Subjects, other: Subjects): boolean {
  const [marks = [], others = []] = [one, other].map(({ rowMarks = [] }) => rowMarks.filter(([name]) => name === row))
  return (
    marks.length === 0 || others.length === 0 || marks.some(([, mark]) => others.some(([, known]) => known === mark))
  )
}

/** Whether this title of the error `of` belongs to the row that `one` means by its name. */
function isOfRow([row, , mark]: RowTitle, of: Subjects, one: Subjects): boolean {
  return isSameRow(row, mark === undefined ? of : { rowMarks: [[row, mark]] }, one)
}

/** The error without the rows that are gone, and their titles; undefined if it was about no other row. */
export function withoutRows<One extends Subjects>(one: One, isGone: RowTest): One | undefined {
  const { rows = [], rowMarks = [], titles = [] } = one
  const marksLeft = rowMarks.filter(([row, mark]) => !isGone(row, mark))
  const marked = new Set(rowMarks.map(([row]) => row))
  const kept = new Set(marksLeft.map(([row]) => row))
  const isLeft = (row: string) => (marked.has(row) ? kept.has(row) : !isGone(row, undefined))
  const isTitleLeft = ([row, , mark]: RowTitle) => isLeft(row) && (mark === undefined || !isGone(row, mark))
  const left = { rows: rows.filter(isLeft), rowMarks: marksLeft, titles: titles.filter(isTitleLeft) }
  const isSame = left.rows.length === rows.length && left.titles.length === titles.length
  if (isSame && marksLeft.length === rowMarks.length) return one
  return left.rows.length === 0 ? undefined : { ...one, ...left }
}

interface AboutRows extends Subjects {
  readonly outcome: Outcome
  readonly said?: unknown
  readonly node: { readonly id: string }
}

/**
 * What has happened to a row: it is sent, it was refused because it has no key, or it has come back well in a message
 * that failed in these nodes before. Undefined means that these nodes are unknown.
 */
export type RowStep = 'sent' | 'refused' | { readonly failedIn: readonly string[] | undefined }

/**
 * Whether the error stays whatever happens to its rows: it is unknown whether something was done, or a file is missing,
 * which only saving it answers.
 */
export function outlastsRows(one: AboutRows): boolean {
  return one.outcome === 'unknown' || unsavedFile(one) !== undefined
}

/**
 * The error after this has happened to rows of its list; undefined if it was about no other row. An error that outlasts
 * its rows leaves its list when one of them is sent again: it must not count as an error of rows that have the same
 * numbers now.
 */
export function afterStep<One extends AboutRows>(one: One, step: RowStep, isRow: RowTest): One | undefined {
  if (step === 'refused') return withoutTitles(one, isRow)
  // The message got round the node that failed. What failed in another branch of the flow is not answered by this.
  // If it is unknown where the message failed, its success counts, because the error would stay for ever otherwise.
  if (step !== 'sent')
    return outlastsRows(one) || step.failedIn?.includes(one.node.id) === false ? one : withoutRows(one, isRow)
  const left = withoutRows(one, isRow)
  return left !== one && outlastsRows(one) ? { ...one, list: undefined } : left
}

/** A refused row was not sent, so an error with the same number is about another row, whose title it must not get. */
function withoutTitles<One extends Subjects>(one: One, isRow: RowTest): One {
  const { titles = [] } = one
  const left = titles.filter(([row]) => !isRow(row, undefined))
  return left.length === titles.length ? one : { ...one, titles: left }
}

/**
 * The first rows with their titles. `all` contains all errors, because the title of a row may be stored only with
 * another error of the same list. A title is left out if it belongs to another row that had the same number.
 */
export function firstRows(one: Subjects, all: readonly Subjects[]): string[] {
  const { rows = [], list } = one
  const first = new Set(rows.slice(0, shown))
  const others = all.filter((other) => list !== undefined && other.list === list)
  const titles = [...others, one].flatMap((other) =>
    (other.titles ?? []).filter((title) => first.has(title[0]) && isOfRow(title, other, one)),
  )
  const known = new Map(titles.map(([row, title]) => [row, title]))
  return [...first].map((row) => [row, known.get(row)].filter(Boolean).join(': '))
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
