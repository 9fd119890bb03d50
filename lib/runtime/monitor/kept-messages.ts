/**
 * The messages of the latest calls that may have changed something at the service. While Node-RED runs, a person can
 * send one of them again.
 */
import { setLatest } from '../../common/latest'
import type { FlowMessage } from '../node-red/node-red'

/** The number is small, because messages may contain files, which stay in memory too. */
const most = 10

const kept = new Map<string, FlowMessage>()

/** `error` is the id of the entry in the list of errors. */
export function keepMessage(error: string, msg: FlowMessage): void {
  setLatest(kept, error, msg, most)
}

/** The message, which stays there; undefined when it is no longer kept. */
export function keptMessage(error: string): FlowMessage | undefined {
  return kept.get(error)
}

/** Removes and returns it, so that it can't be sent twice. Without an id, drops all. */
export function takeMessage(error?: string): FlowMessage | undefined {
  if (error === undefined) return void kept.clear()
  const msg = kept.get(error)
  kept.delete(error)
  return msg
}
