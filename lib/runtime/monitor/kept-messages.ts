/** The messages of the latest changes that may have been done: while Node-RED runs, a person can send one again. */
import { setLatest } from '../../common/latest'
import type { FlowMessage } from '../node-red/node-red'

/** They may hold files, which stay in memory with them. */
const most = 10

const kept = new Map<string, FlowMessage>()

/** `error` is the id of the entry in the list of errors. */
export function keepMessage(error: string, msg: FlowMessage): void {
  setLatest(kept, error, msg, most)
}

/** Undefined when it is no longer there. */
export function keptMessage(error: string): FlowMessage | undefined {
  return kept.get(error)
}

/** Gives it away: nothing else can send it now. Without an id, forgets all. */
export function takeMessage(error?: string): FlowMessage | undefined {
  if (error === undefined) return void kept.clear()
  const msg = kept.get(error)
  kept.delete(error)
  return msg
}
