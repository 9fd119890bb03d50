/** Makes the rows of a batch from the list in a message: their keys and their content. */
import { createHash } from 'node:crypto'
import { inputError, type EidError } from '../../../lib/api/errors/errors'
import { createYielder } from '../../../lib/common/event-loop'
import { isPlainObject } from '../../../lib/common/plain-object'
import type { RowList } from '../../../lib/runtime/files/row-list'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { serializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { digest } from './row'

/** A row as the list has it. */
export interface ListedRow {
  readonly key: string
  readonly fingerprint: string
  /** Plain data, as stored. */
  readonly content: unknown
  /** Why it can't be sent, as keys of `problems`; `other` is the number of the row that already has its key. */
  readonly refused?: { readonly reason: 'noKey' | 'sameKey'; readonly other: number }
}

export interface List {
  readonly rows: readonly ListedRow[]
  /** Whether the row number is its only key. */
  readonly isNumbered?: boolean
  /** The setting that produced the keys. */
  readonly keyedBy?: string
  /** The same for the same rows in the same order. */
  readonly fingerprint: string
  /** The format of the text file from which they came. */
  readonly text?: RowList['text']
  /** The columns of their file, in order. */
  readonly columns?: readonly string[]
}

const megabyte = 1024 * 1024
/**
 * Rows that contain files are stored, sent and reported as a whole, several times over: more than this would crash the
 * process.
 */
const largeRow = megabyte / 16
const maxLarge = 64 * megabyte

/**
 * `readKey` returns the key of a row, undefined if it has none. Throws EID_INVALID_INPUT if a row is nested too deeply,
 * or the large rows are too large in total.
 */
export async function parseList(
  list: readonly unknown[],
  readKey: (row: unknown, number: number) => Promise<string | undefined> | string | undefined,
): Promise<List> {
  const rows: ListedRow[] = []
  const numbers = new Map<string, number>()
  const all = createHash('sha256')
  const breathe = createYielder()
  let large = 0
  for (const [index, row] of list.entries()) {
    await breathe()
    const { row: content } = serializeMessage({ row })
    // The same name may consist of different code points, depending on the keyboard or program.
    const key = ((await readKey(row, index + 1)) ?? '').normalize('NFC').trim()
    const text = JSON.stringify(content ?? null)
    if (text.length >= largeRow) large += text.length
    if (large > maxLarge) throw tooLarge(index + 1)
    const fingerprint = fingerprintOf(content)
    const other = numbers.get(key) ?? 0
    if (other === 0) numbers.set(key, index + 1)
    const reason = key === '' ? 'noKey' : other > 0 ? 'sameKey' : undefined
    rows.push({ key, fingerprint, content, ...(reason && { refused: { reason, other } }) })
    all.update(fingerprint)
  }
  return { rows, fingerprint: all.digest('hex') }
}

/** The same for rows with the same content; `content` as stored. */
export function fingerprintOf(content: unknown): string {
  // The order of the columns makes no difference.
  const sorted = isPlainObject(content)
    ? Object.fromEntries(Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1)))
    : content
  // A number in a spreadsheet is a text in a text file.
  const text = JSON.stringify(sorted ?? null, (_name, value: unknown) =>
    typeof value === 'number' ? String(value) : value,
  )
  return digest(text).slice(0, 16)
}

/** `row` is the first one over the limit. */
function tooLarge(row: number): EidError {
  return inputError([{ path: 'rows', key: 'listTooLarge', params: { row, max: maxLarge / megabyte } }])
}

/** The message without the list, as the basis of each row and the report; its rows may have been in any property. */
export function withoutList(msg: FlowMessage, path: string): FlowMessage {
  const { payload: _list, batchId: _id, pause: _pause, resume: _resume, reset: _reset, error: _error, ...rest } = msg
  const [top = '', ...below] = path.split('.')
  if (below.length === 0) delete rest[top]
  const held = rest[top]
  const [name = ''] = below
  // Only plain data is taken apart; anything else is removed as a whole, or every row would carry all of them.
  if (below.length === 1 && typeof held === 'object' && held !== null) {
    rest[top] = Object.fromEntries(Object.entries(held).filter(([one]) => one !== name))
  } else if (below.length > 0) delete rest[top]
  return rest
}
