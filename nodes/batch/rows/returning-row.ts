/** Distinguishes a row returning to the node from a list, and from the row of another batch node. */
import { isPlainObject } from '../../../lib/common/plain-object'
import type { FlowMessage } from '../../../lib/runtime/node-red/node-red'

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
