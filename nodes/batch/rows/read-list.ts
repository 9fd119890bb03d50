/** Reads the list in a message, with a key for each row. */
import { inputError, type EidError, type ProblemKey } from '../../../lib/api/errors/errors'
import { createYielder } from '../../../lib/common/event-loop'
import { isPlainObject } from '../../../lib/common/plain-object'
import type { LiveNode } from '../../../lib/runtime/node/live-node'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { serializeMessage } from '../../../lib/runtime/node-red/serialize-message'
import { createReader } from '../../../lib/runtime/values/values'
import { toFile } from '../../../lib/runtime/files/files'
import { fileRowAt, type FileRows } from '../../../lib/runtime/files/file-rows'
import { readWholeFile } from '../../../lib/runtime/files/read-file'
import { readRowList, type RowList, type ShownRow } from '../../../lib/runtime/files/row-list'
import { shownLanguage } from '../../../lib/runtime/node-red/shown-language'
import { fields } from '../batch.fields'
import { digest } from './row'

/** One row of the list that was read. */
export interface ListedRow {
  readonly key: string
  readonly fingerprint: string
  /** Plain data, as stored. */
  readonly content: unknown
  /** Numbers and dates as their cells show them. */
  readonly shown?: ShownRow
  /** Whether the row can't be sent, because its key is empty. */
  readonly hasNoKey?: boolean
}

export interface List {
  readonly rows: readonly ListedRow[]
  /** Whether the rows have no keys, so that they are recognized by their content. */
  readonly isNumbered?: boolean
  /** Identifies the setting *Row key* and the columns of the list; absent for a list without rows. */
  readonly shape?: string
  /** The format of the text file from which the rows came. */
  readonly text?: RowList['text']
  /** The columns of the file from which the rows came, in order. */
  readonly columns?: readonly string[]
  /** For each row, its number in the file from which the rows came. */
  readonly fileRows?: FileRows
}

export interface ReadList {
  readonly id: string
  /**
   * `own` if a person named this list, by *List name* or `msg.batchId`; `none` if it has no name, so that it belongs to
   * the one list of its node. Absent if it is named after its file.
   */
  readonly naming?: 'own' | 'none'
  /** Whether its rows are sent even if another node has sent them before. */
  readonly sendAnyway?: boolean
  readonly list: List
  /** The message on which each row and the report are based. */
  readonly msg: FlowMessage
}

const { key: _perRow, ...listFields } = fields

/** Creates the reader of one node. The reader rejects with EID_INVALID_INPUT if a message contains no list. */
export function createListReader({
  RED,
  node,
  config,
}: Pick<LiveNode<typeof fields>, 'RED' | 'node' | 'config'>): (msg: FlowMessage) => Promise<ReadList> {
  const readSettings = createReader({ RED, node }, listFields, config)
  const readKey = createReader({ RED, node }, { key: fields.key }, config)
  const folder = RED.settings.fileWorkingDirectory
  const isNumbered = (config.key ?? '') === ''
  const keyedBy = isNumbered ? '' : `${String(config.keyType ?? fields.key.type)} ${String(config.key)}`
  const { rowsType = fields.rows.type, rows: path = fields.rows.initial } = config

  return async (msg) => {
    const { values, problems } = await readSettings(msg)
    const id = batchIdIn(msg)
    if (id === undefined) problems.push({ path: 'batchId', key: 'text' })
    if (problems.length > 0) throw inputError(problems)
    const rest = withoutList(msg, rowsType === 'msg' ? String(path) : 'payload')
    let wrong: ProblemKey[] = []
    let count = 0
    const rowKey = async (row: unknown, number: number) => {
      if (isNumbered) return String(number)
      const read = await readKey({ ...rest, payload: row })
      if (read.problems.length > 0) count++
      wrong = read.problems
      return read.values.key
    }
    const source = await rowsFrom(values.rows, {
      isPath: rowsType === 'path',
      sheet: values.sheet,
      language: shownLanguage(RED, values.language),
      folder,
    })
    const rows = withoutByteOrderMark(source.rows)
    const { text, columns, fileRows, shown } = source
    const parsed = await parseList(rows, rowKey, { fileRows, shown })
    const shape = columns ? shapeOf(columns) : parsed.shape
    const list = {
      ...parsed,
      ...(text && { text }),
      ...(columns && { columns }),
      ...(fileRows && { fileRows }),
      ...(parsed.shape !== undefined && { shape: digest(JSON.stringify([keyedBy, shape])) }),
      isNumbered,
    }
    // If the key fails for all rows, the expression itself is wrong. If the key fails only for some rows, the fault is
    // in those rows.
    if (count > 0 && count === rows.length) throw inputError(wrong)
    const own = id || values.listName || ''
    const file = sourceName(values.rows, rowsType)
    const naming = own !== '' ? 'own' : file === undefined ? 'none' : undefined
    return {
      id: own || file || unnamedList,
      ...(naming && { naming }),
      ...(msg.sendAnyway === true && { sendAnyway: true }),
      list,
      msg: rest,
    }
  }
}

