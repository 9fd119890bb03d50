/**
 * Notifies a list that one of our nodes was stopped, by a deploy of that node alone, with the message of a row in it: no
 * message comes back from there.
 */
import type { FlowMessage } from '../node-red/node-red'
import { rowOf, type RowName } from './row-calls'

type Stopped = (row: RowName) => void

const listeners = new Map<string, Stopped>()

/** `stopped` hears of the rows of this node until the returned function is called. */
export function onStoppedRows(nodeId: string, stopped: Stopped): () => void {
  listeners.set(nodeId, stopped)
  return () => {
    if (listeners.get(nodeId) === stopped) listeners.delete(nodeId)
  }
}

/** The node that holds this message has been stopped. */
export function rowStopped(msg: FlowMessage): void {
  const row = rowOf(msg)
  if (row) listeners.get(row.node)?.(row)
}
