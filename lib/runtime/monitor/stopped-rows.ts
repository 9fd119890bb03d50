/**
 * Notifies a batch node when a deploy has stopped another node while that node held the message of a row. The message
 * will not come back to the batch node, which the deploy did not stop.
 */
import type { FlowMessage } from '../node-red/node-red'
import { attemptOf, rowOf, type Attempt, type RowName } from './row-calls'

type Stopped = (row: RowName, attempt: Attempt) => void

const listeners = new Map<string, Stopped>()

/**
 * Calls `stopped` for each row of this batch node that was lost in a stopped node, with the lost attempt, until the
 * returned function is called.
 */
export function onStoppedRows(nodeId: string, stopped: Stopped): () => void {
  listeners.set(nodeId, stopped)
  return () => {
    if (listeners.get(nodeId) === stopped) listeners.delete(nodeId)
  }
}

/** Called when the node that held this message has been stopped. */
export function rowStopped(msg: FlowMessage): void {
  const row = rowOf(msg)
  if (row) listeners.get(row.node)?.(row, attemptOf(msg, row))
}