/**
 * Returns the name of the file. It becomes the id of the list, so that a corrected file with the same name continues
 * the previous list.
 */
function sourceName(rows: unknown, type: unknown): string | undefined {
  return type === 'path' && typeof rows === 'string' ? rows.split(/[\\/]/).at(-1) : undefined
}

/** What is known only about the rows of a file. */
type FromFile = Pick<List, 'fileRows'> & Pick<RowList, 'shown'>

interface RowSource {
  readonly isPath: boolean
  readonly sheet: string
  readonly language: string
  /** Node-RED's folder for relative paths. */
  readonly folder: string | undefined
}

/**
 * Returns an array unchanged, or the rows of a spreadsheet file. Throws EID_INVALID_INPUT with the reason if the list
 * can't be read.
 */
async function rowsFrom(
  value: unknown,
  { isPath, sheet, language, folder }: RowSource,
): Promise<Pick<List, 'text' | 'columns'> & FromFile & { readonly rows: readonly unknown[] }> {
  if (Array.isArray(value)) return { rows: value as unknown[] }
  const file = toFile(value, isPath ? 'typedPath' : 'content')
  // Only bytes count as a file; a text does not, even if it happens to be valid base64.
  if (!file || (!isPath && file.from !== 'buffer') || (!isPath && typeof value === 'string'))
    throw inputError([{ path: 'rows', key: 'array' }])
  const where = { workingDirectory: folder, client: {}, signal: new AbortController().signal }
  const read = await readWholeFile(file, where, '')
  if ('key' in read) throw inputError([{ path: 'rows', ...read }])
  const list = await readRowList(read.bytes, { sheet, language })
  if ('key' in list) throw inputError([{ path: 'rows', ...list }])
  return list
}

const byteOrderMark = '\uFEFF'

/** Removes the byte-order mark that the csv node leaves at the start of the first column's name. */
function withoutByteOrderMark(rows: readonly unknown[]): readonly unknown[] {
  const [first] = rows
  if (!isPlainObject(first) || !Object.keys(first)[0]?.startsWith(byteOrderMark)) return rows
  const clean = ([name, value]: [string, unknown]) => [name.startsWith(byteOrderMark) ? name.slice(1) : name, value]
  return rows.map((row): unknown => (isPlainObject(row) ? Object.fromEntries(Object.entries(row).map(clean)) : row))
}

/** Returns the batch id of a message: empty if the message has no id, undefined if its id is unusable. */
function batchIdIn({ batchId }: FlowMessage): string | undefined {
  if (batchId === undefined || batchId === null) return ''
  if (typeof batchId === 'number' && Number.isFinite(batchId)) return String(batchId)
  return typeof batchId === 'string' ? batchId : undefined
}

/** The name of the one list to which all lists of a node without a name belong. */
const unnamedList = 'unnamed'

const megabyte = 1024 * 1024
/**
 * Large rows contain files. Such a row is stored, sent and reported as a whole, so several copies are in memory at
 * once. More than `maxLarge` characters in total would crash the process.
 */
