/** Reads the list out of a message: its rows, their keys, and which batch they are. */
import { inputError, type ProblemKey } from '../../../lib/api/errors/errors'
import type { LiveNode } from '../../../lib/runtime/node/live-node'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'
import { createReader } from '../../../lib/runtime/values/values'
import { fields } from '../batch.fields'
import { parseList, withoutList, type List } from './parse-list'

export interface ReadList {
  readonly id: string
  readonly list: List
  /** The message as each row and the report begin. */
  readonly msg: FlowMessage
}

const { key: _perRow, ...listFields } = fields

/** Gives the reader of one node. It rejects with EID_INVALID_INPUT when a message brings no list. */
export function createListReader({
  RED,
  node,
  config,
}: Pick<LiveNode<typeof fields>, 'RED' | 'node' | 'config'>): (msg: FlowMessage) => Promise<ReadList> {
  const readSettings = createReader({ RED, node }, listFields, config)
  const readKey = createReader({ RED, node }, { key: fields.key }, config)
  const isNumbered = (config.key ?? '') === ''
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
    const rows = values.rows ?? []
    const list = await parseList(rows, keyOf)
    // The expression itself is wrong; of a single row it is that row's own trouble.
    if (count > 0 && count === rows.length) throw inputError(wrong)
    return { id: id || `rows-${list.print.slice(0, 16)}`, list, msg: rest }
  }
}

/** Empty when the message has none; undefined when it can be none. */
function batchIdIn({ batchId }: FlowMessage): string | undefined {
  if (batchId === undefined || batchId === null) return ''
  if (typeof batchId === 'number' && Number.isFinite(batchId)) return String(batchId)
  return typeof batchId === 'string' ? batchId : undefined
}
