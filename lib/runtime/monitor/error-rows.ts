/** Which row of which list a message carries, and which contracts an error was about, as the list of errors names them. */
import { maskKey } from '../../api/errors/mask-key'
import type { Translate } from '../../api/errors/texts'
import { isPlainObject, propertyOf } from '../../common/plain-object'
import type { FlowMessage } from '../node-red/node-red'

/** The row of a batch that the message carries: "12 (L-2031)". A key can be an e-mail address, which stays out. */
export function rowOf(msg: FlowMessage): string[] {
  const batch = propertyOf(msg, 'batch')
  const row = isPlainObject(batch) ? propertyOf(batch, 'row') : undefined
  if (!isPlainObject(batch) || typeof row !== 'number') return []
  const said = propertyOf(batch, 'key')
  const key = typeof said === 'string' || typeof said === 'number' ? maskKey(String(said)).replace(/…/g, '').trim() : ''
  return [key === '' || key === String(row) ? String(row) : `${row} (${key})`]
}

/** The list whose row the message carries: id of its node and its name. */
export function listOf(msg: FlowMessage): string | undefined {
  const [batch, own] = [propertyOf(msg, 'batch'), propertyOf(msg, '_batch')]
  const name = isPlainObject(batch) ? propertyOf(batch, 'id') : undefined
  const node = isPlainObject(own) ? propertyOf(own, 'node') : undefined
  return typeof name === 'string' && typeof node === 'string' ? `${node}/${name}` : undefined
}

/** A title, and the row of the list that it belongs to; empty for a message that is not a row. */
export type RowTitle = readonly [row: string, title: string]

/** What an error was about: the latest first. */
export interface Subjects {
  readonly rows?: readonly string[]
  readonly list?: string
  readonly titles?: readonly RowTitle[]
}

/** Rows that are kept of one error; the report of the batch has all of them. */
export const maxRows = 100
const maxTitles = 100
/** More than anyone reads. */
const shown = 10

/** With those that `before` had. */
export function addSubjects(before: Subjects | undefined, rows: readonly string[], title: string | undefined) {
  const allRows = [...new Set([...rows, ...(before?.rows ?? [])])].slice(0, maxRows)
  const named = title === undefined ? [] : [rows[0] ?? ''].map((row): RowTitle => [row, title])
  const isNew = ([row, text]: RowTitle) => !named.some(([one, other]) => one === row && (row !== '' || other === text))
  const titles = [...named, ...(before?.titles ?? []).filter(isNew)].slice(0, maxTitles)
  return { ...(allRows.length > 0 && { rows: allRows }), ...(titles.length > 0 && { titles }) }
}

/** The rows with their titles, for people. `all`: every error, because another one may know the title of a row. */
export function namedRows({ rows = [], list, titles = [] }: Subjects, all: readonly Subjects[], translate: Translate) {
  const others = all.filter((one) => list !== undefined && one.list === list).flatMap((one) => one.titles ?? [])
  const known = new Map([...others, ...titles])
  const named = rows.slice(0, shown).map((row) => [row, known.get(row)].filter(Boolean).join(': '))
  const count = rows.length - named.length
  return count === 0
    ? named
    : [...named, translate(rows.length < maxRows ? 'rows.others' : 'rows.othersAtLeast', { count })]
}

/** The titles of messages that were no rows, except those that the sentence names. */
export function titlesBeside(sentence: string, { titles = [] }: Subjects): string[] {
  return titles.flatMap(([row, title]) => (row === '' && !sentence.includes(title) ? [title] : [])).slice(0, shown)
}
