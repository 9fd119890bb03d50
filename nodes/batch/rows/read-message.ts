/** Reads a message: a list with its rows, their keys and the batch they belong to, or a row that returns. */
import { inputError, type ProblemKey } from '../../../lib/api/errors/errors'
import { isPlainObject } from '../../../lib/common/plain-object'
import type { LiveNode } from '../../../lib/runtime/node/live-node'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { createReader } from '../../../lib/runtime/values/values'
import { toFile } from '../../../lib/runtime/files/files'
import { readWholeFile } from '../../../lib/runtime/files/read-file'
import { readRowList } from '../../../lib/runtime/files/row-list'
import { fields } from '../batch.fields'
import { parseList, withoutList, type List } from './parse-list'

export interface ReadList {
  readonly id: string
  readonly list: List
  /** The message on which each row and the report are based. */
  readonly msg: FlowMessage
}

const { key: _perRow, ...listFields } = fields

/** Creates the reader of one node. It rejects with EID_INVALID_INPUT if a message contains no list. */
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
    const keyOf = async (row: unknown, number: number) => {
      if (isNumbered) return String(number)
      const read = await readKey({ ...rest, payload: row })
      if (read.problems.length > 0) count++
      wrong = read.problems
      return read.values.key
    }
    const source = await rowsFrom(values.rows, { isPath: rowsType === 'path', sheet: values.sheet, folder })
    const rows = withoutByteOrderMark(source.rows)
    const { text, columns } = source
    const list = {
      ...(await parseList(rows, keyOf)),
      ...(text && { text }),
      ...(columns && { columns }),
      isNumbered,
      keyedBy,
    }
    // All rows failed, so the expression itself is wrong; for a single row, it would be that row's problem.
    if (count > 0 && count === rows.length) throw inputError(wrong)
    return { id: id || nameOf(values.rows, rowsType) || `rows-${list.fingerprint.slice(0, 16)}`, list, msg: rest }
  }
}

/** A list from a file is named after the file: a corrected list continues the previous one. */
function nameOf(rows: unknown, type: unknown): string | undefined {
  return type === 'path' && typeof rows === 'string' ? rows.split(/[\\/]/).at(-1) : undefined
}

interface RowSource {
  readonly isPath: boolean
  readonly sheet: string
  /** Node-RED's folder for relative paths. */
  readonly folder: string | undefined
}

/** A list as it is, or the rows of a spreadsheet file. Throws EID_INVALID_INPUT with the reason if it can't be read. */
async function rowsFrom(
  value: unknown,
  { isPath, sheet, folder }: RowSource,
): Promise<Pick<List, 'text' | 'columns'> & { readonly rows: readonly unknown[] }> {
  if (Array.isArray(value)) return { rows: value as unknown[] }
  const file = toFile(value, isPath ? 'typedPath' : 'content')
  // A text that happens to be base64 is not a file: only bytes are.
  if (!file || (!isPath && file.from !== 'buffer') || (!isPath && typeof value === 'string'))
    throw inputError([{ path: 'rows', key: 'array' }])
  const where = { workingDirectory: folder, client: {}, signal: new AbortController().signal }
  const read = await readWholeFile(file, where, '')
  if ('key' in read) throw inputError([{ path: 'rows', ...read }])
  const list = await readRowList(read.bytes, sheet)
  if ('key' in list) throw inputError([{ path: 'rows', ...list }])
  return list
}

const byteOrderMark = '\uFEFF'

/** The csv node takes the byte-order mark of a CSV file for part of the first column's name. */
function withoutByteOrderMark(rows: readonly unknown[]): readonly unknown[] {
  const [first] = rows
  if (!isPlainObject(first) || !Object.keys(first)[0]?.startsWith(byteOrderMark)) return rows
  const clean = ([name, value]: [string, unknown]) => [name.startsWith(byteOrderMark) ? name.slice(1) : name, value]
  return rows.map((row): unknown => (isPlainObject(row) ? Object.fromEntries(Object.entries(row).map(clean)) : row))
}

/** Empty if the message has no id; undefined if it has an unusable one. */
function batchIdIn({ batchId }: FlowMessage): string | undefined {
  if (batchId === undefined || batchId === null) return ''
  if (typeof batchId === 'number' && Number.isFinite(batchId)) return String(batchId)
  return typeof batchId === 'string' ? batchId : undefined
}

/** One sending of a row. */
export interface SentRow {
  readonly id: string
  readonly key: string
  /** How often it had been sent by then; undefined if the message does not say. */
  readonly sent: number | undefined
  /** Which run of this list it is from; undefined if the message does not say. */
  readonly run: string | undefined
}

export interface ReturningRow extends SentRow {
  /** The message names this node as its sender; otherwise it may belong to another node. */
  readonly isOurs: boolean
}

/** Undefined if the message is not a row of this node. */
export function returningRow({ batch, _batch }: FlowMessage, nodeId: string): ReturningRow | undefined {
  if (!isPlainObject(batch)) return undefined
  const { id, key } = batch
  if (typeof id !== 'string' || typeof key !== 'string') return undefined
  const { node, sent, run } = isPlainObject(_batch) ? _batch : {}
  if (node !== undefined && node !== nodeId) return undefined
  return {
    id,
    key,
    sent: typeof sent === 'number' ? sent : undefined,
    run: typeof run === 'string' ? run : undefined,
    isOurs: node === nodeId,
  }
}
