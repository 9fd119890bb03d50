/**
 * Notifies a list when a deploy has stopped one of our nodes, but not the list, while that node held the message of a
 * row: the message will not come back.
 */
import type { FlowMessage } from '../node-red/node-red'
import { rowOf, type RowName } from './row-calls'

type Stopped = (row: RowName) => void

const listeners = new Map<string, Stopped>()

/** Calls `stopped` for the rows of this node until the returned function is called. */
export function onStoppedRows(nodeId: string, stopped: Stopped): () => void {
  listeners.set(nodeId, stopped)
  return () => {
    if (listeners.get(nodeId) === stopped) listeners.delete(nodeId)
  }
}

/** Called when the node that held this message has been stopped. */
export function rowStopped(msg: FlowMessage): void {
  const row = rowOf(msg)
  if (row) listeners.get(row.node)?.(row)
}
