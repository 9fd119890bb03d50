/**
 * Notifies a batch node of rows that will not come back: a deploy has stopped the node that held the message, but not the
 * batch node, or the message ended with an error that no Catch node leads back.
 */
import type { EidError } from '../../api/errors/errors'
import type { FlowMessage } from '../node-red/node-red'
import { attemptOf, rowOf, type Attempt, type RowName } from './row-calls'

/** The error with which a message ended, and whether a Catch node received it. */
interface FailedRow {
  readonly error: EidError
  readonly isCaught: boolean
}

/** `failed` is absent if the node was stopped. */
type Stopped = (row: RowName, attempt: Attempt, failed?: FailedRow) => void

const listeners = new Map<string, Stopped>()

/** Calls `stopped` for each such row of this batch node, with the lost attempt, until the returned function is called. */
export function onStoppedRows(nodeId: string, stopped: Stopped): () => void {
  listeners.set(nodeId, stopped)
  return () => {
    if (listeners.get(nodeId) === stopped) listeners.delete(nodeId)
  }
}

/** Called when the node that held this message has been stopped, or when the message has ended with an error. */
export function rowStopped(msg: FlowMessage, failed?: FailedRow): void {
  const row = rowOf(msg)
  if (row) listeners.get(row.node)?.(row, attemptOf(msg, row), failed)
}