const largeRow = megabyte / 16
const maxLarge = 64 * megabyte

/** Identifies the columns of a list, in any order. */
function shapeOf(columns: readonly string[]): string {
  return digest(JSON.stringify([...columns].sort()))
}

/** How many pairs of rows with the same key an error names. */
const maxTwice = 10

/**
 * Turns plain rows into a list. `readKey` returns the key of a row, or undefined if the row has no key. Throws
 * EID_INVALID_INPUT if a row is nested too deeply, if two rows have the same key, or if the large rows are too large in
 * total.
 */
export async function parseList(
  list: readonly unknown[],
  readKey: (row: unknown, number: number) => Promise<string | undefined> | string | undefined,
  { fileRows, shown: cells }: FromFile = {},
): Promise<List> {
  const shown = (index: number) => fileRowAt(fileRows, index) ?? index + 1
  const rows: ListedRow[] = []
  const numbers = new Map<string, number>()
  const columns = new Set<string>()
  const twice: ProblemKey[] = []
  const breathe = createYielder()
  let large = 0
  for (const [index, row] of list.entries()) {
    await breathe()
    const { row: content } = serializeMessage({ row })
    // The same name may consist of different code points, depending on the keyboard or program, so keys are normalized.
    const key = ((await readKey(row, index + 1)) ?? '').normalize('NFC').trim()
    const text = JSON.stringify(content ?? null)
    if (text.length >= largeRow) large += text.length
    if (large > maxLarge) throw tooLarge(shown(index))
    if (isPlainObject(content)) for (const name of Object.keys(content)) columns.add(name)
    const isEmpty = Object.keys(cells?.[index] ?? {}).length === 0
    const seen = isEmpty ? {} : { shown: cells?.[index] }
    rows.push({ key, fingerprint: fingerprintOf(content), content, ...seen, ...(key === '' && { hasNoKey: true }) })
    const other = key === '' ? undefined : numbers.get(key)
    if (other === undefined) numbers.set(key, shown(index))
    else twice.push({ path: 'rows', key: 'sameKey', params: { row: other, other: shown(index) } })
  }
  if (twice.length > 0) throw inputError(twice.slice(0, maxTwice))
  return { rows, ...(rows.length > 0 && { shape: shapeOf([...columns]) }) }
}

/** The fingerprint of a row: equal for rows with the same content. `content` is in its stored form. */
export function fingerprintOf(content: unknown): string {
  // The order of the columns makes no difference.
  const sorted = isPlainObject(content)
    ? Object.fromEntries(Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1)))
    : content
  // A number in a spreadsheet is text in a text file, so a number and its text count as equal.
  const text = JSON.stringify(sorted ?? null, (_name, value: unknown) =>
    typeof value === 'number' ? String(value) : value,
  )
  return digest(text).slice(0, 16)
}

/** Returns the error for a list that is too large. `row` is the number of the first row over the limit. */
function tooLarge(row: number): EidError {
  return inputError([{ path: 'rows', key: 'listTooLarge', params: { row, max: maxLarge / megabyte } }])
}

/**
 * Returns the message without the list, as the basis of each row and the report; the list may have been in any
 * property.
 */
function withoutList(msg: FlowMessage, path: string): FlowMessage {
  const commands = new Set(['payload', 'batchId', 'pause', 'resume', 'reset', 'sendAnyway', 'error'])
  const rest: FlowMessage = Object.fromEntries(Object.entries(msg).filter(([name]) => !commands.has(name)))
  const [top = '', ...below] = path.split('.')
  if (below.length === 0) delete rest[top]
  const held = rest[top]
  const [name = ''] = below
  // A list one level below `top` is taken out of its object. With any deeper path, all of `top` is removed, because
  // otherwise each row would carry all rows.
  if (below.length === 1 && typeof held === 'object' && held !== null) {
    rest[top] = Object.fromEntries(Object.entries(held).filter(([one]) => one !== name))
  } else if (below.length > 0) delete rest[top]
  return rest
}
